import type { Candidate } from '../model/knowledge.ts';
import type { Trust } from '../model/provenance.ts';
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
}

export interface Meeting {
  readonly belief: Belief;
  readonly comparison: Comparison;
}

/** What a candidate does to what is believed. */
export type Effect =
  | { readonly type: 'add'; readonly related: readonly Belief[] }
  /** It was true before something that is believed now. */
  | { readonly type: 'add-past'; readonly before: Belief }
  | { readonly type: 'reinforce'; readonly belief: Belief }
  | { readonly type: 'supersede'; readonly beliefs: readonly Belief[]; readonly reason: string }
  | { readonly type: 'retract'; readonly beliefs: readonly Belief[]; readonly reason: string }
  /** Not this speaker's to decide: a person is asked. */
  | { readonly type: 'propose'; readonly beliefs: readonly Belief[]; readonly reason: string }
  | { readonly type: 'skip'; readonly reason: string };

/**
 * DESIGN §8: the user's own statement takes effect at once and supersedes with dates; a contradiction from anybody else
 * is proposed; what is known already is confirmed; and an old statement never replaces a newer one.
 */
export function decideEffect(candidate: Candidate, meetings: readonly Meeting[]): Effect {
  const of = (...verdicts: readonly Comparison['verdict'][]): Meeting[] =>
    meetings.filter(({ comparison }) => verdicts.includes(comparison.verdict));
  const [same] = of('same');
  if (candidate.retracts !== undefined) return decideRetraction(candidate, of('same', 'replaces', 'contradicts'));
  if (same !== undefined) return confirm(candidate, same.belief);
  const rivals = of('replaces', 'contradicts');
  if (rivals.length > 0) return decideReplacement(candidate, rivals);
  return { type: 'add', related: of('refines').map(({ belief }) => belief) };
}

function confirm(candidate: Candidate, belief: Belief): Effect {
  const isItsOwnSource = citationsOf(candidate).some((citation) => belief.evidence.includes(citation));
  return isItsOwnSource
    ? { type: 'skip', reason: 'it was taken from this turn before' }
    : { type: 'reinforce', belief };
}

function decideReplacement(candidate: Candidate, rivals: readonly Meeting[]): Effect {
  const beliefs = rivals.map(({ belief }) => belief);
  const reason = rivals[0]?.comparison.reason ?? '';
  const newer = beliefs.find(({ sinceMs }) => sinceMs > candidate.saidMs);
  if (newer !== undefined) {
    return candidate.trust === 'user'
      ? { type: 'add-past', before: newer }
      : { type: 'skip', reason: 'something newer is known' };
  }
  return candidate.trust === 'user' ? { type: 'supersede', beliefs, reason } : { type: 'propose', beliefs, reason };
}

function decideRetraction(candidate: Candidate, met: readonly Meeting[]): Effect {
  const beliefs = met.map(({ belief }) => belief).filter(({ sinceMs }) => sinceMs <= candidate.saidMs);
  if (beliefs.length === 0) return { type: 'skip', reason: 'what it takes back is not known' };
  const reason = candidate.statement;
  return candidate.trust === 'user' ? { type: 'retract', beliefs, reason } : { type: 'propose', beliefs, reason };
}

/** `ses_…#t4`, the most telling turn first. */
export function citationsOf({ evidence }: Candidate): readonly string[] {
  return evidence.turns.map((turn) => `${evidence.session}#${turn}`);
}
