import { sayingOf, type DerivedItem } from './derived-items.ts';

export interface ItemPair {
  readonly before: DerivedItem;
  readonly after: DerivedItem;
}

/** The result of a reconstruction compared with present knowledge. */
export interface ItemComparison {
  readonly same: readonly ItemPair[];
  /** Known now, and not found again. */
  readonly gone: readonly DerivedItem[];
  readonly added: readonly DerivedItem[];
}

/** Pairs what both say; each statement has one partner at most. */
export function compareItems(before: readonly DerivedItem[], after: readonly DerivedItem[]): ItemComparison {
  const known = Map.groupBy(before, sayingOf);
  const used = new Map<string, number>();
  const same: ItemPair[] = [];
  const added: DerivedItem[] = [];
  for (const item of after) {
    const saying = sayingOf(item);
    const taken = used.get(saying) ?? 0;
    const partner = known.get(saying)?.[taken];
    if (partner === undefined) {
      added.push(item);
      continue;
    }
    used.set(saying, taken + 1);
    same.push({ before: partner, after: item });
  }
  const paired = new Set(same.map((pair) => pair.before));
  return { same, gone: before.filter((item) => !paired.has(item)), added };
}

export interface KindCount {
  readonly before: number;
  readonly after: number;
}

/** Counts the statements of each extractor on both sides. */
export function countByExtractor(
  before: readonly DerivedItem[],
  after: readonly DerivedItem[],
): Record<string, KindCount> {
  const names = [...new Set([...before, ...after].map(({ extractor }) => extractor))].toSorted();
  const count = (items: readonly DerivedItem[], name: string): number =>
    items.filter(({ extractor }) => extractor === name).length;
  return Object.fromEntries(names.map((name) => [name, { before: count(before, name), after: count(after, name) }]));
}
