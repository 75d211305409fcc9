import { itemText } from '../../workspace/formats/item.ts';
import { JOURNAL_SECTIONS } from '../../workspace/formats/journal.ts';
import { appendInOrder, findSection, sectionsOf } from '../../workspace/formats/sections.ts';
import { replaceBlock } from '../../workspace/markdown/edit.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';

const ORDER: readonly string[] = Object.values(JOURNAL_SECTIONS).map(([name]) => name);

/** A journal with these counts in it. Lines of the same name follow; a person's own lines stay. */
export function withCounts(text: string, counts: Readonly<Record<string, number>>): string {
  let document = parseDocument(text);
  for (const [name, count] of Object.entries(counts)) document = setCount(document, name, count);
  return serializeDocument(document);
}

function setCount(document: MarkdownDocument, name: string, count: number): MarkdownDocument {
  const line = `- ${name}: ${count}`;
  const [title, ...others] = JOURNAL_SECTIONS.counts;
  const section = findSection(sectionsOf(document), title, ...others);
  const start = (section?.heading ?? -1) + 1;
  const end = start + (section?.blocks.length ?? 0);
  const at = document.blocks.findIndex(
    (block, index) =>
      index >= start && index < end && block.kind === 'item' && itemText(block).toLowerCase().startsWith(`${name}:`),
  );
  const known = document.blocks[at];
  if (known !== undefined) return itemText(known) === line.slice(2) ? document : replaceBlock(document, at, line);
  return count === 0 ? document : appendInOrder(document, title, ORDER, line, others);
}
