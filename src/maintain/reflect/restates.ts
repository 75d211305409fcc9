import type { Judge } from '../../judge/judge.ts';
import type { Restates } from './declined.ts';

/** Below this the two are of different things, and the model need not read both together. */
const NEAR = 0.5;
/** Of pairs that writers labelled the same, the model finds nineteen of twenty from here on. */
const SAME = 0.3;

/** The model takes "never on Fridays" and "not on a Friday" for opposites: of two that both deny, it only knows the matter. */
const SAME_MATTER = 0.8;
const DENIES = /\b(?:no|not|never|none|nothing|nobody|without|avoids?|cannot)\b|n['’]t\b/iu;

function bothDeny(one: string, other: string): boolean {
  return DENIES.test(one) && DENIES.test(other);
}

/** Whether a statement says a known one in other words, as the model reads them. Each known one is encoded once. */
export function createRestates(openJudge: () => Pick<Judge, 'comparePair' | 'nearestOf'>): Restates {
  const groups = new Map<string, readonly string[]>();
  return (known, text) => {
    if (known.length === 0) return false;
    const judge = openJudge();
    const asked = known.map((line) => {
      const group = groups.get(line) ?? [line];
      groups.set(line, group);
      return group;
    });
    const isSaid = (line: string): boolean => {
      const { same = 0, opposite = 0 } = judge.comparePair(line, text);
      return same >= SAME || (bothDeny(line, text) && same + opposite >= SAME_MATTER);
    };
    return judge.nearestOf(text, asked).some((nearness, at) => nearness >= NEAR && isSaid(known[at] ?? ''));
  };
}
