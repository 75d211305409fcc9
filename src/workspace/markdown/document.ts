import { readFrontmatter, serializeFrontmatter } from './frontmatter.ts';
import { dominantEol, endsWithEol } from './lines.ts';
import { scanBlocks } from './scan.ts';

/**
 * A Markdown file as the write path sees it: a list of blocks that, concatenated, are the file to the byte. A block is what
 * a person thinks of as one thing — a frontmatter key, a heading line, a list item, a paragraph, a fence — and is the
 * unit of merging, identity and undo.
 */

export type BlockKind = 'heading' | 'item' | 'paragraph' | 'fence' | 'table' | 'html' | 'rule' | 'blank';

export interface Block {
  readonly kind: BlockKind;
  /** The exact source of the block, line ends included. Blank lines are blocks of their own. */
  readonly raw: string;
  /** The anchor `^id` at the end of the block, without the caret; never on a heading. */
  readonly id: string | undefined;
  /** Heading level 1–6; for an item its indentation in columns; otherwise 0. */
  readonly level: number;
}

/** One top-level key of the frontmatter with the comments and blank lines that precede it. */
export interface FrontmatterEntry {
  /** undefined for trailing comments and anything that is not a plain `key:` line. */
  readonly key: string | undefined;
  readonly raw: string;
}

export interface Frontmatter {
  /** The opening `---` line, exact. */
  readonly open: string;
  readonly entries: readonly FrontmatterEntry[];
  /** The closing `---` (or `...`) line, exact. */
  readonly close: string;
  /** The parsed mapping; undefined when the YAML is broken or not a mapping (then `error` says why). */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  readonly error: string | undefined;
}

export interface MarkdownDocument {
  /** A byte-order mark, kept apart so that `---` is still recognised behind it. */
  readonly bom: '' | '\uFEFF';
  /** The file's dominant line end: what newly written lines use. */
  readonly eol: '\n' | '\r\n';
  readonly frontmatter: Frontmatter | undefined;
  readonly blocks: readonly Block[];
}

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
