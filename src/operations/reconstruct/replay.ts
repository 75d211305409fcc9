import {
  type Chosen,
  EXTRACTOR_NAMES,
  type Findings,
  builtInLabel,
  chooseExtractors,
  findAll,
} from '../../extract/extractors.ts';
import { extractKnowledge } from '../../extract/extraction.ts';
import { hearConversation } from '../../extract/heard.ts';
import { MnemeError } from '../../model/errors.ts';
import { KNOWLEDGE_KINDS } from '../../model/knowledge.ts';
import type { Scope } from '../../model/provenance.ts';
import { readVariable } from '../../platform/environment.ts';
import type { HeardConversation, Reasoner } from '../../reasoner/port.ts';
import { createReasoner } from '../../reasoner/create.ts';
import type { OperationContext } from '../context.ts';
import { hearSession, keepDiary, type HeardSession } from '../extract/extract-session.ts';
import { findSpeakers } from '../session/speaker.ts';
import { scopeOfSession } from '../session/session-scope.ts';
import type { ReconstructControls, ReconstructionRecord } from './record.ts';

export interface Replay {
  readonly record: ReconstructionRecord;
  readonly sessions: readonly string[];
  /** Conversations that are looked at ahead of the one that is being taken in. */
  readonly parallel: number;
  readonly controls: ReconstructControls;
  readonly onDone: (session: string) => void;
}

interface Looked {
  readonly session: string;
  readonly heard: HeardSession;
  readonly conversation: HeardConversation;
  readonly found: Findings;
  readonly scope: Scope;
}

/**
 * Extracts from conversations again, several at a time, and adds the findings to the copy, one conversation after the other
 * in the order in which they took place. A run that was killed resumes with the conversation it was at; findings that it had
 * already added are recognised and not added twice.
 */
export async function replay(context: OperationContext, scratch: OperationContext, task: Replay): Promise<string[]> {
  const { record, sessions, parallel, controls, onDone } = task;
  const { signal, onProgress } = controls;
  const { journal } = context.workspace.paths;
  const { clock, random } = context;
  // Calls are counted where all others are: a reconstruction has no purse of its own.
  const parts = { journalFolder: journal, stateFolder: scratch.workspace.paths.state, clock, random, readVariable };
  const reasoner = createReasoner(scratch.config, parts);
  const chosen = chosenOf(context, record.extractors);
  const notes = new Set<string>();
  const before = record.sessions.length - sessions.length;
  const ahead: Promise<Looked>[] = [];
  let next = 0;
  const fill = (): void => {
    if (signal?.aborted === true) return;
    while (next < sessions.length && ahead.length < parallel) {
      const looked = look(context, sessions[next] ?? '', { chosen, reasoner, signal });
      // Heard of when its turn comes.
      looked.catch(() => undefined);
      ahead.push(looked);
      next += 1;
    }
  };
  try {
    for (let done = 0; done < sessions.length; done += 1) {
      fill();
      const current = ahead.shift();
      if (current === undefined || signal?.aborted === true) break;
      onProgress?.({ done: before + done, total: record.sessions.length, session: sessions[done] ?? '' });
      const looked = await current;
      assertJudged(scratch, looked);
      for (const note of await takeIn(scratch, looked, { record, chosen, reasoner, signal })) notes.add(note);
      onDone(looked.session);
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  } finally {
    await Promise.allSettled(ahead);
    reasoner.close();
  }
  return [...notes];
}

interface Looking {
  readonly chosen: Chosen;
  readonly reasoner: Reasoner;
  readonly signal: AbortSignal | undefined;
}

async function look(
  context: OperationContext,
  session: string,
  { chosen, reasoner, signal }: Looking,
): Promise<Looked> {
  const heard = hearSession(context, session);
  const { owner, aliases } = await findSpeakers(context, session);
  const timeZone = context.config.time_zone;
  const conversation = hearConversation(session, heard.turns, heard.about, { timeZone, user: owner, aliases });
  const found = await findAll(chosen, {
    conversation: { ...conversation, known: context.entities.known() },
    fromTurn: undefined,
    reasoner,
    options: { signal },
  });
  return { session, heard, conversation, found, scope: scopeOfSession(context, session) };
}

/** Half by a model and half without one would compare nothing. */
function assertJudged({ config }: OperationContext, { session, found }: Looked): void {
  const { provider } = config.reasoner;
  if (provider === 'heuristic' || !found.by.startsWith('heuristic')) return;
  throw new MnemeError('failure', `${provider} did not judge ${session}: ${found.notes.join(' ')}`, {
    hint: 'What was done stays; the same command goes on from there. `mneme learn costs` shows what is left of the caps.',
  });
}

interface Taking extends Looking {
  readonly record: ReconstructionRecord;
}

async function takeIn(scratch: OperationContext, looked: Looked, taking: Taking): Promise<readonly string[]> {
  const { session, heard, conversation, found, scope } = looked;
  const { chosen, reasoner, signal, record } = taking;
  const extraction = await scratch.parts.extraction();
  const trigger = `reconstruct ${record.name}`;
  const attribution = { actor: scratch.actor, approval: 'auto', trigger, session } as const;
  return extraction.exclusively(async () => {
    const { notes } = await extractKnowledge(
      { ...extraction, reasoner },
      {
        conversation,
        chosen,
        found,
        attribution,
        scope,
        source: heard.about.source === 'import' ? 'import' : 'auto',
        options: { signal },
      },
    );
    const [first] = heard.turns;
    if (!chosen.hasJournal || first === undefined || scope !== 'shared') return notes;
    const options = { chosen, trigger, ask: { signal } };
    const about = { first, options, attribution, topic: heard.about.topic, reasoner };
    return [...notes, ...(await keepDiary(scratch, conversation, about)).notes];
  });
}

/** Every extractor there is, with its version: `facts@1`, and those the host brought along. */
function labels(context: OperationContext): Map<string, string> {
  const own = KNOWLEDGE_KINDS.map((kind): [string, string] => {
    const label = builtInLabel(kind);
    return [label.replace(/@.*$/u, ''), label];
  });
  const plugins = context.extractors.map(({ name, version }): [string, string] => [name, `${name}@${version}`]);
  const known = new Map([...own, ...plugins]);
  // The diary has no version of its own.
  for (const name of EXTRACTOR_NAMES) if (!known.has(name)) known.set(name, name);
  return known;
}

/** The names without versions; refused where there is no such extractor, or not in this version. */
export function resolveExtractors(context: OperationContext, given: readonly string[]): string[] {
  const known = labels(context);
  return [...new Set(given)].map((wanted) => {
    const name = wanted.replace(/@.*$/u, '');
    const label = known.get(name);
    if (label === undefined) {
      throw new MnemeError('not-found', `There is no extractor "${name}".`, {
        hint: `There are: ${[...known.values()].join(', ')}.`,
      });
    }
    if (wanted !== name && wanted !== label) {
      throw new MnemeError('not-found', `There is no ${wanted} here, only ${label}.`, {
        hint: 'Install the version of mneme, or bring the extractor along, that has it.',
      });
    }
    return name;
  });
}

export function versionsOf(context: OperationContext, names: readonly string[]): string[] {
  const known = labels(context);
  return names.map((name) => known.get(name) ?? name);
}

function chosenOf(context: OperationContext, names: readonly string[]): ReturnType<typeof chooseExtractors> {
  return chooseExtractors(names, context.extractors);
}
