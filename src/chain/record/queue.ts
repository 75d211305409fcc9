import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { UlidFactory, ulidTimeMs } from '../../model/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import { canonical, type ContentType, type Reference } from '../entry.ts';
import { signBytes, type SigningKey } from '../keys.ts';

/** Something that is to be entered: words, or a transcript by its path. */
export interface NotedItem {
  readonly type: ContentType;
  readonly ref: Reference;
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  /** Of what the transcript said when it was written. */
  readonly sha256?: string | undefined;
  readonly scope?: string | undefined;
}

const NOTE_DOMAIN = 'mneme chain note 1\n';

/** Covers the name too, so that no signed note can be put in another one's place. */
export function noteBytes(name: string, items: readonly NotedItem[]): Buffer {
  return Buffer.from(NOTE_DOMAIN + canonical({ name, items }), 'utf8');
}

/** Marks a note whose words or transcript are not what was signed. */
const CHANGED = '.changed';

/**
 * Items pending entry, one small file per event: a writer of memory only leaves a note, and
 * signing is done behind them, by whatever process has the time. Files, because several processes leave and take them.
 */
export class ChainQueue {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #ulids: UlidFactory;
  readonly #findKey: () => SigningKey | undefined;

  /** Notes are signed when they are left: what is changed before the chain signs it must not be signed as changed. */
  constructor(journal: string, clock: Clock, random: Random, findKey: () => SigningKey | undefined) {
    this.folder = queueFolder(journal);
    this.#clock = clock;
    this.#findKey = findKey;
    this.#ulids = new UlidFactory((length) => random.bytes(length));
  }

  /** Not synced: the memory itself is, and the weekly job finds the transcripts that a power cut took from here. */
  add(items: readonly NotedItem[]): void {
    const name = `${this.#ulids.next(this.#clock.now())}.json`;
    try {
      this.write(name, items);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      fs.mkdirSync(this.folder, { recursive: true });
      this.write(name, items);
    }
  }

  write(name: string, items: readonly NotedItem[]): void {
    const temporary = path.join(this.folder, `.${name}.${process.pid}`);
    fs.writeFileSync(temporary, this.#serialize(name, items), { mode: 0o600 });
    fs.renameSync(temporary, path.join(this.folder, name));
  }

  #serialize(name: string, given: readonly NotedItem[]): string {
    const items = JSON.parse(JSON.stringify(given)) as NotedItem[];
    const key = this.#findKey();
    return JSON.stringify(
      key === undefined ? { items } : { items, key: key.publicKey, sig: signBytes(key, noteBytes(name, items)) },
    );
  }

  names(): string[] {
    return listFiles(this.folder, /^[0-7][0-9A-Z]{25}\.json$/u);
  }

  setAside(name: string): void {
    fs.renameSync(path.join(this.folder, name), path.join(this.folder, name + CHANGED));
  }

  /** When the oldest note was left; undefined when none waits. */
  oldestMs(): number | undefined {
    const [first] = this.names();
    return first === undefined ? undefined : ulidTimeMs(first);
  }

  remove(name: string): void {
    fs.rmSync(path.join(this.folder, name), { force: true });
  }
}

function queueFolder(journal: string): string {
  return path.join(journal, 'chain', 'queue');
}

/** Notes that were set aside because something was changed before it was entered. */
export function listChangedNotes(journal: string): string[] {
  return listFiles(queueFolder(journal), /\.json\.changed$/u);
}

function listFiles(folder: string, pattern: RegExp): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => pattern.test(name))
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
