import type { Candidate, KnowledgeKind } from '../model/knowledge.ts';
import type { Trust } from '../model/provenance.ts';
import { sameWords } from '../model/same-words.ts';
import { isEarlierMinute } from '../model/time.ts';
import type { Comparison } from '../reasoner/port.ts';

/** A statement the memory holds, as far as a new one can meet it. */
export interface Belief {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly trust: Trust;
  /** When it was said, or began to hold. */
  readonly sinceMs: number;
  /** `ses_…#t4`: what it rests on. */
  readonly evidence: readonly string[];
  readonly sort: 'fact' | 'decision' | 'task' | 'procedure' | 'entry';
  /** As whoever kept it understood it. */
  readonly kind?: KnowledgeKind | undefined;
  /** The day on which it stopped to hold, for what is history; empty where nobody noted the day. */
  readonly endedOn?: string | undefined;
}

export interface Meeting {
  readonly belief: Belief;
  readonly comparison: Comparison;
}

/** The effect of a candidate on the present beliefs. */
export type Effect =
  | { readonly type: 'add'; readonly related: readonly Belief[] }
  /** It was true before something that is believed now. */
  | { readonly type: 'add-past'; readonly before: Belief }
  | { readonly type: 'reinforce'; readonly belief: Belief }
  | { readonly type: 'supersede'; readonly beliefs: readonly Belief[]; readonly reason: string }
  | { readonly type: 'retract'; readonly beliefs: readonly Belief[]; readonly reason: string }
  /** Not this speaker's to decide: a person is asked whether what would replace or take back may. */
  | {
      readonly type: 'propose';
      readonly would: 'supersede' | 'retract';
      readonly beliefs: readonly Belief[];
      readonly reason: string;
    }
  | { readonly type: 'skip'; readonly reason: string; readonly belief?: Belief | undefined };

/**
 * DESIGN §8: a statement of the user that replaces another takes effect at once and supersedes with dates; from anybody
 * else it is proposed; and an old statement never replaces a newer one. Two statements of the user that only contradict
 * each other both stay: nothing says which of them holds, or that they speak of one thing.
 */
export function decideEffect(candidate: Candidate, meetings: readonly Meeting[]): Effect {
  const of = (...verdicts: readonly Comparison['verdict'][]): Meeting[] =>
    meetings.filter(({ comparison }) => verdicts.includes(comparison.verdict));
  const contradicted = of('contradicts');
  const rivals = candidate.trust === 'user' ? of('replaces') : of('replaces', 'contradicts');
  if (rivals.length > 0) return decideReplacement(candidate, rivals);
  return { type: 'add', related: [...contradicted, ...of('same', 'refines')].map(({ belief }) => belief) };
}

/** Confirms the belief of the same words, if there is one. No other likeness, and no model's word for it, makes two one. */
export function decideConfirmation(candidate: Candidate, beliefs: readonly Belief[]): Effect | undefined {
  const belief = beliefs.find(({ text }) => sameWords(text, candidate.statement));
  return belief === undefined ? undefined : confirm(candidate, belief);
}

function confirm(candidate: Candidate, belief: Belief): Effect {
  const isItsOwnSource = citationsOf(candidate).some((citation) => belief.evidence.includes(citation));
  return isItsOwnSource
    ? { type: 'skip', reason: 'it was taken from this turn before', belief }
    : { type: 'reinforce', belief };
}

/**
 * Whether a statement is one that was taken back or replaced since: looked at again, or said before that in a
 * conversation that comes in late. What is said again afterwards holds anew.
 */
export function isHistory(candidate: Candidate, saidOn: string, belief: Belief): boolean {
  if (belief.endedOn === undefined) return false;
  const isItsOwnSource = citationsOf(candidate).some((citation) => belief.evidence.includes(citation));
  return isItsOwnSource || candidate.saidMs <= belief.sinceMs || saidOn < belief.endedOn;
}

function decideReplacement(candidate: Candidate, rivals: readonly Meeting[]): Effect {
  const beliefs = rivals.map(({ belief }) => belief);
  const reason = rivals[0]?.comparison.reason ?? '';
  const newer = beliefs.find(({ sinceMs }) => isEarlierMinute(candidate.saidMs, sinceMs));
  if (newer !== undefined) {
    return candidate.trust === 'user'
      ? { type: 'add-past', before: newer }
      : { type: 'skip', reason: 'something newer is known' };
  }
  return candidate.trust === 'user'
    ? { type: 'supersede', beliefs, reason }
    : { type: 'propose', would: 'supersede', beliefs, reason };
}

/** Decides the effect of a retraction on the belief it names. */
export function decideRetraction(candidate: Candidate, belief: Belief): Effect {
  const reason = candidate.statement;
  // A procedure is a file of its own; the newer words stand beside it and speak for themselves.
  if (belief.sort === 'procedure') return { type: 'add', related: [belief] };
  return candidate.trust === 'user'
    ? { type: 'retract', beliefs: [belief], reason }
    : { type: 'propose', would: 'retract', beliefs: [belief], reason };
}

/** `ses_…#t4`, the most telling turn first. */
export function citationsOf({ evidence }: Pick<Candidate, 'evidence'>): readonly string[] {
  return evidence.turns.map((turn) => `${evidence.session}#${turn}`);
}
