import { hash } from 'node:crypto';
import { MnemeError } from '../../model/errors.ts';
import { parseTranscript, type Turn } from '../../workspace/formats/transcript.ts';
import { renderMark } from '../../workspace/formats/transcript-line.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { readMessage } from './json-message.ts';
import type { ContextMessage } from './message.ts';
import { parseJson, isRecord } from '../../model/records.ts';

export interface ReadWindow {
  readonly messages: readonly ContextMessage[];
  /** The session a transcript names. */
  readonly session: string | undefined;
  readonly format: 'transcript' | 'json-lines' | 'json';
  /** All of it as it was given; undefined for a transcript. */
  readonly values?: readonly unknown[] | undefined;
  /** Lines and values that hold no message. */
  readonly skipped: number;
}

/** Reads a window as programs keep it: a transcript, a message per line, or one JSON list of messages. */
export function readMessages(given: string, name: string): ReadWindow {
  const text = given.replace(/^\uFEFF/u, '');
  const start = text.trimStart()[0];
  const read = start === '[' || start === '{' ? readJson(text) : readTranscript(text);
  if (read.messages.length > 0) return read;
  throw new MnemeError('usage', `${name} holds no messages.`, {
    hint: 'It may be a transcript (`## 18:45 — user`), JSON lines {"role", "content"}, or a JSON list of such messages.',
  });
}

function readTranscript(text: string): ReadWindow {
  const { frontmatter, turns } = parseTranscript(parseDocument(text));
  const messages = turns.filter(({ tag }) => tag !== 'memory').map((turn) => messageOfTurn(turn));
  return { messages, session: frontmatter.session_id, format: 'transcript', skipped: turns.length - messages.length };
}

/** A turn with its tool calls on a line each, as a transcript shows them. */
export function messageOfTurn({ id, role, name, date, time, parts }: Turn): ContextMessage {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : renderMark(part))).join('\n');
  const moment = date === '' ? undefined : `${date}T${time}`;
  return { id, role, text, ...(name === undefined ? {} : { name }), ...(moment === undefined ? {} : { time: moment }) };
}

function readJson(text: string): ReadWindow {
  const whole = parseJson(text);
  const listed = Array.isArray(whole)
    ? whole
    : isRecord(whole) && Array.isArray(whole['messages'])
      ? whole['messages']
      : undefined;
  if (listed !== undefined) return { ...numbered(listed), session: sessionOf(listed), format: 'json', values: listed };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map((line) => parseJson(line));
  return { ...numbered(values), session: sessionOf(values), format: 'json-lines', values };
}

function numbered(values: readonly unknown[]): Pick<ReadWindow, 'messages' | 'skipped'> {
  const messages: ContextMessage[] = [];
  const taken = new Set<string>();
  for (const value of values) {
    const message = readMessage(value);
    if (message === undefined) continue;
    const own = message.id === undefined || taken.has(message.id) ? undefined : message.id;
    let id = own ?? `m${messages.length + 1}`;
    while (taken.has(id)) id = `${id}'`;
    taken.add(id);
    messages.push({ ...message, id, ...(isRecord(value) ? { original: value } : {}) });
  }
  return { messages, skipped: values.length - messages.length };
}

/**
 * The session all of them name, or the one that holds what an earlier compaction left out: a claim of the file's. Only a
 * session that nobody but compaction writes to may be taken for it unasked.
 */
function sessionOf(values: readonly unknown[]): string | undefined {
  const records = values.filter(isRecord);
  const named = new Set(records.map((value) => value['session']));
  const [only] = named;
  if (named.size === 1 && typeof only === 'string') return only;
  const earlier = records.map((value) => value['compacted']).findLast(isRecord);
  return typeof earlier?.['session'] === 'string' ? earlier['session'] : undefined;
}

const WINDOW = 'window_';

/** Whether a session is one that only compaction adds to. */
export function isWindowName(session: string): boolean {
  return session.startsWith(WINDOW);
}

/** A name for a window nobody named: the same words, the same name. */
export function windowName(messages: readonly ContextMessage[]): string {
  const said = messages.filter(({ standsFor }) => standsFor === undefined);
  return `${WINDOW}${hash('sha256', JSON.stringify(said.map(({ role, text }) => [role, text]))).slice(0, 16)}`;
}
