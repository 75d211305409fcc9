import { OUTCOMES, type Outcome } from '../src/reasoner/heuristic/kinds/finding.ts';
import type { Told } from '../bench/extract/sample.ts';

/** Of a label that another kind would fit as well, what its first kind gets. */
const FIRST_KIND = 0.65;

/** What a statement that tells these items is, as a share for each outcome. */
export function sharesOf(items: readonly Pick<Told, 'kind' | 'alsoKind'>[]): number[] {
  const shares = OUTCOMES.map(() => 0);
  const add = (outcome: Outcome, share: number): void => {
    const place = OUTCOMES.indexOf(outcome);
    shares[place] = (shares[place] ?? 0) + share;
  };
  if (items.length === 0) add('none', 1);
  for (const { kind, alsoKind = [] } of items) {
    add(kind, (alsoKind.length === 0 ? 1 : FIRST_KIND) / items.length);
    for (const also of alsoKind) add(also, (1 - FIRST_KIND) / alsoKind.length / items.length);
  }
  return shares;
}
