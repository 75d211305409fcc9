import type { Utterance } from '../clauses/utterance.ts';
import type { Finding, Scene } from '../kinds/finding.ts';

/** What these say takes more than one sentence: the experience and what follows from it, the steps, the mix-up. */
const REACH: Readonly<Record<string, { readonly before: number; readonly after: number }>> = {
  lesson: { before: 1, after: 1 },
  procedure: { before: 0, after: 2 },
  correction: { before: 0, after: 2 },
};
/** A new thought, a question or an aside is not part of it. */
const APART = new Set(['btw', 'by', 'also', 'oh', 'anyway', 'one', 'another']);

export interface Surroundings {
  readonly before: readonly Utterance[];
  readonly after: readonly Utterance[];
}

/** The sentences of the same line that belong to a statement. */
export function surroundingsOf({ kind, heard, text }: Finding, scene: Scene): Surroundings {
  const reach = REACH[kind];
  const { utterance } = heard;
  if (reach === undefined || text !== undefined) return { before: [], after: [] };
  const turn = scene.turns[utterance.turnIndex] ?? [];
  const before: Utterance[] = [];
  for (let index = utterance.index - 1; index >= utterance.index - reach.before; index -= 1) {
    const each = turn[index];
    if (each === undefined || !belongs(each, utterance) || startsAnew(utterance)) break;
    before.unshift(each);
  }
  const after: Utterance[] = [];
  for (let index = utterance.index + 1; index <= utterance.index + reach.after; index += 1) {
    const each = turn[index];
    if (each === undefined || !belongs(each, utterance) || startsAnew(each)) break;
    after.push(each);
  }
  return { before, after };
}

function belongs(each: Utterance, utterance: Utterance): boolean {
  return !each.isAsked && each.line === utterance.line && each.text !== '';
}

function startsAnew({ openers }: Utterance): boolean {
  return openers.some((opener) => APART.has(opener.split(' ')[0] ?? ''));
}
