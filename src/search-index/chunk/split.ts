/** Cuts a text that is too long for one passage into overlapping pieces, where a reader would pause. */

export interface SplitLimits {
  readonly maxChars: number;
  readonly overlapChars: number;
  /** Paragraphs, lines and sentences are kept together where they fit; otherwise only words are. */
  readonly keepsParagraphs: boolean;
}

export interface Piece {
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
