import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../model/errors.ts';
import { ITEM_ID_PATTERN, MUTATION_ID_PATTERN, UlidFactory, ulidTimeMs } from '../../model/ids.ts';
import { parseJson } from '../../model/records.ts';
import type { Clock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';
import { isRecordedPath } from '../../workspace/safety/paths.ts';
import { CONTENT_TYPES, type ContentType, type Reference, canonical } from '../entry.ts';
import { type SigningKey, isSignedBy, signBytes } from '../key-files.ts';

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

const itemSchema = z.strictObject({
  type: z.enum(CONTENT_TYPES),
  // An entry with any other id could be written, but never read again.
  ref: z.strictObject({
    mutation: z.string().regex(MUTATION_ID_PATTERN).optional(),
    item: z.string().regex(ITEM_ID_PATTERN).optional(),
  }),
  text: z.string().optional(),
  path: z.string().refine(isRecordedPath).optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/u)
    .optional(),
  scope: z.string().optional(),
});

const noteSchema = z.union([
  z.strictObject({
    items: z.array(itemSchema),
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/u)
      .optional(),
    sig: z
      .string()
      .regex(/^[0-9a-f]{128}$/u)
      .optional(),
  }),
  // As notes were left before they were signed.
  z.array(itemSchema).transform((items) => ({ items, key: undefined, sig: undefined })),
]);

interface NotedBatch {
  readonly name: string;
  readonly items: readonly NotedItem[];
  /** It cannot be read, and is taken away with the others. */
  readonly isBroken: boolean;
  /** The public key that signed it; undefined when none did. */
  readonly signer: string | undefined;
  /** It bears a signature that does not fit what stands there. */
  readonly isChanged: boolean;
}

/** Undefined for a note that another process has taken. */
export function readNotes({ folder }: ChainQueue, name: string): NotedBatch | undefined {
  const text = nodeFileSystem.read(path.join(folder, name))?.toString('utf8');
  if (text === undefined) return undefined;
  const note = noteSchema.safeParse(parseJson(text)).data;
  if (note === undefined) return { name, items: [], isBroken: true, signer: undefined, isChanged: false };
  const { items, key, sig } = note;
  const isSigned = key !== undefined && sig !== undefined && isSignedBy(key, noteBytes(name, items), sig);
  const isChanged = !isSigned && (key !== undefined || sig !== undefined);
  return { name, items, isBroken: false, signer: isSigned ? key : undefined, isChanged };
}
