import type { SecretRule, SecretSpan } from './rule.ts';
import { isPlaceholder, looksLikePassword } from './values.ts';

/**
 * `machine HOST login NAME password WORD`, over lines or on one. A tool's arguments are kept as JSON, where a line's end is
 * the two letters `\n`.
 */
const START = /(?<![\w.-])(?:machine(?:\s|\\[nrt])|default(?=(?:\s|\\[nrt]){1,16}(?:login|user|password)\b))/g;
const GAP = /(?:\s|\\[nrt]){1,32}/y;
const WORD = /"(?<quoted>[^"\n]{1,255})"|(?<bare>(?:[^\s\\"]|\\(?![nrt"])){1,255})/y;
const FIELDS: ReadonlySet<string> = new Set(['login', 'user', 'account', 'port', 'protocol', 'password']);
/** More fields than any of the formats has; it also bounds what one start can cost. */
const MAX_FIELDS = 6;
const HOST = /^(?:[\w-]+\.)+[\w-]+(?::\d+)?$|^localhost(?::\d+)?$|^\[?[0-9a-f:.]+\]?$/i;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function readWord(text: string, at: number): Word | undefined {
  GAP.lastIndex = at;
  const begin = GAP.test(text) ? GAP.lastIndex : at;
  WORD.lastIndex = begin;
  const match = WORD.exec(text);
  if (match === null) return undefined;
  const quoted = match.groups?.['quoted'];
  const start = begin + (quoted === undefined ? 0 : 1);
  const word = quoted ?? match[0];
  return { text: word, start, end: start + word.length, next: begin + match[0].length };
}

/** Reads the fields of one `machine HOST`, in any order. */
function readFields(text: string, from: number): ReadonlyMap<string, Word> {
  const fields = new Map<string, Word>();
  let at = from;
  while (fields.size < MAX_FIELDS) {
    const name = readWord(text, at);
    if (name === undefined || !FIELDS.has(name.text) || fields.has(name.text)) break;
    const value = readWord(text, name.next);
    if (value === undefined) break;
    fields.set(name.text, value);
    at = value.next;
  }
  return fields;
}

/** Over several lines it is the file; on one, "machine learning login page, password reset" is a sentence. */
function isFile(entry: string, host: string, password: string): boolean {
  return /[\r\n]|\\n/u.test(entry.trim()) || HOST.test(host) || looksLikePassword(password);
}

/** JSON's or a shell's closing signs are not part of the word. */
const CLOSING = /(?:\\?["'`])[\]},;)]*$/u;

export const netrcRule: SecretRule = {
  *find(text) {
    for (const { index, 0: found } of text.matchAll(START)) {
      const isDefault = found.startsWith('default');
      const host = isDefault ? undefined : readWord(text, index + 'machine'.length);
      if (!isDefault && (host === undefined || /[,;!?]$/u.test(host.text))) continue;
      const fields = readFields(text, host?.next ?? index + found.length);
      const password = fields.get('password');
      if (password === undefined || fields.size < 2) continue;
      const secret = password.text.replace(CLOSING, '');
      if (isPlaceholder(secret) || !isFile(text.slice(index, password.start), host?.text ?? '', secret)) continue;
      yield span(password.start, secret.length);
    }
  },
};

function span(start: number, length: number): SecretSpan {
  return { rule: 'netrc', start, end: start + length, shownPrefix: '' };
}
