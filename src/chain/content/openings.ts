import path from 'node:path';
import { z } from 'zod';
import { must } from '../../model/errors.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { isRecordedPath } from '../../workspace/safety/paths.ts';
import type { ContentEntry } from '../entry.ts';
import { rootOf } from '../merkle.ts';

const openingSchema = z.strictObject({
  seq: z.int().min(0),
  /** The hash of each piece; they stay when a salt goes, because the others' proofs need them. */
  leaves: z.array(z.string().regex(/^[0-9a-f]{64}$/u)).min(1),
  /** null for a piece that was erased. */
  salts: z
    .array(
      z
        .string()
        .regex(/^[0-9a-f]{32}$/u)
        .nullable(),
    )
    .min(1),
  /** The committed text; null once it was erased. */
  text: z.string().nullable().optional(),
  /** The transcript, relative to raw/. */
  path: z.string().refine(isRecordedPath).optional(),
  /** The owner's scope, where it is not shared. */
  scope: z.string().optional(),
});

/** The data that opens a commitment: salts, and the words or their place. Kept apart, so that it can be erased. */
export type Opening = Readonly<z.infer<typeof openingSchema>>;

/** A thousand to a file: small enough to be written anew when something is erased. */
const PER_FILE = 1000;

/** `content/000012.jsonl` beside the chain; on this machine only, in no history. */
export class Openings {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, chainFolder: string) {
    this.#fs = fs;
    this.#folder = path.join(chainFolder, 'content');
  }

  /** Resolves when they survive a power cut; an entry is only signed after that. */
  async add(openings: readonly Opening[]): Promise<void> {
    if (openings.length === 0) return;
    if (!this.#fs.exists(this.#folder)) this.#fs.makeDirectory(this.#folder);
    for (const [name, own] of groupByFile(openings)) {
      const full = path.join(this.#folder, name);
      const isNew = !this.#fs.exists(full);
      const file = this.#fs.open(full);
      try {
        const size = file.size();
        const isTorn = size > 0 && file.read(size - 1, 1)[0] !== LINE_END;
        const lines = own.map((opening) => `${JSON.stringify(opening)}\n`).join('');
        file.write(Buffer.from(isTorn ? `\n${lines}` : lines, 'utf8'), size);
        await file.sync();
      } finally {
        file.close();
      }
      if (isNew) this.#fs.syncDirectory(this.#folder);
    }
  }

  find(entry: ContentEntry): Opening | undefined {
    return findIn(this.#readFile(fileOf(entry.seq)).get(entry.seq) ?? [], entry);
  }

  /** Of every entry, in order; reads each file once. */
  *of(entries: Iterable<ContentEntry>): Generator<readonly [ContentEntry, Opening | undefined]> {
    let name = '';
    let read = new Map<number, Opening[]>();
    for (const entry of entries) {
      if (fileOf(entry.seq) !== name) {
        name = fileOf(entry.seq);
        read = this.#readFile(name);
      }
      yield [entry, findIn(read.get(entry.seq) ?? [], entry)];
    }
  }

  /** Puts other openings in the place of some, and drops what belongs to no entry. */
  async replace(changed: ReadonlyMap<number, Opening>): Promise<void> {
    for (const name of new Set([...changed.keys()].map(fileOf))) {
      const kept = [...this.#readFile(name)].flatMap(([seq, found]) => {
        const next = changed.get(seq);
        return next === undefined ? found : [next];
      });
      const full = path.join(this.#folder, name);
      const temporary = `${full}.tmp`;
      const file = this.#fs.open(temporary);
      try {
        file.truncate(0);
        file.write(Buffer.from(kept.map((opening) => `${JSON.stringify(opening)}\n`).join(''), 'utf8'), 0);
        await file.sync();
      } finally {
        file.close();
      }
      await this.#fs.rename(temporary, full);
      this.#fs.syncDirectory(this.#folder);
    }
  }

  #readFile(name: string): Map<number, Opening[]> {
    const text = this.#fs.read(path.join(this.#folder, name))?.toString('utf8') ?? '';
    const read = new Map<number, Opening[]>();
    for (const line of text.split('\n')) {
      const opening = line === '' ? undefined : parseOpening(line);
      if (opening !== undefined) read.set(opening.seq, [...(read.get(opening.seq) ?? []), opening]);
    }
    return read;
  }
}

const LINE_END = 0x0a;

/** A crash may have left openings of an entry that was never signed, under the number of one that was. */
function findIn(candidates: readonly Opening[], { content }: ContentEntry): Opening | undefined {
  return candidates.findLast(
    ({ leaves, salts }) =>
      leaves.length === content.leaves && salts.length === leaves.length && rootOf(leaves) === content.root,
  );
}

function fileOf(seq: number): string {
  return `${String(Math.floor(seq / PER_FILE)).padStart(6, '0')}.jsonl`;
}

function groupByFile(openings: readonly Opening[]): Map<string, Opening[]> {
  const groups = new Map<string, Opening[]>();
  for (const opening of openings) {
    const name = fileOf(opening.seq);
    if (!groups.has(name)) groups.set(name, []);
    must(groups.get(name), 'a group of openings').push(opening);
  }
  return groups;
}

function parseOpening(line: string): Opening | undefined {
  try {
    return openingSchema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
