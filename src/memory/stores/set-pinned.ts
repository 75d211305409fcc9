import type { FileKind } from '../../workspace/formats/layout.ts';
import {
  parseMetadataLine,
  renderComment,
  splitTrailingMetadata,
  type MetadataFields,
} from '../../workspace/formats/metadata.ts';
import { cutAnchor } from '../../workspace/markdown/anchor.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { canCarryAnchor, insertBlocks, removeBlock, replaceBlock, withAnchor } from '../../workspace/markdown/edit.ts';
import { withoutFinalEol } from '../../workspace/markdown/lines.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';
import { locateMemory } from '../archive/locate.ts';

/** The text with one memory pinned or let go; undefined when the file has no such memory. */
export function setPinned(
  path: string,
  text: string,
  id: string,
  kind: FileKind,
  isPinned: boolean,
): string | undefined {
  const memory = locateMemory(path, text, id, kind);
  if (memory === undefined) return undefined;
  if (memory.isPinned === isPinned) return text;
  const document = parseDocument(text);
  const { start } = memory.range;
  const isEntry = document.blocks[start]?.kind === 'heading';
  return serializeDocument(
    isEntry ? setEntryField(document, start, 'pinned', isPinned || undefined) : inItem(document, start, id, isPinned),
  );
}

/** An entry says what it is in the line below its heading; undefined takes a field out. */
export function setEntryField(
  document: MarkdownDocument,
  heading: number,
  key: string,
  value: unknown,
): MarkdownDocument {
  const below = document.blocks.findIndex(({ kind }, index) => index > heading && kind !== 'blank');
  const line = document.blocks[below];
  const fields = line?.kind === 'html' ? parseMetadataLine(withoutFinalEol(line.raw)) : undefined;
  const left = withField(fields, key, value);
  if (fields === undefined) return insertBlocks(document, heading + 1, [renderComment(left)]);
  return left.size === 0 ? removeBlock(document, below) : replaceBlock(document, below, renderComment(left));
}

/** An item says it at its end, before its anchor; one that had none gets the id it went by. */
function inItem(document: MarkdownDocument, index: number, id: string, isPinned: boolean): MarkdownDocument {
  const block = document.blocks[index];
  if (block === undefined) return document;
  const bare = withoutFinalEol(block.raw);
  const { text, fields } = splitTrailingMetadata(cutAnchor(bare).trimEnd());
  const entries = [...withField(fields, 'pinned', isPinned || undefined)];
  const said = entries.length === 0 ? text : `${text} ${renderComment(entries, text)}`;
  return replaceBlock(document, index, canCarryAnchor(block) ? withAnchor(said, id) : said);
}

function withField(fields: MetadataFields | undefined, key: string, value: unknown): Map<string, unknown> {
  const all = new Map<string, unknown>(fields);
  all.delete(key);
  if (value !== undefined) all.set(key, value);
  return all;
}
