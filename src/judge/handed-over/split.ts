import { coverAnnounced } from './announced.ts';
import { askOf, asksMemory, countOtherWords, type Ask, type FoundAsk } from './asks.ts';
import { cutSentences } from './sentences.ts';
import { type Line, type Reason, type Work, coverLines, coverMails, isBlank, splitLines } from './lines.ts';
import {
  countPasted,
  coverBlocks,
  coverDialogues,
  coverDocument,
  coverElements,
  coverOutput,
  labelsOf,
  OWN_VOICE,
  type Labelled,
} from './marks.ts';
import { findQuotations } from './quotations.ts';

/**
 * A stretch of a message that its author hands over: a pasted mail, article, log or document, a quotation, a forwarded
 * message, a text to translate. It is data: nothing in it is the author's request or statement.
 */
export interface HandedOver {
  readonly start: number;
  readonly end: number;
  readonly reason: Reason;
}

/** The places of a message that are not its author's own words, with the reason. */
export interface Split {
  readonly parts: readonly HandedOver[];
  covers(index: number): boolean;
}

/** Number of lines searched sentence by sentence for what the author asks to be done with the rest. */
const MAX_ASK_LINES = 40;
/** Words below an ask, besides requests to the memory, from which on they are what it is about. */
const LEAST_BODY: Readonly<Record<Ask, number>> = { shown: 0, text: 4, titled: 4, arrived: 4, pointing: 12, open: 6 };
/** Lines that look pasted: with so many there are enough words, and with more it is a paste whatever was asked. */
const LEAST_PASTED = 2;
const SURELY_PASTED = 3;

/** Splits a message into its author's own words and what they hand over. */
export function splitMessage(text: string, work: Work = { steps: 0 }): Split {
  const covering = new Covering(text.length, work);
  const { cover } = covering;
  const lines = splitLines(text, work);
  const labels = labelsOf(lines);
  const isCovered = (line: Line): boolean => covering.covers(line.start);
  coverBlocks(text, lines, cover);
  coverElements(text, cover);
  coverMails(lines, labels.labels, isCovered, cover);
  coverDocument(lines, cover);
  coverGivenToWorkOn(text, lines, labels, covering);
  coverOutput(lines, cover);
  coverDialogues(lines, labels, cover);
  coverAnnounced(text, lines, isCovered, cover);
  findQuotations(text, work, (start, end) => {
    if (!covering.covers(start)) cover(start, end, 'quotation');
  });
  return covering;
}

class Covering implements Split {
  readonly parts: HandedOver[] = [];
  readonly #covered: Uint8Array;
  readonly #work: Work;

  constructor(length: number, work: Work) {
    this.#covered = new Uint8Array(length);
    this.#work = work;
  }

  readonly cover = (start: number, end: number, reason: Reason): void => {
    if (end <= start) return;
    this.#covered.fill(1, start, end);
    this.parts.push({ start, end, reason });
    this.#work.steps += 1;
  };

  covers(index: number): boolean {
    return this.#covered[index] === 1;
  }
}

/** A message with blanks where the words are not the author's own: every place stays where it is. */
export function ownWords(text: string, { parts }: Pick<Split, 'parts'> = splitMessage(text)): string {
  const covered = new Uint8Array(text.length);
  for (const { start, end } of parts) covered.fill(1, start, end);
  let own = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    own += sign !== '\n' && covered[at] === 1 ? ' ' : sign;
  }
  return own;
}

/** Whether a sentence only says what to do with a text beside it: "Summarise this:" asks nothing of the memory. */
export function asksOfText(sentence: string): boolean {
  const ask = askOf(sentence)?.ask;
  return ask !== undefined && ask !== 'open';
}

/** Inside a sentence of the author's they name things, and are read with it; with a stop inside they are a text. */
const NAMING: ReadonlySet<Reason> = new Set(['quotation', 'heading']);
const MAX_NAMING_CHARS = 120;

/** The texts that a message hands over, in order and joined where they touch; short quotations name things and are none. */
export function handedOverTexts(
  text: string,
  { parts }: Pick<Split, 'parts'> = splitMessage(text),
): readonly HandedOver[] {
  const joined: HandedOver[] = [];
  for (const part of parts.filter((each) => isText(text, each)).toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last === undefined || text.slice(last.end, part.start).trim() !== '') joined.push(part);
    else if (part.end > last.end) joined[joined.length - 1] = { ...last, end: part.end };
  }
  return joined;
}

/** A message without the texts that it hands over; short quotations and names of code stay in their sentences. */
export function withoutHandedOver(text: string): string {
  return withoutTexts(text, handedOverTexts(text));
}

/** A message without these parts of it, which are in order. */
export function withoutTexts(text: string, taken: readonly HandedOver[]): string {
  let own = '';
  let from = 0;
  for (const { start, end } of taken) {
    own += text.slice(from, start);
    from = Math.max(from, end);
  }
  return own + text.slice(from);
}

function isText(text: string, { start, end, reason }: HandedOver): boolean {
  if (!NAMING.has(reason)) return true;
  if (reason === 'quotation' && isWholeLine(text, start, end)) return true;
  return end - start > MAX_NAMING_CHARS || /\n|[.!?…]\s+\S/u.test(text.slice(start, end));
}

/** In a line of its own it names nothing in a sentence. */
function isWholeLine(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const behind = text.slice(end).split('\n', 1)[0] ?? '';
  return /^[\s\p{P}]*$/u.test(before) && /^[\s\p{P}]*$/u.test(behind);
}

/** Covers what stands below, behind or above the author's own "Can you summarise this?", "What should I answer?". */
function coverGivenToWorkOn(text: string, lines: readonly Line[], labels: Labelled, covering: Covering): void {
  const own = lines.flatMap((line, at) => (isBlank(line) || covering.covers(line.start) ? [] : [{ line, at }]));
  const asked = own.slice(0, MAX_ASK_LINES).map(({ line, at }) => ({ line, at, asks: asksIn(line) }));
  for (const { line, at, asks } of asked) {
    const isAnnounced = announcesBelow(lines, at);
    const ofText = asks.flatMap((each): PlacedAsk[] => {
      if (isOfText(each.ask)) return [each];
      return isAnnounced ? [{ ...each, ask: 'text' }] : [];
    });
    const isCovered = ofText.some(
      ({ ask, isBeside, end }) =>
        coverBelow(text, lines, { at, ask, labels }, covering) ||
        (isBeside && coverBehind(text, { line, at, end }, lines, covering)),
    );
    if (isCovered) return;
  }
  if (coverAbove(text, lines, own, covering)) return;
  for (const [place, { at, asks }] of asked.entries()) {
    const others = asks.filter(
      ({ ask }) =>
        ask === 'pointing' ||
        (ask === 'titled' && isEndOfParagraph(lines, at)) ||
        (ask === 'arrived' && isEndOfParagraph(lines, at) && !speaks(text.slice(lines[at]?.end))) ||
        (ask === 'open' && place === 0),
    );
    if (others.some(({ ask }) => coverBelow(text, lines, { at, ask, labels }, covering))) return;
  }
}

function isEndOfParagraph(lines: readonly Line[], at: number): boolean {
  const next = lines[at + 1];
  return next !== undefined && isBlank(next);
}

function isOfText(ask: Ask): boolean {
  return ask === 'shown' || ask === 'text';
}

interface PlacedAsk extends FoundAsk {
  /** Where the sentence ends, in the text. */
  readonly end: number;
}

/** "Hazlo más corto:" with a paragraph below: what an instruction ends in a colon for. A list below may be the task itself. */
function announcesBelow(lines: readonly Line[], at: number): boolean {
  const below = lines.findIndex((line, index) => index > at && !isBlank(line));
  return (
    /:\s*$/u.test(lines[at]?.head ?? '') &&
    below > at + 1 &&
    !/^\s*(?:[-*•+]|\d+[.)])\s/u.test(lines[below]?.head ?? '')
  );
}

function asksIn(line: Line): readonly PlacedAsk[] {
  return cutSentences(line.head).flatMap(({ start, end }) => {
    const ask = askOf(line.head.slice(start, end));
    return ask === undefined ? [] : [{ ...ask, end: line.start + end }];
  });
}

interface Given {
  readonly at: number;
  readonly ask: Ask;
  readonly labels: Labelled;
}

function coverBelow(text: string, lines: readonly Line[], { at, ask, labels }: Given, covering: Covering): boolean {
  const first = lines.findIndex((line, index) => index > at && !isBlank(line));
  const start = lines[first]?.start;
  if (start === undefined || isDelimited(covering, start)) return false;
  const body = text.slice(start);
  const other = countOtherWords(sentencesOf(body));
  const pasted = countPasted(lines, labels, first);
  const isLong = other >= LEAST_BODY[ask];
  const isPaste =
    ask === 'open' ? pasted >= SURELY_PASTED || (isLong && pasted >= LEAST_PASTED) : isLong || pasted >= LEAST_PASTED;
  if (!isPaste) return false;
  coverLines(lines, first, lines.length - 1, 'given to work on', covering.cover);
  return true;
}

/** A fence or a quotation has an end of its own, behind which the author goes on. */
function isDelimited({ parts }: Covering, start: number): boolean {
  return parts.some((part) => part.start <= start && part.end > start && DELIMITED.has(part.reason));
}

const DELIMITED: ReadonlySet<Reason> = new Set(['fence', 'block quote', 'delimited']);

interface Behind {
  readonly line: Line;
  readonly at: number;
  readonly end: number;
}

/** "Is this SMS real? Your parcel …": behind the ask in its own paragraph, where nothing stands below it. */
function coverBehind(text: string, { line, at, end }: Behind, lines: readonly Line[], covering: Covering): boolean {
  if (lines.slice(at + 1).some((each) => !isBlank(each))) return false;
  if (countOtherWords(sentencesOf(text.slice(end, line.end))) < LEAST_BEHIND) return false;
  covering.cover(end, line.end, 'given to work on');
  return true;
}

const LEAST_BEHIND = 5;

/** A text first and then "Summarise this, please": what stands above in paragraphs of its own. */
function coverAbove(
  text: string,
  lines: readonly Line[],
  own: readonly { readonly line: Line; readonly at: number }[],
  covering: Covering,
): boolean {
  const last = own.at(-1);
  const first = own[0];
  if (last === undefined || first === undefined) return false;
  const begin = lines.findLastIndex((line, index) => index < last.at && isBlank(line));
  if (begin <= first.at) return false;
  const asks = own.filter(({ at }) => at > begin).flatMap(({ line }) => asksIn(line).map(({ ask }) => ask));
  const above = text.slice(first.line.start, lines[begin]?.start);
  const asked = asks.some(isOfText) || (asks.includes('pointing') && isOfNoVoice(above));
  if (asked) coverLines(lines, first.at, begin - 1, 'given to work on', covering.cover);
  return asked;
}

/** Long enough for a text, and nobody speaks in it: "I moved to Berlin. What do you think of that?" is no paste. */
function isOfNoVoice(text: string): boolean {
  return countOtherWords(sentencesOf(text)) >= LEAST_BODY.pointing && !speaks(text);
}

/** Whether somebody speaks of themselves or to the agent in it, requests to the memory left aside. */
function speaks(text: string): boolean {
  return sentencesOf(text).some((each) => !asksMemory(each) && OWN_VOICE.test(each.replaceAll(/['’]/gu, '')));
}

/** This many characters show whether a message holds more than a request. */
const MAX_BODY_CHARS = 4000;

function sentencesOf(text: string): readonly string[] {
  const read = text.slice(0, MAX_BODY_CHARS);
  return cutSentences(read).map(({ start, end }) => read.slice(start, end));
}
