import { coverLines, endOfParagraph, isBlank, type Cover, type Line } from './lines.ts';
import { LABEL_WORDS, MEMORY_VERBS, fold } from './words.ts';

const FENCE = /^(`{3,}|~{3,}|"""|''')/u;
const HEADING = /^\s*#{1,6}\s/u;

const LOG_LINES: readonly RegExp[] = [
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/u,
  /^\s*\[?\d\d:\d\d:\d\d/u,
  /^\s*(?:at\s+\S+\s*\(|at\s+\S+:\d+|File ".+", line \d+|Traceback|Caused by:)/u,
  /^\s*(?:\w*(?:Error|Exception)|error\[?\w*\]?|warn(?:ing)?|info|debug|fatal|panic|ERR!|npm)\s*[:!\]]/iu,
  /^\s*(?:[$#>%]|PS>|➜|✓|✗|✔|✖|×|PASS|FAIL|\+\+\+|---|@@)\s/u,
  /^\s*(?:[{}[\]();]|\/\/|\/\*|#include|import\s.+from|const\s|let\s\w+\s*=|var\s|function\s|def\s|class\s|return\b|SELECT\s|INSERT\s|UPDATE\s.+SET)/u,
  /^\s*[\w.-]+\s*[=|]\s*\S+;?\s*$/u,
  /^\s*\|.*\|\s*$/u,
];
/** Lines of a program's own output; a line of code alone is no such output. */
const OUTPUT = LOG_LINES.slice(0, 4);
const PROMPT = /^\s*(?:[$%]|PS [^>]{0,80}>|[\w.-]{1,40}@[\w.-]{1,40}[:~][^$#]{0,80}[$#]) \S/u;
const DIFF = /^(?:diff --git |index [\da-f]{3,}\.\.|--- a?\/|\+\+\+ b?\/|@@ -\d)/u;
/** "[12/03/2026, 09:14] Priya: …", "10:02 Tom: …", "Priya Nair  10:02 AM": a line that a chat program wrote. */
const CHAT =
  /^\s*(?:\[[^\]\n]{4,30}\]\s*\S|(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s+)?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?\s*[-–]?\s*\p{L}[\p{L} .'’-]{0,30}:\s)/iu;
const CHAT_NAME =
  /^\s*\p{Lu}[\p{L}.'’-]{0,20}(?: \p{Lu}[\p{L}.'’-]{0,20}){0,2}\s{1,6}\[?\d{1,2}:\d\d(?:\s?[apAP][mM])?\]?\s*$/u;
const LABEL =
  /^\s*(?:[-*]\s+)?\**(\p{L}[\p{L}.'’-]{0,30}(?: [\p{L}\p{N}][\p{L}\p{N}.'’-]{0,30})?)\**\s?:\**\s+\S|^\s*(\p{Lu}{2,20}):\s*$/u;

/** The single lines of a log, a trace, a console or code, wherever they stand. */
export function isLogLine(line: string): boolean {
  return LOG_LINES.some((pattern) => pattern.test(line)) || isMostlySigns(line);
}

function isMostlySigns(line: string): boolean {
  const trimmed = line.replaceAll(/`[^`]*`/gu, '').trim();
  if (trimmed.length < 12) return false;
  const letters = trimmed.match(/[\p{L}\p{N} ]/gu)?.length ?? 0;
  return letters / trimmed.length < 0.6;
}

/** Fences, comments, indented code, headings, block quotes, songs. */
export function coverBlocks(text: string, lines: readonly Line[], cover: Cover): void {
  let open: Opening | undefined;
  let afterBlankOrCode = true;
  for (const line of lines) {
    const trimmed = line.head.trim();
    const isIndented: boolean = /^( {4}|\t)/.test(line.head) && afterBlankOrCode && !/^([-*•]|\d+[.)])\s/.test(trimmed);
    if (open !== undefined) {
      cover(line.start, line.end, open.reason);
      if (open.closes(trimmed) || text.startsWith('-->', line.end - 3)) open = undefined;
      continue;
    }
    open = openingOf(trimmed);
    const reason = open?.reason ?? reasonOf(line.head, trimmed, isIndented);
    if (reason !== undefined) cover(line.start, line.end, reason);
    if (open?.closes(trimmed.slice(3)) === true) open = undefined;
    afterBlankOrCode = trimmed === '' || isIndented;
  }
  coverUnpairedFences(text, lines, cover);
}

function reasonOf(head: string, trimmed: string, isIndented: boolean): Parameters<Cover>[2] | undefined {
  if (HEADING.test(head)) return 'heading';
  if (trimmed.startsWith('>')) return 'block quote';
  if (/^(\/\/|--\s|\*\/)/.test(trimmed)) return 'comment';
  if (/^\|.*\|$/.test(trimmed)) return 'table';
  if (/^\s*[{[]\s*["{[].*[}\]],?$/u.test(trimmed)) return 'data';
  if (/\+\+\+.*\+\+\+.*\+\+\+/u.test(trimmed)) return 'data';
  if (trimmed.includes('♪') || trimmed.includes('♫')) return 'song';
  return isIndented ? 'code' : undefined;
}

interface Opening {
  readonly reason: Parameters<Cover>[2];
  closes(head: string): boolean;
}

function openingOf(trimmed: string): Opening | undefined {
  const fence = FENCE.exec(trimmed)?.[1];
  if (fence !== undefined) {
    const isQuote = fence === '"""' || fence === "'''";
    return { reason: 'fence', closes: (head) => head.startsWith(fence) || (isQuote && head.endsWith(fence)) };
  }
  if (trimmed.startsWith('/*')) return { reason: 'comment', closes: (head) => head.includes('*/') };
  if (trimmed.startsWith('<!--')) return { reason: 'comment', closes: (head) => head.includes('-->') };
  return undefined;
}

/** A fence too many: what is pasted has one of its own, and where it ends cannot be told. */
function coverUnpairedFences(text: string, lines: readonly Line[], cover: Cover): void {
  const fences = lines.filter(({ head }) => /^\s*(?:`{3,}|~{3,})/u.test(head));
  const first = fences[0];
  if (first !== undefined && fences.length >= 3 && fences.length % 2 === 1) cover(first.start, text.length, 'fence');
}

/** Covers a pasted document: everything from the first heading on, where there are at least two headings. */
export function coverDocument(lines: readonly Line[], cover: Cover): void {
  const headings = lines.flatMap(({ head }, at) => (HEADING.test(head) ? [at] : []));
  const [first] = headings;
  if (first !== undefined && headings.length >= 2) coverLines(lines, first, lines.length - 1, 'document', cover);
}

function isChat(head: string): boolean {
  return CHAT.test(head) || CHAT_NAME.test(head);
}

/** Elements of a page, data in brackets and commands with what they print: from their first line to their last. */
export function coverOutput(lines: readonly Line[], cover: Cover): void {
  const diff = lines.findIndex(({ head }) => DIFF.test(head));
  if (diff !== -1) coverLines(lines, diff, lines.length - 1, 'diff', cover);
  coverRecords(lines, cover);
  const rating = lines.findIndex(({ head }) => RATING.test(head));
  if (rating !== -1) coverLines(lines, rating, lines.length - 1, 'document', cover);
  const located = lines.findIndex(({ head }) => LOCATED.test(head));
  if (located !== -1) coverLines(lines, located, endOfParagraph(lines, located), 'log', cover);
  const isOutput = lines.map(({ head }) => OUTPUT.some((pattern) => pattern.test(head)) || isChat(head));
  const prompt = lines.flatMap(({ head }, at) => (PROMPT.test(head) ? [at] : []));
  const [firstPrompt, lastPrompt] = [prompt[0], prompt.at(-1)];
  if (firstPrompt !== undefined && lastPrompt !== undefined)
    coverLines(lines, firstPrompt, endOfParagraph(lines, lastPrompt), 'log', cover);
  const first = isOutput.indexOf(true);
  const last = isOutput.lastIndexOf(true);
  if (first === -1) return;
  // A single such line is often the user's own: "error: it does not start".
  if (first === last && isChat(lines[first]?.head ?? '')) return;
  if (first === last) cover(lines[first]?.start ?? 0, lines[first]?.end ?? 0, 'log');
  else coverLines(lines, first, endOfParagraph(lines, last), 'log', cover);
}

/** A line of a table in text form: three fields and more, with no blank behind what stands between them. */
const RECORD = /^[^,;\t]{0,60}([,;\t])(?!\s)[^,;\t]{0,160}\1(?!\s)/u;

/** "★★☆☆☆ Damp and loud": a review, which goes on to the end. */
const RATING = /^\s*(?:[★☆⭐✩✭]\uFE0F?\s?){2,}/u;
/** "src/tide.rs:40:9: …": a program speaks of a place in a file, and its notes stand below. */
const LOCATED = /^\s*(?:-->\s*)?[\w./\\-]{1,120}\.\w{1,6}:\d+(?::\d+)?:?(?:\s|$)/u;

/** From the first of two records to the end of the last one's paragraph. */
function coverRecords(lines: readonly Line[], cover: Cover): void {
  const first = lines.findIndex(({ head }) => RECORD.test(head));
  const last = lines.findLastIndex(({ head }) => RECORD.test(head));
  if (first !== last) coverLines(lines, first, endOfParagraph(lines, last), 'data', cover);
}

const ELEMENT = /<([a-z][\w-]{0,30})\b[^>\n]{0,300}>/giu;

/** Elements with their end: `<div>…</div>`. */
export function coverElements(text: string, cover: Cover): void {
  let done = 0;
  let looked = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(ELEMENT)) {
    looked += 1;
    if (looked > MAX_ELEMENTS) return;
    if (index < done) continue;
    const close = text.indexOf(`</${name}>`, index + tag.length);
    if (close === -1) continue;
    done = close + name.length + 3;
    cover(index, done, 'markup');
  }
}

/** Each may cost a look at the rest of the text. */
const MAX_ELEMENTS = 200;

export interface Labelled {
  /** Folded, per line: what stands before a colon. */
  readonly labels: readonly (string | undefined)[];
  readonly isForeign: (index: number) => boolean;
}

export function labelsOf(lines: readonly Line[]): Labelled {
  const labels = lines.map((line) => {
    const [, spoken, silent] = LABEL.exec(line.head) ?? [];
    const label = spoken ?? silent;
    return label === undefined ? undefined : fold(label.split(' ')[0] ?? '');
  });
  const isForeign = (index: number): boolean => {
    const label = labels[index];
    return label !== undefined && !LABEL_WORDS.has(label) && !MEMORY_VERBS.has(label);
  };
  return { labels, isForeign };
}

/** "Tom: …" twice is a dialogue or a form: nobody speaks to the agent there, nor between its lines. */
export function coverDialogues(lines: readonly Line[], { labels, isForeign }: Labelled, cover: Cover): void {
  const foreign = lines.flatMap((_line, index) => (isForeign(index) ? [index] : []));
  for (const [index, line] of lines.entries()) {
    if (labels[index] === undefined) continue;
    const besideForeign = isForeign(index - 1) || isForeign(index + 1);
    const isOwnLabel = LABEL_WORDS.has(labels[index] ?? '') && besideForeign;
    if (isForeign(index) ? foreign.length >= 2 : isOwnLabel) cover(line.start, line.end, 'dialogue');
  }
  if (foreign.length < 2) return;
  // Lines without a name below one that has one are the same speaker's.
  let isSpeaking = false;
  for (const [index, line] of lines.entries()) {
    isSpeaking = isForeign(index) || (isSpeaking && !isBlank(line));
    if (isSpeaking) cover(line.start, line.end, 'dialogue');
  }
}

/** Counts lines that people do not type to an agent: titles, clauses, records, labels, addresses. */
export function countPasted(lines: readonly Line[], labels: Labelled, from: number): number {
  return lines.slice(from).filter((line, at) => looksPasted(line, labels.isForeign(from + at))).length;
}

/** Words of who speaks to an agent. */
export const OWN_VOICE =
  /(?<![\p{L}])(?:i|im|ive|my|me|we|our|us|ich|mein\p{L}{0,2}|mir|mich|wir|unser\p{L}{0,2}|yo|mi|mis|me|nosotros|nuestr\p{L}{1,2}|je|j|mon|ma|mes|moi|nous|notre|nos|please|pls|bitte|porfa|stp|svp|you|du|tu)(?![\p{L}])/iu;

function looksPasted(line: Line, isLabelled: boolean): boolean {
  if (isBlank(line)) return false;
  const trimmed = line.head.trim();
  if (isLabelled || HEADING.test(trimmed) || isChat(trimmed) || isLogLine(line.head)) return true;
  if (/^(?:§|art(?:icle|\.)?\s*\d|\d+\.\d+|\(\d+\)|clause |cl[aá]usula )/iu.test(trimmed)) return true;
  if (/https?:\/\/|www\./iu.test(trimmed) && /unsubscribe|›|»/iu.test(trimmed)) return true;
  if (/^[^,;]{0,40}(?:[,;](?!\s)[^,;]{0,160}){2,}$/u.test(trimmed)) return true;
  if (/^(?:[-*•+]|\d+[.)])\s/u.test(trimmed) || OWN_VOICE.test(trimmed.replaceAll(/['’]/gu, ''))) return false;
  const words = trimmed.match(/\S+/gu)?.length ?? 0;
  return words <= 8 && trimmed.length >= 3 && !/[.!?…:,;)]["”»]?$/u.test(trimmed);
}
