import { itemDefaults, resolveMetadata } from '../../workspace/formats/defaults.ts';
import { documentTitle } from '../../workspace/formats/sections.ts';
import { fileStem, type FileKind } from '../../workspace/formats/layout.ts';
import { renderFrontmatter } from '../../workspace/markdown/frontmatter.ts';
import { headingText } from '../../workspace/markdown/blocks.ts';
import { withoutFinalEol } from '../../workspace/markdown/lines.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import { isContent, rawOf } from './cut.ts';
import { asFrontmatter, type ArchiveRecord } from './record.ts';

/** Keys of the file it stood in that an item means little without: whose fact it is, of which day, how far trusted. */
const INHERITED: ReadonlySet<string> = new Set([
  'type',
  'name',
  'date',
  'period',
  'source',
  'trust',
  'session',
  'importance',
  'confidence',
  'scope',
]);

/** Kinds whose keys mean the same in the archive; elsewhere `type: memory` would be wrong. */
const KEEPS_KEYS: ReadonlySet<FileKind> = new Set(['entity', 'episode', 'journal', 'reference']);

/** The file that one archived item becomes: still of its kind, so that search shows it as what it was. */
export function renderItemFile(
  origin: { readonly path: string; readonly kind: FileKind; readonly document: MarkdownDocument },
  source: string,
  record: ArchiveRecord,
): string {
  const { path, kind, document } = origin;
  const values = document.frontmatter?.values ?? {};
  const inherited = KEEPS_KEYS.has(kind) ? Object.entries(values).filter(([key]) => INHERITED.has(key)) : [];
  const keys = Object.fromEntries(inherited);
  const title = documentTitle(document) ?? fileStem(path);
  if (kind === 'entity') keys['name'] ??= title;
  // An item from core memory becomes a note, and keeps its trust.
  if (!KEEPS_KEYS.has(kind))
    Object.assign(keys, { title, trust: resolveMetadata({}, itemDefaults(kind, values)).trust });
  const heading = record.under === undefined ? '' : `## ${record.under}\n\n`;
  return `${renderFrontmatter({ ...keys, ...asFrontmatter(record) })}\n${heading}${source}\n`;
}

/** The item as it stands in its file of the archive, with what a person changed there. */
export function readItemSource(document: MarkdownDocument, record: ArchiveRecord): string {
  const { blocks } = document;
  const first = blocks.findIndex(isContent);
  const block = blocks[first];
  const isHeading = record.under !== undefined && block?.kind === 'heading' && headingText(block) === record.under;
  const start = isHeading ? blocks.findIndex((next, index) => index > first && isContent(next)) : first;
  const end = blocks.findLastIndex(isContent) + 1;
  return start === -1 ? '' : withoutFinalEol(rawOf(blocks, start, end));
}
