import { type Match, type TextRange, findMatches } from './matches.ts';

interface HighlightQuery {
  /** As the index writes them: `Understanding.terms`, and `expansions` if they should show too. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  readonly phrases: readonly string[];
}

interface HighlightOptions {
  /** Characters (UTF-16 units) of the snippet, marks of omission included. */
  readonly maxChars: number;
}

export interface Highlight {
  readonly snippet: string;
  /** The matches, as places in the snippet: sorted, not overlapping, the end exclusive. */
  readonly ranges: readonly TextRange[];
}

/** More than this of one text is not looked at: whoever has so much in a single passage is not reading it anyway. */
const MAX_SEARCHED_LENGTH = 100_000;
const ELLIPSIS = '…';

/** The part of a text that says most about a question, and what in it matches. */
export function highlight(
  text: string,
  query: HighlightQuery,
  options: HighlightOptions = { maxChars: 700 },
): Highlight {
  const matches = findMatches(text.slice(0, MAX_SEARCHED_LENGTH), query.terms, query.phrases);
  const { start, end } = chooseWindow(text, matches, Math.max(1, options.maxChars));
  const lead = start > 0 ? ELLIPSIS : '';
  const tail = end < text.length ? ELLIPSIS : '';
  const ranges = joinRanges(matches)
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]): TextRange => [from - start + lead.length, to - start + lead.length]);
  return { snippet: lead + text.slice(start, end) + tail, ranges };
}

/** A phrase and the words in it are one mark. */
function joinRanges(matches: readonly { readonly start: number; readonly end: number }[]): TextRange[] {
  const joined: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** Room for the two marks of omission. */
const MARKS_LENGTH = 2;
/** The shift allowed for a cut to fall on the beginning or end of a sentence, as a share of the window. */
const SENTENCE_REACH = 0.25;
const WORD_REACH = 30;

/** The densest stretch that fits, cut where sentences or words end; the beginning when nothing matches. */
function chooseWindow(text: string, matches: readonly Match[], maxChars: number): Window {
  if (text.length <= maxChars) return { start: 0, end: text.length };
  const room = Math.max(1, maxChars - MARKS_LENGTH);
  const core = densestCore(matches, room);
  const start = core === undefined ? 0 : startOfWindow(text, core, room);
  const end = endOfWindow(text, start, core?.end ?? start, room);
  return { start, end };
}

/** Different things matched count fully, repetitions a little. The earliest of equals. */
function densestCore(matches: readonly Match[], room: number): Window | undefined {
  let best: (Window & { readonly score: number }) | undefined;
  const counts = new Map<string, number>();
  let score = 0;
  let first = 0;
  for (const match of matches) {
    const seen = counts.get(match.key) ?? 0;
    counts.set(match.key, seen + 1);
    score += seen === 0 ? match.weight : match.weight / 10;
    for (
      let oldest = matches[first];
      oldest !== undefined && match.end - oldest.start > room;
      oldest = matches[first]
    ) {
      const left = (counts.get(oldest.key) ?? 1) - 1;
      counts.set(oldest.key, left);
      score -= left === 0 ? oldest.weight : oldest.weight / 10;
      first += 1;
    }
    const start = matches[first]?.start;
    if (start !== undefined && score > (best?.score ?? 0) + 1e-9) best = { start, end: match.end, score };
  }
  return best;
}

/** Half of what is left goes before the core, from the beginning of a sentence if one is near. */
function startOfWindow(text: string, core: Window, room: number): number {
  const spare = room - (core.end - core.start);
  const latest = Math.min(core.start, text.length - room);
  const wanted = Math.max(0, Math.min(core.start - Math.floor(spare / 2), latest));
  if (wanted === 0) return 0;
  const reach = Math.floor(room * SENTENCE_REACH);
  const sentence = firstBoundary(text, wanted, Math.min(core.start, wanted + reach), SENTENCE_START);
  const word = sentence ?? firstBoundary(text, wanted, Math.min(core.start, wanted + WORD_REACH), WORD_START);
  return wholeCharacterAt(text, word ?? wanted, 1);
}

const SENTENCE_START = /(?<=[.!?…]["'”»)\]]?\s+|[。！？]|\n)(?=[^\s])/gu;
const WORD_START = /(?<=\s)(?=\S)/gu;
const SENTENCE_END = /(?<=[.!?…]["'”»)\]]?|[。！？])(?=\s|$)|(?<=[。！？])|(?=\n)/gu;
const WORD_END = /(?<=\S)(?=\s|$)/gu;

function firstBoundary(text: string, from: number, to: number, pattern: RegExp): number | undefined {
  const context = Math.max(0, from - 4);
  for (const { index } of text.slice(context, to + 1).matchAll(pattern)) {
    if (context + index >= from && context + index <= to) return context + index;
  }
  return undefined;
}

function lastBoundary(text: string, from: number, to: number, pattern: RegExp): number | undefined {
  let last: number | undefined;
  for (const { index } of text.slice(from, to + 1).matchAll(pattern)) if (from + index <= to) last = from + index;
  return last;
}

/** The core stays inside. */
function endOfWindow(text: string, start: number, coreEnd: number, room: number): number {
  const furthest = start + room;
  if (furthest >= text.length) return text.length;
  const sentence = lastBoundary(
    text,
    Math.max(coreEnd, furthest - Math.floor(room * SENTENCE_REACH)),
    furthest,
    SENTENCE_END,
  );
  const word = sentence ?? lastBoundary(text, Math.max(coreEnd, furthest - WORD_REACH), furthest, WORD_END);
  return Math.max(start, wholeCharacterAt(text, word ?? furthest, -1));
}

let segmenter: Intl.Segmenter | undefined;
const MAX_GRAPHEME_LENGTH = 64;
const CARRIAGE_RETURN = 13;

/** The nearest place in the direction given that does not fall inside of what a reader sees as one character. */
function wholeCharacterAt(text: string, place: number, direction: 1 | -1): number {
  if (isBetweenAscii(text, place)) return place;
  const from = safeStart(text, Math.max(0, place - MAX_GRAPHEME_LENGTH));
  // Made when first needed: the tables of a language take 10 ms to load.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { index, segment } of segmenter.segment(text.slice(from, place + MAX_GRAPHEME_LENGTH))) {
    const start = from + index;
    const end = start + segment.length;
    if (start === place || place >= end) continue;
    return start > place ? place : direction === 1 ? Math.min(end, text.length) : start;
  }
  return place;
}

/** Nothing of ASCII joins with what follows, but for the two halves of a line's end. */
function isBetweenAscii(text: string, place: number): boolean {
  return (
    text.charCodeAt(place - 1) < 128 && text.charCodeAt(place) < 128 && text.charCodeAt(place - 1) !== CARRIAGE_RETURN
  );
}

/** After a blank if there is one: the middle of a joined emoji would be read as its beginning. */
function safeStart(text: string, place: number): number {
  if (place === 0) return 0;
  const blank = text.lastIndexOf(' ', place);
  if (blank !== -1 && place - blank < MAX_GRAPHEME_LENGTH) return blank;
  return (text.charCodeAt(place) & 0xfc_00) === 0xdc_00 ? place - 1 : place;
}
