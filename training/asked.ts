import { isPushable } from '../src/compile/knowledge.ts';
import { ownerOf, type Project } from '../src/compile/project.ts';
import { lookAt, readAs, type ConsiderRequest, type Looked } from '../src/compile/relevance/consider.ts';
import { createMeasure } from '../src/compile/relevance/evidence.ts';
import { packagedJudge } from '../src/judge/judge.ts';
import type { Mneme } from '../src/mneme.ts';
import type { StoredPassage } from '../src/search-index/port.ts';

export interface Memory extends Looked {
  /** Numbers of the prompt's needs that it holds. */
  readonly needs: readonly number[];
  readonly help: number;
}

/** A prompt with what the search found for it. */
export interface Asked {
  /** The person, or the author of a small home: left out together when judged. */
  readonly group: string;
  readonly text: string;
  /** How many things the prompt needs. */
  readonly needs: number;
  readonly memories: readonly Memory[];
  readonly isInProject: boolean;
}

export interface Prompt {
  readonly group: string;
  readonly text: string;
  readonly needs: number;
  /** Numbers of the needs that a passage holds. */
  readonly heldBy: (passage: StoredPassage) => readonly number[];
  readonly project: Project | undefined;
  readonly nowMs: number;
}

const CANDIDATES = 60;

/** Searches for a prompt as a hook does, and reads what was found with the model. */
export async function askPrompt({ internals }: Mneme, prompt: Prompt): Promise<Asked> {
  const { group, text, needs, heldBy, project, nowMs } = prompt;
  const { answer } = await internals.search.ask({
    text,
    filter: { scopes: ['shared'] },
    limit: CANDIDATES,
    tokens: undefined,
    models: 'all',
    isUnlisted: true,
    isWanted: isPushable,
  });
  const { index } = await internals.homeIndex.prepare();
  const projects = ((await index?.listEntities()) ?? []).filter(({ type }) => type === 'project');
  const { passages } = await internals.homeIndex.status();
  const request: Omit<ConsiderRequest, 'helps' | 'size'> = {
    message: text,
    ranked: answer.ranked,
    measure: createMeasure(text, answer, passages),
    ownerOf: (passage) => ownerOf(passage, project, projects),
    isInProject: project !== undefined,
    nowMs,
  };
  const memories = lookAt(request).map((looked): Memory => {
    const { passage } = looked.ranked;
    const help = packagedJudge().helpsWith(text, readAs(passage))['helps'] ?? 0;
    return { ...looked, needs: heldBy(passage), help };
  });
  return { group, text, needs, memories, isInProject: request.isInProject };
}
