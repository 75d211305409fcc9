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
/** After this many passages in a row that do not fit, the search for a smaller one ends. */
const MAX_MISFITS = 20;

/** A hit of more turns than this is a transcript, not an answer. */
const MAX_GROUP = 8;

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
    if (groups.count >= limit) break;
    const { passage } = candidate;
    if (groups.has(passage)) continue;
    const around = neighboursOf(passage).filter((other) => !groups.has(other) && belongTogether(passage, other));
    const joined = groups.join(passage, around);
    const isTooLong = joined.replaced.length > 0 && joined.members.length > MAX_GROUP;
    if (!isTooLong) groups.add(candidate, joined.members);
  }
  return groups.list();
}

/**
 * Whether two neighbours may be shown as one: pieces of one item, or turns of one conversation. Items that merely stand
 * below each other are memories of their own, and what is not trusted alike must never look as if it were.
 */
function belongTogether(left: StoredPassage, right: StoredPassage): boolean {
  // A turn's words and what its tools gave back share an id and nothing else.
  if (left.id === right.id) return left.trust === right.trust;
  if (left.turn === undefined || right.turn === undefined) return false;
  return left.trust === right.trust || (isOwn(left) && isOwn(right));
}

function isOwn({ trust }: StoredPassage): boolean {
  return trust === 'user' || trust === 'agent';
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

  /** The group that would result if the passages were added, and the groups that would become part of it. */
  join(
    passage: StoredPassage,
    around: readonly StoredPassage[] = [],
  ): { readonly members: readonly StoredPassage[]; readonly replaced: readonly (readonly StoredPassage[])[] } {
    const added = [passage, ...around];
    const touching = new Set(
      added.flatMap((one) =>
        [one.number - 1, one.number, one.number + 1].flatMap((number) => {
          const group = this.#byPassage.get(number);
          const neighbour = group?.members.find((member) => member.number === number);
          return group === undefined || neighbour === undefined || !isNeighbour(one, neighbour) ? [] : [group];
        }),
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

function isNeighbour(one: StoredPassage, other: StoredPassage): boolean {
  return one.first === other.first && belongTogether(one, other);
}

function compareGroups(left: Group, right: Group): number {
  return right.best.score - left.best.score;
}
