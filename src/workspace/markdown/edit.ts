import { cutAnchor } from './anchor.ts';
import { sectionRange } from './blocks.ts';
import { type Block, type MarkdownDocument, parseDocument, serializeWithBody } from './document.ts';
import { dominantEol, endsWithEol, withEol, withoutFinalEol } from './lines.ts';
import { findMissingCloser, scanBlocks } from './scan.ts';

/**
 * Edits of a document's body. Each returns the document parsed anew from the edited text, so that its blocks are those
 * any reader of the file would see. Bytes outside the edit and the blank lines around it never change.
 */

type Eol = MarkdownDocument['eol'];

/** Replaces one block. The text may hold several blocks; blank text removes the block. */
export function replaceBlock(doc: MarkdownDocument, index: number, raw: string): MarkdownDocument {
  const old = doc.blocks[index];
  if (old === undefined || old.raw === raw) return doc;
  const source = cleanSource(raw, doc.eol);
  if (source === '') return removeBlock(doc, index);
  const left = leftOf(doc, index);
  const right = rightOf(doc, index + 1);
  const start = left.block === undefined ? left.gap : separate(left.source, left.gap, source, doc.eol);
  const oldEol = finalEol(old.raw);
  const end =
    right.block === undefined ? oldEol + right.gap : separate(source, oldEol + right.gap, right.source, doc.eol);
  return withBody(doc, left.rest + left.source + start + source + end + right.source + right.rest);
}

/** Removes one block and, where it stood between blank lines, one side of them. */
export function removeBlock(doc: MarkdownDocument, index: number): MarkdownDocument {
  if (doc.blocks[index] === undefined) return doc;
  const left = leftOf(doc, index);
  const right = rightOf(doc, index + 1);
  if (left.block === undefined) return withBody(doc, left.gap + right.source + right.rest);
  if (right.block === undefined) return withBody(doc, left.rest + left.source + firstEol(left.gap) + right.gap);
  const eol = firstEol(left.gap);
  const gap = left.gap.length - eol.length > right.gap.length ? left.gap : eol + right.gap;
  const seam = separate(left.source, gap, right.source, doc.eol);
  return withBody(doc, left.rest + left.source + seam + right.source + right.rest);
}

/** Inserts before the block at `index`; items beside items stay a tight list, anything else gets a blank line. */
export function insertBlocks(doc: MarkdownDocument, index: number, raws: readonly string[]): MarkdownDocument {
  const source = joinSources(raws, doc.eol);
  if (source === '') return doc;
  const at = Math.min(Math.max(index, 0), doc.blocks.length);
  const left = leftOf(doc, at);
  const right = rightOf(doc, at);
  const start = left.block === undefined ? left.gap : spaced(left.source, left.gap, source, doc.eol);
  const end =
    right.block === undefined ? doc.eol + right.gap : spaced(source, doc.eol + right.gap, right.source, doc.eol);
  return withBody(doc, left.rest + left.source + start + source + end + right.source + right.rest);
}

export function appendBlock(doc: MarkdownDocument, raw: string): MarkdownDocument {
  return insertBlocks(doc, doc.blocks.length, [raw]);
}

/**
 * Appends to the text directly under a heading, before its first sub-heading. A missing section is made at the end of
 * the file, on level 2 unless the heading is given with its marks (`### Facts`).
 */
export function appendToSection(doc: MarkdownDocument, heading: string, raw: string): MarkdownDocument {
  const section = sectionRange(doc, heading);
  if (section === undefined) {
    const headingLine = /^#{1,6}[ \t]/.test(heading) ? heading : `## ${heading}`;
    return insertBlocks(doc, doc.blocks.length, [headingLine, raw]);
  }
  const body = doc.blocks.slice(section.start + 1, section.end);
  const subHeading = body.findIndex((block) => block.kind === 'heading');
  const own = subHeading === -1 ? body : body.slice(0, subHeading);
  return insertBlocks(doc, section.start + 2 + own.findLastIndex((block) => block.kind !== 'blank'), [raw]);
}

/** Whether a block can end in an anchor; headings never carry one, and elsewhere it would become content. */
export function canCarryAnchor(block: Block): boolean {
  return block.kind === 'paragraph' || block.kind === 'item';
}

/** The source with `^id` at the end of its last block, in place of an anchor there; unchanged where none can stand. */
export function withAnchor(raw: string, id: string): string {
  const blocks = scanBlocks(raw);
  const last = blocks.findLastIndex((block) => block.kind !== 'blank');
  const block = blocks[last];
  if (block === undefined || !canCarryAnchor(block)) return raw;
  const text = withoutFinalEol(cutAnchor(block.raw));
  const inLine = `${text} ^${id}`;
  const ownLine = `${text}${dominantEol(raw)}${continuationIndent(block)}^${id}`;
  // A fence that ends an item would stay open if its last line went on: there the anchor takes the next line.
  const lastLineGoesOn = scanBlocks(`${text}\n.`).length === 1;
  const candidates = lastLineGoesOn ? [inLine, ownLine] : [ownLine];
  const anchored = candidates.find((candidate) => isAnchoredBlock(candidate, block.kind, id));
  if (anchored === undefined) return raw;
  return joinRaw(blocks.slice(0, last)) + anchored + finalEol(block.raw) + joinRaw(blocks.slice(last + 1));
}

/** The source without the anchor of its last block. */
export function withoutAnchor(raw: string): string {
  const blocks = scanBlocks(raw);
  const last = blocks.findLastIndex((block) => block.kind !== 'blank');
  return blocks
    .map((block, index) => (index === last && block.id !== undefined ? cutAnchor(block.raw) : block.raw))
    .join('');
}

function isAnchoredBlock(source: string, kind: Block['kind'], id: string): boolean {
  const [block, ...more] = scanBlocks(source);
  return more.length === 0 && block?.kind === kind && block.id === id;
}

function continuationIndent(block: Block): string {
  if (block.kind !== 'item') return '';
  const marker = /^([ \t]*)([-*+]|\d{1,9}[.)])/.exec(block.raw);
  return `${marker?.[1] ?? ''}${' '.repeat((marker?.[2]?.length ?? 1) + 1)}`;
}

/** One side of an edit: the nearest block with content, the blank lines up to the edit, the rest. */
interface Side {
  readonly block: Block | undefined;
  readonly source: string;
  readonly gap: string;
  readonly rest: string;
}

function leftOf(doc: MarkdownDocument, index: number): Side {
  const before = doc.blocks.slice(0, index);
  const at = before.findLastIndex((block) => block.kind !== 'blank');
  const block = before[at];
  const source = withoutFinalEol(block?.raw ?? '');
  const gap = finalEol(block?.raw ?? '') + joinRaw(before.slice(at + 1));
  return { block, source, gap, rest: joinRaw(before.slice(0, Math.max(at, 0))) };
}

function rightOf(doc: MarkdownDocument, index: number): Side {
  const after = doc.blocks.slice(index);
  const found = after.findIndex((block) => block.kind !== 'blank');
  const at = found === -1 ? after.length : found;
  const block = after[at];
  return { block, source: block?.raw ?? '', gap: joinRaw(after.slice(0, at)), rest: joinRaw(after.slice(at + 1)) };
}

function joinSources(raws: readonly string[], eol: Eol): string {
  const sources = raws.map((raw) => cleanSource(raw, eol)).filter((source) => source !== '');
  return sources.reduce((text, source) => (text === '' ? source : text + spaced(text, eol, source, eol) + source), '');
}

/** Given text as it can stand in the document: its line ends, no blank lines around it, no final line end. */
function cleanSource(raw: string, eol: Eol): string {
  const blocks = scanBlocks(withEol(raw, eol));
  const first = blocks.findIndex((block) => block.kind !== 'blank');
  const last = blocks.findLastIndex((block) => block.kind !== 'blank');
  return first === -1 ? '' : withoutFinalEol(joinRaw(blocks.slice(first, last + 1)));
}

/** The gap between two sources, widened to a blank line unless they are neighbours in a list. */
function spaced(left: string, gap: string, right: string, eol: Eol): string {
  const hasBlankLine = gap.indexOf('\n') !== gap.lastIndexOf('\n');
  const isList = scanBlocks(left).at(-1)?.kind === 'item' && scanBlocks(right)[0]?.kind === 'item';
  return separate(left, hasBlankLine || isList ? gap : eol + eol, right, eol);
}

function withBody(doc: MarkdownDocument, body: string): MarkdownDocument {
  return parseDocument(serializeWithBody(doc, body));
}

function joinRaw(blocks: readonly Block[]): string {
  return blocks.map((block) => block.raw).join('');
}

function finalEol(text: string): string {
  return text.slice(withoutFinalEol(text).length);
}

function firstEol(gap: string): string {
  return /^\r?\n/.exec(gap)?.[0] ?? '';
}

/** CommonMark itself recommends this between a list and indented text that is not part of it. */
const LIST_END = '<!-- -->';

/**
 * The text to put between two blocks' sources (given without their final line ends) so that they stay two blocks:
 * `gap` if that suffices, else a blank line, else a line that ends what `left` leaves open.
 */
export function separate(left: string, gap: string, right: string, eol: MarkdownDocument['eol']): string {
  const proposed = endsWithEol(gap) ? gap : gap + eol;
  if (staysApart(left, proposed, right)) return proposed;
  const blankLine = eol + eol;
  if (staysApart(left, blankLine, right)) return blankLine;
  const open = scanBlocks(left).at(-1);
  const closer = open === undefined ? undefined : findMissingCloser(open);
  return closer === undefined ? blankLine + LIST_END + blankLine : eol + closer + blankLine;
}

/** A block's end depends only on the text from its beginning, so scanning the two alone decides. */
function staysApart(left: string, gap: string, right: string): boolean {
  let offset = 0;
  for (const block of scanBlocks(left + gap + right)) {
    offset += block.raw.length;
    if (offset >= left.length + gap.length) break;
  }
  return offset === left.length + gap.length;
}
