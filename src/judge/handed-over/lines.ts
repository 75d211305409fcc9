import { MAIL_HEADERS } from './words.ts';

/** Counts what detection does, so that a test can hold its cost to the length of the message without a stopwatch. */
export interface Work {
  steps: number;
}

export interface Line {
  readonly start: number;
  readonly end: number;
  /** The first characters, enough to tell what kind of line it is. */
  readonly head: string;
}

/** Why a part of a message is not its author's own words. */
export type Reason =
  | 'fence'
  | 'code'
  | 'comment'
  | 'heading'
  | 'block quote'
  | 'quotation'
  | 'table'
  | 'song'
  | 'markup'
  | 'data'
  | 'log'
  | 'diff'
  | 'document'
  | 'dialogue'
  | 'mail'
  | 'forwarded'
  | 'delimited'
  | 'announced'
  | 'role play'
  | 'given to work on';

export type Cover = (start: number, end: number, reason: Reason) => void;

/** Longer than any introduction; keeps the work per line bounded. */
export const HEAD_CHARS = 400;

const WIDE_COLON = /[：﹕︰]/u;
const WIDE_COLONS = /[：﹕︰]/gu;

export function splitLines(text: string, work: Work): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const head = text.slice(start, Math.min(end, start + HEAD_CHARS));
    lines.push({ start, end, head: WIDE_COLON.test(head) ? head.replaceAll(WIDE_COLONS, ':') : head });
    work.steps += end - start + 1;
    start = end + 1;
  }
  return lines;
}

export function isBlank({ head }: Line): boolean {
  return head.trim() === '';
}

/** The last line before the next blank one. */
export function endOfParagraph(lines: readonly Line[], from: number): number {
  let last = from;
  for (let next = lines[last + 1]; next !== undefined && !isBlank(next); next = lines[last + 1]) last += 1;
  return last;
}

export function coverLines(lines: readonly Line[], from: number, to: number, reason: Reason, cover: Cover): void {
  const [first, last] = [lines[from], lines[Math.min(to, lines.length - 1)]];
  if (first !== undefined && last !== undefined && from <= to) cover(first.start, last.end, reason);
}

const FORWARD_PREFIX = /^\s*(?:fwd?|wg|wtr|rv|reenv|enc|tr)\s?:\s*/iu;
const FORWARD_MARK =
  /^\s*(?:-{3,}\s*\p{L}|begin forwarded|forwarded (?:message|from|by)\b|weitergeleitet von\b|reenviado (?:de|por)\b|transf[ée]r[ée] (?:de|par)\b|weitergeleitete nachricht|(?:d[ée]but du )?message transf[ée]r[ée]|mensaje reenviado)/iu;
const ON_WROTE = /^\s*(?:on|am|el|le)\s.{6,120}(?:wrote|schrieb.{0,80}|escribi[óo]|a écrit|a ecrit)\s?:\s*$/iu;
const FORMAL_SALUTATION =
  /^\s*(?:dear|to whom|sehr geehrte\p{L}?|liebe\p{L}?|estimad\p{L}{1,2}|querid\p{L}{1,2}|muy se[ñn]or\p{L}{0,2}|ch[eè]re?s?|madame|monsieur)(?=\s|,)[\p{L} .,'’()-]{0,60}[,:!]?\s*$/iu;
/** "Dear parents, on Friday we …": a letter whose first line goes on. */
const FORMAL_START =
  /^\s*(?:dear|sehr geehrte\p{L}?|liebe\p{L}?|estimad\p{L}{1,2}|querid\p{L}{1,2}|ch[eè]re?s?) \p{L}[\p{L} .'’-]{0,40}[,:!] \S/iu;
/** The answer of a mailbox whose owner is away, which greets nobody. */
const AWAY =
  /^\s*(?:thank you for your (?:e-?mail|message|mail)|(?:vielen )?dank f(?:ü|ue?)r (?:ihre|deine) (?:e-?mail|nachricht|mail)|gracias por (?:su|tu) (?:correo|mensaje)|merci (?:de|pour) (?:votre|ton) (?:courriel|mail|message))(?=[\s.,!])/iu;
const SALUTATION =
  /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|moin|servus|hola|buenos d[ií]as|buenas(?: tardes| noches)?|bonjour|bonsoir|salut|coucou)(?=[\s,:!]|$)[\p{L} .,'’()-]{0,50}[,:!]?\s*$/iu;
/** To the assistant itself, or to no one by name. */
const TO_ASSISTANT =
  /^\s*\p{L}+(?: \p{L}+)?[\s,]*(?:there|again|all together|claude|chatgpt|gpt|gemini|copilot|assistant|agent|bot|ai|ki|ia|mneme)?[\s,:!]*$/iu;
const CLOSING =
  /^\s*(?:(?:best|kind|warm|many)(?:\s+(?:regards|wishes|thanks))?|regards|yours|sincerely|yours (?:truly|sincerely|faithfully)|cheers|mit freundlichen.{0,30}|(?:viele|liebe|beste|freundliche|herzliche)n? gr[üu](?:ß|ss)e.{0,30}|gru(?:ß|ss)|lg|vg|mfg|un (?:cordial )?saludo|saludos.{0,20}|atentamente|un abrazo|(?:bien )?cordialement|bien à vous|salutations.{0,30}|veuillez agr[ée]er.{0,80}|amicalement|bises)[ ,!.]*(?:\p{Lu}[\p{L} .&'’-]{0,40})?$/iu;
const BEGIN = /^\s*[-=_*<[({#]{1,}\s*(?:begin|start|anfang|inicio|d[ée]but)(?![\p{L}])/iu;
const END = /^\s*[-=_*<[({#/]{1,}\s*(?:end|ende|fin|eof|stop|schluss)(?![\p{L}])/iu;

/** Mails, letters and what is forwarded: from their first sign to the end, because only they know where they end. */
export function coverMails(
  lines: readonly Line[],
  labels: readonly (string | undefined)[],
  isCovered: (line: Line) => boolean,
  cover: Cover,
): void {
  const begin = lines.findIndex(({ head }) => BEGIN.test(head));
  const end = begin === -1 ? -1 : lines.findLastIndex(({ head }, at) => at > begin && END.test(head));
  if (end !== -1) coverLines(lines, begin, end, 'delimited', cover);
  const first = lines.findIndex((_line, at) => (at < begin || at > end || end === -1) && isStart(lines, labels, at));
  if (first !== -1) coverFrom(lines, first, 'forwarded', cover);
  const letter = lines.findIndex((line, at) => !isCovered(line) && isLetter(lines, at));
  if (letter !== -1) coverFrom(lines, letter, 'mail', cover);
}

function isStart(lines: readonly Line[], labels: readonly (string | undefined)[], at: number): boolean {
  const head = lines[at]?.head ?? '';
  if (FORWARD_PREFIX.test(head) || FORWARD_MARK.test(head) || ON_WROTE.test(head)) return true;
  const isHeader = (index: number): boolean => MAIL_HEADERS.has(labels[index] ?? '');
  return isHeader(at) && isHeader(at + 1);
}

function coverFrom(lines: readonly Line[], first: number, reason: 'forwarded' | 'mail', cover: Cover): void {
  coverLines(lines, first, lines.length - 1, reason, cover);
}

/** A salutation by name below the author's own words, or one with a closing; "Hi Claude," is said to the agent. */
function isLetter(lines: readonly Line[], at: number): boolean {
  const head = lines[at]?.head ?? '';
  const isBelowOwn = (): boolean => lines.slice(0, at).some((line) => !isBlank(line));
  if ((FORMAL_START.test(head) || AWAY.test(head)) && isBelowOwn()) return true;
  const isFormal = FORMAL_SALUTATION.test(head);
  if (!isFormal && (!SALUTATION.test(head) || TO_ASSISTANT.test(head))) return false;
  const below = lines.slice(at + 1).filter((line) => !isBlank(line));
  if (below.length === 0) return false;
  return isFormal || isBelowOwn() || below.some((line) => CLOSING.test(line.head));
}
