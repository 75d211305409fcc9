import { isTrustedAtLeast, type Trust } from '../model/provenance.ts';
import { itemMetadataSchema, type ItemMetadata } from '../model/schemas/item.ts';
import { resolveMetadata, type ItemDefaults } from '../workspace/formats/defaults.ts';
import { parseItem } from '../workspace/formats/item.ts';
import { visibleText } from '../workspace/formats/metadata.ts';
import { textOf, type LocatedBlock } from '../workspace/formats/sections.ts';
import { quoteText } from './fence.ts';

const LIST_MARKER = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/u;
const DAY = /^\d{4}-\d{2}-\d{2}/u;

/**
 * What a file of the user's says, quoted. Lines that are not the user's own begin with whose they are: these files are
 * told unasked and first of all, and whatever else may be written to them must not pass for the user's wish.
 */
export function attributedText(blocks: readonly LocatedBlock[], defaults: ItemDefaults): string {
  const marked = blocks.map((located) => {
    const mark = markOf(located, defaults);
    return mark === undefined ? located : { ...located, block: { ...located.block, raw: markLine(located, mark) } };
  });
  return quoteText(visibleText(textOf(marked))).trim();
}

/** Undefined for what the user wrote: people write no metadata, programs do. */
function markOf(located: LocatedBlock, defaults: ItemDefaults): string | undefined {
  const { kind } = located.block;
  if (kind !== 'item' && kind !== 'paragraph') return undefined;
  const { meta, problems } = parseItem(located, itemMetadataSchema);
  const isBare = Object.keys(meta).length === 0 && problems.length === 0;
  const trust = isBare ? (defaults.trust ?? 'user') : resolveMetadata(meta, defaults).trust;
  return trust === 'user' ? undefined : `[${[...wordsFor(trust), ...dayOf(meta)].join(', ')}]`;
}

function wordsFor(trust: Trust): string[] {
  return isTrustedAtLeast(trust, 'agent') ? [trust] : [trust, 'untrusted'];
}

function dayOf(meta: ItemMetadata & { readonly learned?: unknown }): string[] {
  const known = [meta.learned, meta.time].find((value) => typeof value === 'string');
  const day = typeof known === 'string' ? DAY.exec(known)?.[0] : undefined;
  return day === undefined ? [] : [day];
}

/** On one line, whatever characters end a line for somebody: a second line would stand there without the mark. */
function markLine({ block }: LocatedBlock, mark: string): string {
  const text = quoteText(visibleText(block.raw)).trimEnd();
  const marker = LIST_MARKER.exec(text)?.[0] ?? '';
  return `${marker}${mark} ${text.slice(marker.length).replaceAll(/\s*\n\s*/gu, ' ')}\n`;
}
