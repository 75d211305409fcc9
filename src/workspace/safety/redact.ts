import { hash } from 'node:crypto';
import { COMMAND_RULES, assignmentRule } from './secrets/assignments.ts';
import { findByPreset } from './secrets/preset.ts';
import { privateKeyRule, puttyKeyRule } from './secrets/private-keys.ts';
import { proseRule } from './secrets/prose.ts';
import { type AllowTest, type SecretSpan, mayHoldSecret, mayHoldVendorToken, parseAllowList } from './secrets/rule.ts';
import { FILE_RULES, netrcRule } from './secrets/settings-files.ts';
import { tableRule } from './secrets/tables.ts';
import { CONTEXT_RULES, TOKEN_RULES, cardRule } from './secrets/tokens.ts';

interface RedactionFinding {
  readonly rule: string;
  readonly count: number;
  /** The printable part of the first secret found: its public prefix and its length. */
  readonly masked: string;
}

interface RedactedText {
  readonly text: string;
  readonly findings: readonly RedactionFinding[];
}

export interface Redactor {
  /** `known` is what stood there before: if this redactor has searched it, what is as it was is not searched again. */
  redact(text: string, known?: string): Promise<RedactedText>;
}

interface RedactorOptions {
  readonly allow: readonly string[];
  readonly enabled: boolean;
}

/** In order of precision: where two rules find the same text, the earlier one names it. */
const OWN_RULES = [
  privateKeyRule,
  puttyKeyRule,
  ...TOKEN_RULES,
  ...CONTEXT_RULES,
  netrcRule,
  ...COMMAND_RULES,
  ...FILE_RULES,
  assignmentRule,
  tableRule,
  proseRule,
  cardRule,
];

/** Short enough that nobody hides a token in it. */
const MARKER = /\[redacted:[a-z0-9-]{1,30}\]/g;

/** Redaction can bring to light what a longer match hid; two rounds are usual, and each must remove something. */
const MAX_ROUNDS = 8;

/** Sorts spans and joins those that overlap; the first rule names the result. */
function joinSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const joined: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end };
  }
  return joined;
}

/** Takes earlier markers out of sorted spans: a marker is never a secret, whatever stands around it. */
function subtractMarkers(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const markers = Array.from(text.matchAll(MARKER), (match) => [match.index, match.index + match[0].length] as const);
  if (markers.length === 0) return [...spans];
  const pieces: SecretSpan[] = [];
  let next = 0;
  for (const span of spans) {
    let { start } = span;
    while ((markers[next]?.[1] ?? Infinity) <= start) next += 1;
    for (let index = next; (markers[index]?.[0] ?? Infinity) < span.end; index += 1) {
      const [markerStart, markerEnd] = markers[index] ?? [start, start];
      if (markerStart > start) pieces.push({ ...span, start, end: markerStart });
      start = markerEnd;
    }
    if (start < span.end) pieces.push({ ...span, start });
  }
  return pieces;
}

/**
 * A text as it stands and, where it is JSON inside of a line, as its lines were: before `\n` a word ends, and after it one
 * begins. Both have the same length, so that what is found in one is in the same place of the other.
 */
function readings(text: string): readonly string[] {
  const unfolded = text.includes('\\') ? text.replaceAll(/\\[nrt]/gu, ' \n') : text;
  return unfolded === text ? [text] : [text, unfolded];
}

/** A line of the table of uses (`decay-scores.json`): a memory or turn by an id of ours, a device, a count and a time. */
const USE_LINE =
  /^ {4}"(?:ses_)?[0-9a-z]{13}(?:#t\d{1,6})? [0-9a-f]{12}": \{"count":\d{1,9},"last":"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z"\},?\n/gmu;

/** That table has a line for every memory that was used and is written every night; its other lines are looked at like any. */
function withoutUses(text: string): string {
  return text.includes('"count":') ? text.replaceAll(USE_LINE, '') : text;
}

async function findSecrets(text: string, isAllowed: AllowTest): Promise<SecretSpan[]> {
  if (!mayHoldSecret(text)) return [];
  const others = withoutUses(text);
  if (others !== text && (await findSecrets(others, isAllowed)).length === 0) return [];
  const spans: SecretSpan[] = [];
  for (const read of readings(text)) {
    spans.push(...OWN_RULES.flatMap((rule) => Array.from(rule.find(read))));
    if (mayHoldVendorToken(read)) spans.push(...(await findByPreset(read)));
  }
  const secrets = spans.filter((span) => !isAllowed(text, span));
  return subtractMarkers(text, joinSpans(secrets));
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { rule, start, end } of spans) {
    parts.push(text.slice(position, start), `[redacted:${rule}]`);
    position = end;
  }
  return parts.join('') + text.slice(position);
}

function countFindings(findings: Map<string, RedactionFinding>, spans: readonly SecretSpan[]): void {
  for (const { rule, start, end, shownPrefix } of spans) {
    const known = findings.get(rule);
    const masked = known?.masked ?? `${shownPrefix}… (${end - start} characters)`;
    findings.set(rule, { rule, count: (known?.count ?? 0) + 1, masked });
  }
}

/** Replaces secrets by `[redacted:rule]` and keeps everything around them; redacting the result changes nothing. */
export function createRedactor({ allow, enabled }: RedactorOptions): Redactor {
  const isAllowed = parseAllowList(allow);
  const searched = new SearchedTexts();
  return {
    async redact(original, known) {
      if (!enabled) return { text: original, findings: [] };
      const changed = known === undefined || !searched.has(known) ? undefined : changedParts(original, known);
      // Found in a part, it is looked for in the whole: only there is told exactly where it begins and ends.
      if (changed !== undefined && (await findSecrets(changed, isAllowed)).length === 0) {
        searched.add(original);
        return { text: original, findings: [] };
      }
      const findings = new Map<string, RedactionFinding>();
      let text = original;
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const spans = await findSecrets(text, isAllowed);
        if (spans.length === 0) break;
        countFindings(findings, spans);
        text = replaceSpans(text, spans);
      }
      searched.add(text);
      return { text, findings: [...findings.values()] };
    },
  };
}

/** Secrets that take several lines reach less far than this; keys that reach farther have a beginning of their own. */
const MARGIN_CHARS = 4096;
const FAR_REACHING = '-----BEGIN';

/**
 * The lines of a text that were not in an earlier one, or not beside each other, with what stands around them. Undefined
 * when the whole text has to be looked at.
 */
function changedParts(text: string, known: string): string | undefined {
  if (text.includes(FAR_REACHING)) return undefined;
  const lines = text.split('\n');
  const seams = findSeams(lines, known.split('\n'));
  const parts: string[] = [];
  let from = 0;
  for (const [first, last] of joinWindows(lines, seams)) {
    if (first > from) parts.push('\n');
    for (const line of lines.slice(first, last + 1)) parts.push(line);
    from = last + 1;
  }
  return parts.join('\n');
}

/** The lines at which the text stops to be what it was: new ones, and those that others stood before. */
function findSeams(lines: readonly string[], known: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  for (const [place, line] of known.entries()) {
    const list = places.get(line);
    if (list === undefined) places.set(line, [place]);
    else list.push(place);
  }
  const seams: number[] = [];
  let at = 0;
  for (const [number, line] of lines.entries()) {
    if (line === known[at]) {
      at += 1;
      continue;
    }
    seams.push(number);
    const next = places.get(line)?.find((place) => place >= at);
    if (next !== undefined) at = next + 1;
  }
  // A cut at the end leaves its last line beside nothing.
  if (at < known.length) seams.push(lines.length - 1);
  return seams;
}

/** First and last line of everything that has to be looked at. */
function joinWindows(lines: readonly string[], seams: readonly number[]): (readonly [number, number])[] {
  const windows: [number, number][] = [];
  for (const seam of seams) {
    const last = windows.at(-1);
    const end = reach(lines, seam, 1);
    if (last !== undefined && seam <= last[1]) last[1] = end;
    else windows.push([Math.max(reach(lines, seam, -1), (last?.[1] ?? -1) + 1), end]);
  }
  return windows;
}

/** The farthest line within the margin, in one direction. */
function reach(lines: readonly string[], from: number, step: 1 | -1): number {
  let left = MARGIN_CHARS;
  let at = from;
  while (left > 0 && lines[at + step] !== undefined) {
    at += step;
    // Some rules reach over any number of blank lines.
    if (lines[at]?.trim() !== '') left -= (lines[at]?.length ?? 0) + 1;
  }
  return at;
}

/** Shorter texts are searched as fast as they are recognised. */
const MIN_CHARS = 16 * 1024;
/** As many large files as a process writes to again and again. */
const MAX_TEXTS = 200;

/**
 * The texts that were searched for secrets, by their hash. Only here and now: what another version with fewer rules, another
 * machine or a person let through is searched like anything new.
 */
class SearchedTexts {
  readonly #hashes = new Set<string>();

  add(text: string): void {
    if (text.length < MIN_CHARS) return;
    const key = hash('sha256', text);
    this.#hashes.delete(key);
    const [oldest] = this.#hashes.size >= MAX_TEXTS ? this.#hashes : [];
    if (oldest !== undefined) this.#hashes.delete(oldest);
    this.#hashes.add(key);
  }

  has(text: string): boolean {
    return text.length >= MIN_CHARS && this.#hashes.has(hash('sha256', text));
  }
}
