import { hash } from 'node:crypto';
import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';
import { turnText } from '../workspace/formats/transcript.ts';
import { turnNumber, type LiveTurn } from './live-turn.ts';
import type { SessionRecord } from './session-record.ts';

/**
 * The part of an open session that background work may read: the owner of the conversation decides what leaves it,
 * and whoever digests it never opens the session itself.
 */
export interface SessionBuffer {
  readonly session: string;
  /** The numbers of the first and the last turn it covers. */
  readonly from: number;
  readonly to: number;
  /** Markdown: a list of who said what. */
  readonly text: string;
}

/** Turns that are worth another look. */
const EXPORT_EVERY = 10;
/** Enough of a turn to know what it says; of a pasted file nobody needs more. */
const MAX_TURN_CHARS = 2000;
/** The limit for one read; the rest follows when this much is processed. */
const MAX_BUFFER_CHARS = 32_000;

const HEAD = /^---\nsession: (?<session>.+)\nfrom: t(?<from>\d+)\nto: t(?<to>\d+)\n(?:.*\n)*?---\n/u;

/**
 * `journal/buffers/<session>.md`, and in `processed/` below it how far the session was processed. The first goes when the
 * session ends, the second stays: its transcript must not be processed twice either. Pointers are spread over folders
 * by their hash, so that a backup need look only at those in which something happened.
 */
export class SessionBuffers {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'buffers');
  }

  isDue(session: string, lastTurn: number): boolean {
    return lastTurn - Math.max(this.find(session)?.to ?? 0, this.processedUpTo(session)) >= EXPORT_EVERY;
  }

  /** Undefined when there is nothing that was not processed yet. */
  async write(record: SessionRecord, turns: readonly LiveTurn[]): Promise<SessionBuffer | undefined> {
    const { session } = record;
    const processed = this.processedUpTo(session);
    const fresh = turns.filter((turn) => turnNumber(turn) > processed);
    const buffer = render(record, fresh);
    if (buffer === undefined) this.remove(session);
    else await this.#replace(`${session}.md`, buffer.text);
    return buffer;
  }

  find(session: string): SessionBuffer | undefined {
    const text = this.#fs.read(path.join(this.#folder, `${session}.md`))?.toString('utf8');
    const head = text === undefined ? undefined : HEAD.exec(text)?.groups;
    if (text === undefined || head === undefined) return undefined;
    return { session, from: Number(head['from']), to: Number(head['to']), text };
  }

  processedUpTo(session: string): number {
    const before = path.join(this.#folder, `${session}.processed`);
    // Where pointers stood before they had folders.
    const bytes = this.#fs.read(path.join(this.#folder, pointerName(session))) ?? this.#fs.read(before);
    const text = bytes?.toString('utf8').trim() ?? '';
    return /^\d+$/u.test(text) ? Number(text) : 0;
  }

  async markProcessed(session: string, turn: number): Promise<void> {
    if (turn > this.processedUpTo(session)) await this.#replace(pointerName(session), `${turn}\n`);
  }

  remove(session: string): void {
    this.#fs.remove(path.join(this.#folder, `${session}.md`));
  }

  async #replace(name: string, text: string): Promise<void> {
    this.#fs.makeDirectory(path.dirname(path.join(this.#folder, name)));
    const temporary = path.join(this.#folder, `${name}.new`);
    this.#fs.write(temporary, Buffer.from(text, 'utf8'));
    await this.#fs.rename(temporary, path.join(this.#folder, name));
  }
}

function pointerName(session: string): string {
  return `processed/${hash('sha256', session).slice(0, 2)}/${session}.processed`;
}

function render(record: SessionRecord, turns: readonly LiveTurn[]): SessionBuffer | undefined {
  const lines: string[] = [];
  const [first] = turns;
  let to: number | undefined;
  let chars = 0;
  for (const turn of turns) {
    const line = renderTurn(turn);
    if (chars > 0 && chars + line.length > MAX_BUFFER_CHARS) break;
    to = turnNumber(turn);
    if (line === '') continue;
    lines.push(line);
    chars += line.length;
  }
  if (first === undefined || to === undefined) return undefined;
  const from = turnNumber(first);
  const { session, project, topic } = record;
  const about = Object.entries({ project, topic }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  const head = ['---', `session: ${session}`, `from: t${from}`, `to: t${to}`, ...about, '---', ''];
  return { session, from, to, text: `${[...head, ...lines].join('\n')}\n` };
}

/** Only what people and their agent said: what tools print is no memory, and a turn about memory would feed on itself. */
function renderTurn(turn: LiveTurn): string {
  if (turn.tag === 'memory' || (turn.role !== 'user' && turn.role !== 'agent')) return '';
  const text = turnText(turn).trim();
  if (text === '') return '';
  const clipped = text.length <= MAX_TURN_CHARS ? text : `${text.slice(0, MAX_TURN_CHARS).toWellFormed().trimEnd()} …`;
  const who = turn.name === undefined ? turn.role : `${turn.name} (${turn.role})`;
  return `- ${turn.id} ${turn.date} ${turn.time} ${who}: ${clipped.replaceAll('\n', '\n  ')}`;
}
