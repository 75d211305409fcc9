import type { Scope } from '../../model/provenance.ts';
import { confidenceValue } from '../../model/schemas/fields.ts';
import type { FactMetadata, ItemMetadata } from '../../model/schemas/item.ts';
import { resolveMetadata, type ItemDefaults } from '../../workspace/formats/defaults.ts';
import type { Layout } from '../../workspace/formats/layout.ts';
import { PINNED_TAG, type DocumentKey, type Passage } from '../passage.ts';
import { momentOf } from './dates.ts';

/** The input of the index: a file's text (unpacked, if it was compressed) and the hash of its source. */
export interface SourceFile extends DocumentKey {
  readonly text: string;
  readonly hash: string;
}

/** The inputs that determine a file's passages beside its text. */
export interface ChunkContext {
  readonly layout: Layout;
  readonly chunking: {
    readonly max_tokens: number;
    readonly overlap_tokens: number;
    readonly respect_headings: boolean;
  };
  /** The home's zone: what the dates and hours in its files mean. */
  readonly timeZone: string;
}

/**
 * As long as a long paragraph, which is what an embedding model tells well from another; a fifth is repeated from the piece
 * before, so that no sentence loses its context. Other values make every home's index anew.
 */
export const CHUNKING: ChunkContext['chunking'] = { max_tokens: 400, overlap_tokens: 80, respect_headings: true };

/** An item before it is cut to length. */
export interface Draft extends Omit<Passage, 'entities'> {
  /** The line on which the text begins, where that is not the item's first. */
  readonly textLine?: number | undefined;
  /** The file's line for each line of a text from which lines between were left out. */
  readonly lines?: readonly number[] | undefined;
  /** Entities it is about whatever its text says; links in the text are added. */
  readonly about?: readonly string[] | undefined;
}

const CHARS_PER_TOKEN = 4;
/** A trail longer than this would outweigh what stands below it. */
const MAX_LEAD_CHARS = 240;

export function passagesOf(draft: Draft, { chunking }: Pick<ChunkContext, 'chunking'>): Passage[] {
  const { textLine, lines, about = [], ...item } = draft;
  const firstLine = textLine ?? item.startLine;
  const fileLine = (line: number): number => Math.min(lines?.[line] ?? firstLine + line, item.endLine);
  const pieces = splitText(plainText(item.text), {
    maxChars: chunking.max_tokens * CHARS_PER_TOKEN,
    overlapChars: chunking.overlap_tokens * CHARS_PER_TOKEN,
    keepsParagraphs: chunking.respect_headings,
  });
  const lead = clip(plainText(item.lead), MAX_LEAD_CHARS);
  const isWhole = pieces.length === 1;
  const passages: Passage[] = [];
  for (const { text, linesBefore, linesWithin } of pieces) {
    const startLine = isWhole ? item.startLine : fileLine(linesBefore);
    const endLine = isWhole ? item.endLine : fileLine(linesBefore + linesWithin);
    const entities = [...new Set([...about, ...linksIn(text)])];
    passages.push({ ...item, lead, text, startLine, endLine, entities });
  }
  return passages;
}

/** Where an item comes from and how much it counts, after the file's defaults. */
export function provenanceOf(
  meta: ItemMetadata,
  defaults: ItemDefaults,
  fileTags: readonly string[],
): Pick<Passage, 'source' | 'trust' | 'importance' | 'confidence' | 'session' | 'turn' | 'tags'> {
  const { source, trust, importance, confidence, session, turn, tags = [], pinned } = resolveMetadata(meta, defaults);
  return {
    source,
    trust,
    importance,
    confidence: confidence === undefined ? undefined : confidenceValue(confidence),
    session,
    turn,
    tags: [...new Set([...tags, ...fileTags, ...(pinned === true ? [PINNED_TAG] : [])])],
  };
}

/** When an item came to be known, or was last confirmed: what was said long ago may have been learned today. */
export function learnedOf(
  meta: Pick<FactMetadata, 'learned' | 'last_verified'>,
  timeZone: string,
): Pick<Passage, 'learnedMs'> {
  const days = [meta.learned, meta.last_verified].map((date) => momentOf(date, undefined, timeZone));
  const known = days.filter((timeMs) => timeMs !== undefined);
  return known.length === 0 ? {} : { learnedMs: Math.max(...known) };
}

/** Documents belong to one scope; an item that says it belongs to another must not be found in this one. */
export function isForeign(meta: ItemMetadata, scope: Scope): boolean {
  return meta.scope !== undefined && meta.scope !== scope;
}

/** Tab and line feed are text. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu;

/** The text with LF line ends, and without characters that no reader sees and no store needs to survive. */
function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROL_CHARACTERS, ' ').toWellFormed().trim();
}

/** The first line end or so many characters, whichever comes first, as one line. */
export function oneLineOf(text: string, maxChars: number): string {
  return clip(
    text
      .slice(0, maxChars * 2)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    maxChars,
  );
}

export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text
    .slice(0, maxChars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/** An embedded file (`![[plan.png]]`) is not an entity. */
const WIKI_LINK = /(?<!!)\[\[([^[\]|#\n]{1,200})(?:[#|][^[\]\n]{0,200})?\]\]/gu;

function linksIn(text: string): string[] {
  const targets = [...text.matchAll(WIKI_LINK)].map((link) => link[1] ?? '');
  // A link may name a path or a file; what counts is the entity's id.
  return targets.map((target) => target.trim().replace(/^.*\//u, '').replace(/\.md$/iu, '')).filter((id) => id !== '');
}

/** Cuts a text that is too long for one passage into overlapping pieces, where a reader would pause. */

export interface SplitLimits {
  readonly maxChars: number;
  readonly overlapChars: number;
  /** Paragraphs, lines and sentences are kept together where they fit; otherwise only words are. */
  readonly keepsParagraphs: boolean;
}

interface Piece {
  readonly text: string;
  /** Line ends before the piece and inside it, counted in the whole text: where it stands in its file. */
  readonly linesBefore: number;
  readonly linesWithin: number;
}

const PARAGRAPH_END = /\n[ \t]*\n\s*/gu;
const LINE_END = /\n\s*/gu;
const SENTENCE_END = /(?:[.!?…]["'”’)\]]*\s+|[。！？]["”’」』）]*\s*)/gu;
const WORD_END = /\s+/gu;

/** From the best place to cut to the least good. */
const BOUNDARIES = [PARAGRAPH_END, LINE_END, SENTENCE_END, WORD_END];

export function splitText(text: string, { maxChars, overlapChars, keepsParagraphs }: SplitLimits): Piece[] {
  const boundaries = keepsParagraphs ? BOUNDARIES : [WORD_END];
  const pieces: Piece[] = [];
  let linesSeen = 0;
  let seenUpTo = 0;
  const add = (from: number, to: number): void => {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (trimmed === '') return;
    const start = from + raw.indexOf(trimmed);
    // Pieces overlap, so their starts move forward while their ends are behind the next start.
    linesSeen += countLineEnds(text, seenUpTo, start);
    seenUpTo = start;
    const linesWithin = countLineEnds(text, start, start + trimmed.length);
    pieces.push({ text: trimmed, linesBefore: linesSeen, linesWithin });
  };
  let start = 0;
  while (text.length - start > maxChars) {
    const cut = findCut(text, start, maxChars, boundaries);
    add(start, cut);
    // A quarter of the length at least is new in every piece, however large an overlap was asked for.
    const earliest = Math.max(cut - overlapChars, start + Math.ceil(maxChars / 4));
    start = overlapChars === 0 ? cut : findRestart(text, earliest, cut);
  }
  add(start, text.length);
  return pieces;
}

/** The last place in the second half of the piece where one may cut, by the best kind of boundary there is. */
function findCut(text: string, start: number, maxChars: number, boundaries: readonly RegExp[]): number {
  const from = start + Math.ceil(maxChars / 2);
  const window = text.slice(from, start + maxChars);
  for (const boundary of boundaries) {
    let last: number | undefined;
    for (const match of window.matchAll(boundary)) last = match.index + match[0].length;
    if (last !== undefined) return from + last;
  }
  return beforePair(text, start + maxChars);
}

/** Where the next piece begins: a sentence or at least a word that starts within the overlap. */
function findRestart(text: string, earliest: number, cut: number): number {
  const window = text.slice(earliest, cut);
  for (const boundary of [SENTENCE_END, WORD_END]) {
    boundary.lastIndex = 0;
    const match = boundary.exec(window);
    boundary.lastIndex = 0;
    if (match !== null && match.index + match[0].length < window.length) {
      return earliest + match.index + match[0].length;
    }
  }
  return beforePair(text, earliest);
}

/** A cut never separates the two halves of a character. */
function beforePair(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff && at > 1 ? at - 1 : at;
}

function countLineEnds(text: string, from: number, to: number): number {
  // Cut out first: in a text of one endless line, looking for its end would walk through all of it every time.
  const part = text.slice(from, to);
  let count = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) count += 1;
  return count;
}
