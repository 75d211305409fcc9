import { factMetadataSchema, type FactMetadata } from '../../model/schemas/item.ts';
import type { ItemDefaults } from './defaults.ts';
import { parseItem, renderItem, type Item, type Located } from './item.ts';
import type { LocatedBlock } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/**
 * A statement with its time: `- Lives in Vienna. <!-- category:home from:2026-02 learned:2026-02-16 --> ^id`. What is no
 * longer true stays, struck through and dated where a person sees it: `- ~~Lives in Berlin.~~ (until 2026-02) …`.
 */
export interface Fact extends Item<FactMetadata> {
  readonly isSuperseded: boolean;
}

const STRUCK = /^~~([\s\S]*)~~(?:\s+\(until ([\d-]+)\))?$/u;

export function parseFact(located: LocatedBlock): Fact & Located {
  const item = parseItem(located, factMetadataSchema);
  const struck = STRUCK.exec(item.text);
  if (struck === null) return { ...item, isSuperseded: false };
  const until = struck[2];
  const meta = until === undefined ? item.meta : { ...item.meta, until };
  return { ...item, text: struck[1] ?? '', meta, isSuperseded: true };
}

export function renderFact(fact: Fact, defaults: ItemDefaults): string {
  if (!fact.isSuperseded) return renderItem(fact, defaults);
  const { until, ...meta } = fact.meta;
  const date = until === undefined ? '' : ` (until ${until})`;
  return renderItem({ id: fact.id, text: `~~${oneLine(fact.text)}~~${date}`, meta }, defaults);
}

/** The fact as it stands after something newer replaced it. */
export function supersedeFact(fact: Fact, until: string, supersededBy: string | undefined): Fact {
  const meta = { ...fact.meta, until, ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }) };
  return { id: fact.id, text: fact.text, meta, isSuperseded: true };
}
