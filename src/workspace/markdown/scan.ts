import { findAnchor } from './anchor.ts';
import { columnAfter, readLines, withoutFinalEol, type Line } from './lines.ts';
import type { Block, BlockKind } from './document.ts';

/**
 * Cuts a Markdown body into blocks, in one pass over its lines. Where a block ends depends only on the text from its
 * first line on, never on what stands before it: that lets edits and merges check a seam by scanning two neighbours.
 */

/** The block that a line begins when no other block is open; `text` begins a paragraph or a table. */
type Opening = Exclude<BlockKind, 'paragraph' | 'table'> | 'quote' | 'text';

const HEADING = /^(#{1,6})(?:[ \t]|$)/;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM_MARKER = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;
const DELIMITER_ROW = /^[ \t|:-]+$/;
const RAW_TEXT_TAG = /^<(script|pre|style|textarea)(?=[\s>]|$)/i;
const TAG = /^<\/?([a-z][a-z0-9]*)(?=[\s/>]|$)/i;

/** The tags that begin an HTML block in CommonMark. */
const BLOCK_TAGS: ReadonlySet<string> = new Set(
  [
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl',
    'dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend',
    'li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td',
    'tfoot th thead title tr track ul',
  ].flatMap((line) => line.split(' ')),
);

/** Indented this far, a line is code in CommonMark and opens neither heading, fence, rule nor HTML. */
const CODE_INDENT = 4;

export function scanBlocks(text: string, from = 0): Block[] {
  const lines = readLines(text, from);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const { kind, level, end } = readBlock(lines, at);
    const raw = text.slice(lines[at]?.start, lines[end - 1]?.end);
    const id = kind === 'paragraph' || kind === 'item' ? findAnchor(raw) : undefined;
    blocks.push({ kind, raw, id, level });
    at = end;
  }
  return blocks;
}

interface BlockExtent {
  readonly kind: BlockKind;
  readonly level: number;
  /** The index of the first line behind the block. */
  readonly end: number;
}

function readBlock(lines: readonly Line[], at: number): BlockExtent {
  const line = lines[at];
  if (line === undefined) return { kind: 'blank', level: 0, end: at + 1 };
  const opening = openingOf(line);
  switch (opening) {
    case 'blank':
      return { kind: 'blank', level: 0, end: skipBlank(lines, at) };
    case 'heading':
      return { kind: 'heading', level: HEADING.exec(line.text)?.[1]?.length ?? 1, end: at + 1 };
    case 'rule':
      return { kind: 'rule', level: 0, end: at + 1 };
    case 'fence':
      return { kind: 'fence', level: 0, end: fenceEnd(lines, at, line.text, 0) };
    case 'html':
      return { kind: 'html', level: 0, end: htmlEnd(lines, at) };
    case 'item':
      return { kind: 'item', level: line.indent, end: itemEnd(lines, at, line) };
    default:
      if (startsTable(lines, at)) return { kind: 'table', level: 0, end: tableEnd(lines, at) };
      return { kind: 'paragraph', level: 0, end: paragraphEnd(lines, at, opening === 'quote') };
  }
}

function openingOf(line: Line): Opening {
  const { text } = line;
  const shallow = line.indent < CODE_INDENT;
  switch (text[0]) {
    case undefined:
      return 'blank';
    case '#':
      return shallow && HEADING.test(text) ? 'heading' : 'text';
    case '`':
    case '~':
      return shallow && FENCE.test(text) ? 'fence' : 'text';
    case '<':
      return shallow && htmlCloser(text) !== undefined ? 'html' : 'text';
    case '>':
      return shallow ? 'quote' : 'text';
    case '_':
    case '*':
    case '-':
      if (shallow && RULE.test(text)) return 'rule';
      return ITEM_MARKER.test(text) ? 'item' : 'text';
    default:
      return ITEM_MARKER.test(text) ? 'item' : 'text';
  }
}

function skipBlank(lines: readonly Line[], from: number): number {
  let at = from;
  while (lines[at]?.text === '') at += 1;
  return at;
}

/**
 * The line behind a fence. Inside an item (`minIndent` > 0) the fence also ends where the item does: at a line that is
 * indented less, or before the blank lines at the end.
 */
function fenceEnd(lines: readonly Line[], at: number, opener: string, minIndent: number): number {
  const marker = fenceMarker(opener);
  let end = at + 1;
  for (let next = end; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || (line.text !== '' && line.indent < minIndent)) return end;
    if (line.indent < minIndent + CODE_INDENT && closesFence(line.text, marker)) return next + 1;
    if (line.text !== '' || minIndent === 0) end = next + 1;
  }
  return end;
}

function closesFence(text: string, marker: string): boolean {
  if (!text.startsWith(marker)) return false;
  const run = text.trimEnd();
  return run === marker.slice(0, 1).repeat(run.length);
}

function fenceMarker(opener: string): string {
  const fence = FENCE.exec(opener);
  return fence?.[1] ?? fence?.[2] ?? '```';
}

/**
 * Returns the end of an HTML block: a string, or '' for a blank line; undefined when the line opens no HTML block.
 * Inline tags such as `<b>` stay paragraphs, so that they can carry anchors.
 */
function htmlCloser(text: string): string | undefined {
  if (text.startsWith('<!--')) return '-->';
  if (text.startsWith('<?')) return '?>';
  if (text.startsWith('<![CDATA[')) return ']]>';
  if (/^<![A-Za-z]/.test(text)) return '>';
  const rawTextTag = RAW_TEXT_TAG.exec(text)?.[1];
  if (rawTextTag !== undefined) return `</${rawTextTag.toLowerCase()}>`;
  return BLOCK_TAGS.has(TAG.exec(text)?.[1]?.toLowerCase() ?? '') ? '' : undefined;
}

function htmlEnd(lines: readonly Line[], at: number): number {
  const closer = htmlCloser(lines[at]?.text ?? '') ?? '';
  for (let next = at; next < lines.length; next += 1) {
    const text = lines[next]?.text ?? '';
    if (closer === '' && text === '') return next;
    if (closer !== '' && text.toLowerCase().includes(closer.toLowerCase())) return next + 1;
  }
  return lines.length;
}

function startsTable(lines: readonly Line[], at: number): boolean {
  const delimiters = lines[at + 1]?.text ?? '';
  if (!delimiters.includes('|') || !delimiters.includes('-') || !DELIMITER_ROW.test(delimiters)) return false;
  return lines[at]?.text.includes('|') ?? false;
}

function tableEnd(lines: readonly Line[], at: number): number {
  let next = at + 2;
  for (let line = lines[next]; line !== undefined && openingOf(line) === 'text'; line = lines[next]) next += 1;
  return next;
}

function paragraphEnd(lines: readonly Line[], at: number, isQuote: boolean): number {
  let next = at + 1;
  for (let line = lines[next]; line !== undefined; line = lines[next]) {
    const opening = openingOf(line);
    const goesOn =
      opening === 'text' || (opening === 'quote' && isQuote) || (opening === 'item' && !mayInterruptParagraph(line));
    if (!goesOn || startsTable(lines, next)) return next;
    next += 1;
  }
  return next;
}

/** CommonMark's guard against prose such as "…was born in\n1984. It was": only a bullet or a 1, with text, interrupts. */
function mayInterruptParagraph(line: Line): boolean {
  const marker = ITEM_MARKER.exec(line.text);
  if (marker === null || line.indent >= CODE_INDENT) return false;
  if (line.text.slice(marker[0].length).trim() === '') return false;
  return marker[1] === undefined || Number(marker[1]) === 1;
}

/** An item owns its indented and lazy continuation lines, its fences, and blank lines that more of it follows. */
function itemEnd(lines: readonly Line[], at: number, first: Line): number {
  const { contentColumn, content } = itemContent(first);
  let next = at + 1;
  let takesLazyLines = content !== '';
  if (FENCE.test(content)) {
    next = fenceEnd(lines, at, content, contentColumn);
    takesLazyLines = false;
  }
  while (next < lines.length) {
    const lineAt = skipBlank(lines, next);
    const line = lines[lineAt];
    if (line === undefined || ITEM_MARKER.test(line.text)) return next;
    if (line.indent >= contentColumn) {
      const opensFence = FENCE.test(line.text);
      next = opensFence ? fenceEnd(lines, lineAt, line.text, contentColumn) : lineAt + 1;
      takesLazyLines = !opensFence;
    } else {
      const isLazy = takesLazyLines && lineAt === next && openingOf(line) === 'text' && !startsTable(lines, lineAt);
      if (!isLazy) return next;
      next += 1;
    }
  }
  return next;
}

/** Where an item's text begins: its continuation lines are indented at least as far. */
function itemContent(line: Line): { contentColumn: number; content: string } {
  const markerLength = ITEM_MARKER.exec(line.text)?.[0].length ?? 1;
  const afterMarker = line.indent + markerLength;
  let column = afterMarker;
  let offset = markerLength;
  while (line.text[offset] === ' ' || line.text[offset] === '\t') {
    column = columnAfter(line.text.charCodeAt(offset), column);
    offset += 1;
  }
  const content = line.text.slice(offset);
  // More than four columns of space mean indented code, and an empty item has no text to align with.
  const isAligned = content !== '' && column - afterMarker <= CODE_INDENT;
  return { contentColumn: isAligned ? column : afterMarker + 1, content };
}

/** The line that ends a fence or HTML block which its author left open; undefined when nothing is open. */
export function findMissingCloser(block: Block): string | undefined {
  const isOpen = scanBlocks(`${withoutFinalEol(block.raw)}\n\n.`).length === 1;
  const opener = readLines(block.raw)[0]?.text;
  if (!isOpen || opener === undefined) return undefined;
  if (block.kind === 'fence') return fenceMarker(opener);
  return block.kind === 'html' ? htmlCloser(opener) : undefined;
}
