import { ACTIONS, type Action } from '../model/mutation.ts';

/**
 * One line of audit.log (S4 §12.4): one file of one mutation, as
 * `TIMESTAMP | ACTION | FILE | ACTOR | APPROVAL | SUMMARY | REFERENCE | TRIGGER`.
 */
export interface AuditLine {
  /** UTC, whole seconds: what git keeps of a commit's time. */
  readonly timeMs: number;
  readonly action: Action;
  /** A workspace path; NO_FILE for a mutation without files, MANY_FILES for a merge of histories. */
  readonly file: string;
  readonly actor: string;
  readonly approval: string;
  readonly summary: string;
  readonly isCritical: boolean;
  /** The mutation id, or `git:` and the beginning of the hash for a commit that Mneme did not make. */
  readonly reference: string | undefined;
  readonly trigger: string | undefined;
}

export const NO_FILE = '—';
export const MANY_FILES = '*';

const SEPARATOR = ' | ';
const CRITICAL_SIGN = '⚠';
const CRITICAL_MARK = `${CRITICAL_SIGN} CRITICAL: `;

/** S4 pads its columns; a reader's alignment is not part of a field. */
const PADDING = /^ +| +$/g;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/;

export function serializeLine(line: AuditLine): string {
  const summary = escapeField(line.summary);
  const fields = [
    formatTimestamp(line.timeMs),
    line.action,
    escapeField(line.file),
    escapeField(line.actor),
    escapeField(line.approval),
    line.isCritical ? CRITICAL_MARK + summary : withoutMark(summary),
  ];
  if (line.reference !== undefined || line.trigger !== undefined) fields.push(escapeField(line.reference ?? ''));
  if (line.trigger !== undefined) fields.push(escapeField(line.trigger));
  return fields.join(SEPARATOR);
}

/** undefined for anything that is not a line of the log. The two last fields are Mneme's addition and may be missing. */
export function parseLine(text: string): AuditLine | undefined {
  const fields = text.split(SEPARATOR).map((field) => field.replaceAll(PADDING, ''));
  const [timestamp = '', actionName, file, actor, approval, summary, reference, trigger, ...rest] = fields;
  const timeMs = TIMESTAMP.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  const action = ACTIONS.find((known) => known === actionName);
  if (Number.isNaN(timeMs) || action === undefined || summary === undefined || rest.length > 0) return undefined;
  const isCritical = `${summary} `.startsWith(CRITICAL_MARK);
  return {
    timeMs,
    action,
    file: unescapeField(file ?? ''),
    actor: unescapeField(actor ?? ''),
    approval: unescapeField(approval ?? ''),
    summary: unescapeField(isCritical ? summary.slice(CRITICAL_MARK.length) : summary),
    isCritical,
    reference: reference === undefined || reference === '' ? undefined : unescapeField(reference),
    trigger: trigger === undefined ? undefined : unescapeField(trigger),
  };
}

/** The time as the log keeps it. */
export function toLogTime(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000;
}

function formatTimestamp(timeMs: number): string {
  return new Date(toLogTime(timeMs)).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A summary that only looks marked must not raise an alert. */
function withoutMark(summary: string): string {
  return summary.startsWith(CRITICAL_SIGN) ? spellOut(CRITICAL_SIGN) + summary.slice(CRITICAL_SIGN.length) : summary;
}

/** With every bar escaped no field can hold the separator; with every line end spelled out no field can end the line. */
function escapeField(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('\n', '\\n')
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, spellOut)
    .replaceAll(/^ | $/g, spellOut);
}

function spellOut(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16) ?? ''}}`;
}

function unescapeField(text: string): string {
  return text.replaceAll(/\\(?:u\{([0-9a-f]{1,6})\}|([\s\S]))/gu, (whole, code?: string, char?: string) => {
    if (code !== undefined) return codePoint(code) ?? whole;
    return char === 'n' ? '\n' : (char ?? '');
  });
}

/** undefined for a number no character has, which only a foreign hand can have written. */
function codePoint(hex: string): string | undefined {
  const value = Number.parseInt(hex, 16);
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : undefined;
}
