import type { Attempt, DoneStep } from './attempts.ts';

/** The same steps in the same order, in several conversations. */
export interface Sequence {
  readonly signs: readonly string[];
  /** Where it went well, one for each conversation. */
  readonly good: readonly Occurrence[];
  /** Where it did not. */
  readonly bad: readonly Occurrence[];
}

export interface Occurrence {
  readonly attempt: Attempt;
  readonly steps: readonly DoneStep[];
}

const MIN_STEPS = 2;
/** Longer ones are found by their parts; and a list of more steps is a story, not a procedure. */
const MAX_STEPS = 12;
/** Each is compared with each; nobody reads through as many. */
const MAX_COMPARED = 1000;

/** Step sequences that went well in at least `minRepeats` conversations; parts of longer ones are left out. */
export function findSequences(attempts: readonly Attempt[], minRepeats: number): Sequence[] {
  const byKey = new Map<string, { signs: readonly string[]; found: Map<string, Occurrence> }>();
  for (const attempt of attempts) {
    const steps = withoutRepetition(attempt.steps);
    for (let from = 0; from < steps.length; from += 1) {
      for (let length = MIN_STEPS; length <= MAX_STEPS && from + length <= steps.length; length += 1) {
        const part = steps.slice(from, from + length);
        const signs = part.map(({ sign }) => sign);
        if (new Set(signs).size < MIN_STEPS) continue;
        const key = signs.join('\n');
        const known = byKey.get(key) ?? { signs, found: new Map<string, Occurrence>() };
        const earlier = known.found.get(attempt.where);
        // Of a conversation that tried twice, the time it went well counts.
        if (earlier === undefined || !earlier.attempt.wentWell)
          known.found.set(attempt.where, { attempt, steps: part });
        byKey.set(key, known);
      }
    }
  }
  const frequent = [...byKey.values()]
    .map(toSequence)
    .filter(({ good, bad }) => good.length >= minRepeats && good.length > bad.length);
  return withoutParts(frequent);
}

function toSequence({ signs, found }: { signs: readonly string[]; found: ReadonlyMap<string, Occurrence> }): Sequence {
  const all = [...found.values()];
  return {
    signs,
    good: all.filter(({ attempt }) => attempt.wentWell),
    bad: all.filter(({ attempt }) => !attempt.wentWell),
  };
}

/** The same step several times in a row is one that had to be repeated. */
function withoutRepetition(steps: readonly DoneStep[]): DoneStep[] {
  return steps.filter(({ sign }, index) => sign !== steps[index - 1]?.sign);
}

/** The longest first; a part stays only where it happened clearly more often than the whole. */
function withoutParts(sequences: readonly Sequence[]): Sequence[] {
  const kept: Sequence[] = [];
  const byLength = [...sequences]
    .sort((left, right) => right.good.length * right.signs.length - left.good.length * left.signs.length)
    .slice(0, MAX_COMPARED)
    .sort((left, right) => right.signs.length - left.signs.length || right.good.length - left.good.length);
  for (const sequence of byLength) {
    const isPart = kept.some(
      (whole) => contains(whole.signs, sequence.signs) && sequence.good.length < 2 * whole.good.length,
    );
    if (!isPart) kept.push(sequence);
  }
  return kept;
}

function contains(whole: readonly string[], part: readonly string[]): boolean {
  return `\n${whole.join('\n')}\n`.includes(`\n${part.join('\n')}\n`);
}
