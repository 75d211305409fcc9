import type { Trust } from '../../../model/provenance.ts';
import { extractTerms } from '../../../search-index/text/terms.ts';
import type { EpisodeFile } from '../../../workspace/formats/episode.ts';
import { fileStem } from '../../../workspace/formats/layout.ts';

/** One thing that was done on the way. */
export interface DoneStep {
  /** The sign by which it is recognised in another conversation: `Bash npm test`. */
  readonly sign: string;
  /** As it was done. */
  readonly text: string;
}

/** A request, what was done about it, and how it ended. */
export interface Attempt {
  /** The conversation or day: two attempts in one are no repetition. */
  readonly where: string;
  /** Such as `ses_a1b2#t4`. */
  readonly source: string;
  readonly request: string;
  readonly steps: readonly DoneStep[];
  readonly wentWell: boolean;
  readonly trust: Trust;
}

const GOOD = /^(?:success|succeeded|good|done|worked|positive|ok|completed|resolved|erfolg)/iu;
const BETWEEN = /\s*(?:→|->|;|\n|\bthen\b|\bafter that\b|\bfinally\b|\bdann\b)\s*/iu;
const NUMBERED = /(?:^|\s)\d+[.)]\s+/u;

/** Entries that tell how something was done, step by step, and say how it came out. */
export function attemptsInEpisodes(file: EpisodeFile, path: string): Attempt[] {
  return file.entries.flatMap(({ text, title, meta, id, time }) => {
    const outcome = meta.outcome ?? '';
    const { request, steps } = splitSteps(text);
    if (outcome === '' || steps.length < 2) return [];
    const at = id === undefined ? `${fileStem(path)} ${time ?? ''}`.trim() : `${fileStem(path)}#^${id}`;
    const trust = meta.trust ?? file.defaults.trust ?? 'agent';
    return [{ where: at, source: at, request: title ?? request, steps, wentWell: GOOD.test(outcome), trust }];
  });
}

/** `Deployed the shop: ran the tests → pushed a tag` → what it was, and the steps. */
function splitSteps(text: string): { readonly request: string; readonly steps: DoneStep[] } {
  const [, head = '', rest = text] = /^([^:\n]{3,80}):\s+([\s\S]+)$/u.exec(text) ?? [];
  const parts = (NUMBERED.test(rest) ? rest.split(NUMBERED) : rest.split(BETWEEN)).map((part) =>
    part.replaceAll(/^[\s,.-]+|[\s,.;]+$/gu, ''),
  );
  const steps = parts.flatMap((part) => {
    const sign = extractTerms(part).slice(0, 4).sort().join(' ');
    return sign === '' ? [] : [{ sign, text: part }];
  });
  return { request: head, steps };
}
