import type { StoredPassage } from '../search-index/port.ts';
import type { Ranked } from './rank.ts';

/** Passages that stand together in one document and are shown as one hit. */
export interface Group {
  /** In the document's order. */
  readonly members: readonly StoredPassage[];
  /** The best of them. */
  readonly best: Ranked;
}

/** A token for budgets that are counted before the prompt's own tokenizer is known. */
export const CHARACTERS_PER_TOKEN = 4;
/** So many in a row that do not fit end the search for something smaller. */
const MAX_MISFITS = 20;

export type MeasureGroup = (members: readonly StoredPassage[]) => number;

/**
 * Takes the best passages until the budget is used up. Neighbours share a heading, so that a passage beside one already
 * taken costs less than its length alone.
 */
export function fitBudget(ranked: readonly Ranked[], tokens: number, measure: MeasureGroup): Group[] {
  const groups = new Groups();
  let left = tokens * CHARACTERS_PER_TOKEN;
  let misfits = 0;
  for (const candidate of ranked) {
    const joined = groups.join(candidate.passage);
    const before = joined.replaced.reduce((sum, members) => sum + measure(members) + 1, 0);
    const cost = measure(joined.members) + 1 - before;
    if (cost > left) {
      misfits += 1;
      if (misfits > MAX_MISFITS) break;
      continue;
    }
    left -= cost;
    groups.add(candidate, joined.members);
  }
  return groups.list();
}

/** The best passages with their neighbours, until there are `limit` groups that stand apart. */
export function fitCount(
  ranked: readonly Ranked[],
  limit: number,
  neighboursOf: (passage: StoredPassage) => readonly StoredPassage[],
): Group[] {
  const groups = new Groups();
  for (const candidate of ranked) {
    if (groups.has(candidate.passage)) continue;
    if (groups.count >= limit && groups.join(candidate.passage).replaced.length === 0) continue;
    const around = neighboursOf(candidate.passage).filter((passage) => !groups.has(passage));
    groups.add(candidate, groups.join(candidate.passage, around).members);
  }
  return groups.list().slice(0, limit);
}

/** Runs of neighbouring passages, growing and merging. */
class Groups {
  readonly #byPassage = new Map<number, { members: readonly StoredPassage[]; best: Ranked }>();

  get count(): number {
    return new Set(this.#byPassage.values()).size;
  }

  has({ number }: StoredPassage): boolean {
    return this.#byPassage.has(number);
  }

  /** What would stand together if the passages were added, and the groups that would become part of it. */
  join(
    passage: StoredPassage,
    around: readonly StoredPassage[] = [],
  ): { readonly members: readonly StoredPassage[]; readonly replaced: readonly (readonly StoredPassage[])[] } {
    const added = [passage, ...around];
    const touching = new Set(
      added.flatMap(({ number, first, count }) =>
        [number - 1, number, number + 1]
          .filter((other) => other >= first && other < first + count)
          .flatMap((other) => this.#byPassage.get(other) ?? []),
      ),
    );
    const replaced = [...touching].map(({ members }) => members);
    const unique = new Map([...added, ...replaced.flat()].map((member) => [member.number, member]));
    return { members: [...unique.values()].sort((left, right) => left.number - right.number), replaced };
  }

  add(candidate: Ranked, members: readonly StoredPassage[]): void {
    let best = candidate;
    for (const { number } of members) {
      const earlier = this.#byPassage.get(number)?.best;
      if (earlier !== undefined && earlier.score > best.score) best = earlier;
    }
    const group = { members, best };
    for (const { number } of members) this.#byPassage.set(number, group);
  }

  /** The best first. */
  list(): Group[] {
    return [...new Set(this.#byPassage.values())].sort((left, right) => compareGroups(left, right));
  }
}

function compareGroups(left: Group, right: Group): number {
  return right.best.score - left.best.score;
}
