import { changedParts } from './changed-parts.ts';
import { SearchedTexts } from './searched-texts.ts';
import { parseAllowList, type AllowTest } from './secrets/allow-list.ts';
import { assignmentRule } from './secrets/assignments.ts';
import { cardRule } from './secrets/cards.ts';
import { COMMAND_RULES } from './secrets/command-lines.ts';
import { netrcRule } from './secrets/netrc.ts';
import { mayHoldSecret, mayHoldVendorToken } from './secrets/prefilter.ts';
import { findByPreset } from './secrets/preset.ts';
import { privateKeyRule, puttyKeyRule } from './secrets/private-keys.ts';
import { proseRule } from './secrets/prose.ts';
import type { SecretSpan } from './secrets/rule.ts';
import { FILE_RULES } from './secrets/settings-files.ts';
import { tableRule } from './secrets/tables.ts';
import { CONTEXT_RULES, TOKEN_RULES } from './secrets/tokens.ts';

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
