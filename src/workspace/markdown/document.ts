import { readFrontmatter, serializeFrontmatter } from './frontmatter.ts';
import { dominantEol, endsWithEol } from './lines.ts';
import { scanBlocks } from './scan.ts';
import type { MarkdownDocument } from './types.ts';

const BOM = '\uFEFF';

/** One write has the same text checked, indexed and looked at in turn; a few texts are all that takes. */
const MAX_REMEMBERED = 6;
const MAX_REMEMBERED_CHARS = 65_536;
const remembered = new Map<string, MarkdownDocument>();

/** Never fails: whatever the text is, its parts concatenated are the text again. */
export function parseDocument(text: string): MarkdownDocument {
  if (text.length > MAX_REMEMBERED_CHARS) return parseText(text);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const [oldest] = remembered.size >= MAX_REMEMBERED ? remembered.keys() : [];
  if (oldest !== undefined) remembered.delete(oldest);
  const document = parseText(text);
  remembered.set(text, document);
  return document;
}

function parseText(text: string): MarkdownDocument {
  const bom = text.startsWith(BOM) ? BOM : '';
  const found = readFrontmatter(text, bom.length);
  return {
    bom,
    eol: dominantEol(text),
    frontmatter: found?.frontmatter,
    blocks: scanBlocks(text, found?.end ?? bom.length),
  };
}

export function serializeDocument(doc: MarkdownDocument): string {
  return serializeHead(doc) + doc.blocks.map((block) => block.raw).join('');
}

/** Serializes the part before the body: byte-order mark and frontmatter. */
export function serializeHead(doc: MarkdownDocument): string {
  return doc.bom + (doc.frontmatter === undefined ? '' : serializeFrontmatter(doc.frontmatter));
}

/** The text of `doc` with another body, which never turns into frontmatter or runs into its closing line. */
export function serializeWithBody(doc: MarkdownDocument, body: string): string {
  const head = serializeHead(doc);
  if (doc.frontmatter !== undefined) return body === '' || endsWithEol(head) ? head + body : head + doc.eol + body;
  return readFrontmatter(body, 0) === undefined ? head + body : head + doc.eol + body;
}
