import { isTrustedAtLeast, lowestTrust, type Trust } from '../model/provenance.ts';
import { itemMetadataSchema, type ItemMetadata } from '../model/schemas/item.ts';
import { resolveMetadata, type ItemDefaults } from '../workspace/formats/defaults.ts';
import { parseItem } from '../workspace/formats/item.ts';
import { parseMetadataLine, readMetadata, visibleText } from '../workspace/formats/metadata.ts';
import { textOf, type LocatedBlock } from '../workspace/formats/sections.ts';
import { quoteText } from './fence.ts';

const LINE_MARKER = /^[ \t]*(?:[-*+]|#{1,6}|\d{1,9}[.)])[ \t]+/u;
const DAY = /^\d{4}-\d{2}-\d{2}/u;

/**
 * Quotes the text of a user's file. Lines that are not the user's own begin with their source: these files are
 * told unasked and first of all, and whatever else may be written to them must not pass for the user's wish.
 */
export function attributedText(blocks: readonly LocatedBlock[], defaults: ItemDefaults): string {
  const trusts = trustOfBlocks(blocks, defaults);
  const marked = blocks.map((located, at) => {
    const mark = markFor(trusts[at] ?? 'user', located);
    return mark === undefined ? located : { ...located, block: { ...located.block, raw: markLines(located, mark) } };
  });
  return quoteText(visibleText(textOf(marked))).trim();
}

/** Of a heading that stands apart from its blocks, with whose it is. */
export function attributedTitle(title: string, trust: Trust): string {
  return trust === 'user' ? quoteText(title) : `[${wordsFor(trust).join(', ')}] ${quoteText(title)}`;
}

/**
 * The trust of each block: as its metadata says, or the metadata comment on the line above it where a block cannot end in
 * one; without any, the user's. People write no metadata, programs do, and the write path writes it for agents that do not.
 */
export function trustOfBlocks(blocks: readonly LocatedBlock[], defaults: ItemDefaults): Trust[] {
  let above: Trust | undefined;
  return blocks.map((located) => {
    const { kind, raw } = located.block;
    if (kind === 'blank') return 'user';
    const comment = kind === 'html' || kind === 'paragraph' ? parseMetadataLine(raw) : undefined;
    if (comment !== undefined) {
      above = resolveMetadata(readMetadata(itemMetadataSchema, comment).meta, defaults).trust;
      return 'user';
    }
    const trust = lowestTrust([ownTrust(located, defaults), above ?? 'user']);
    above = undefined;
    return trust;
  });
}

function ownTrust(located: LocatedBlock, defaults: ItemDefaults): Trust {
  const usual = defaults.trust ?? 'user';
  if (located.block.kind !== 'item' && located.block.kind !== 'paragraph') return usual;
  const { meta, problems } = parseItem(located, itemMetadataSchema);
  const isBare = Object.keys(meta).length === 0 && problems.length === 0;
  return isBare ? usual : resolveMetadata(meta, defaults).trust;
}

function markFor(trust: Trust, located: LocatedBlock): string | undefined {
  if (trust === 'user') return undefined;
  const { meta } = parseItem(located, itemMetadataSchema);
  return `[${[...wordsFor(trust), ...dayOf(meta)].join(', ')}]`;
}

function wordsFor(trust: Trust): string[] {
  return isTrustedAtLeast(trust, 'agent') ? [trust] : [trust, 'untrusted'];
}

function dayOf(meta: ItemMetadata & { readonly learned?: unknown }): string[] {
  const known = [meta.learned, meta.time].find((value) => typeof value === 'string');
  const day = typeof known === 'string' ? DAY.exec(known)?.[0] : undefined;
  return day === undefined ? [] : [day];
}

/**
 * Words on one line, whatever characters end a line for somebody: a second line would stand there without the mark. Code
 * and tables keep their lines, each with the mark.
 */
function markLines({ block }: LocatedBlock, mark: string): string {
  const text = quoteText(visibleText(block.raw)).trimEnd();
  if (text === '') return block.raw;
  if (block.kind === 'fence' || block.kind === 'table' || block.kind === 'html') {
    return `${text
      .split(/\s*\n/u)
      .map((line) => `${mark} ${line}`)
      .join('\n')}\n`;
  }
  const marker = LINE_MARKER.exec(text)?.[0] ?? '';
  return `${marker}${mark} ${text.slice(marker.length).replaceAll(/\s*\n\s*/gu, ' ')}\n`;
}
