import { MnemeError, must } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Opening, Openings } from './content/openings.ts';
import {
  type Bodies,
  type BodyType,
  type ContentType,
  type Entry,
  type KeyBody,
  type Reference,
  hashLine,
  serializeEntry,
  signedBytes,
} from './entry.ts';
import { linesOf, type Tip } from './file.ts';
import { type KeyFiles, type SigningKey, generateKey, provePossession, signBytes } from './key-files.ts';
import { Frontier, SALT_BYTES, hashEntryLeaf, hashPiece, rootOf } from './merkle.ts';

export interface WriterParts {
  /** Makes lines durable behind `at`, and refuses when the chain does not end there. */
  readonly appendLines: (lines: readonly string[], at: number) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  readonly checkpointEntries: number;
  readonly keys: KeyFiles;
  readonly openings: Openings;
  /** Descriptions of earlier repairs. */
  readonly notes: readonly string[];
}

/** An entry before it is signed. */
type Unsigned = Omit<Entry, 'v' | 'seq' | 'time' | 'prev' | 'key' | 'sig'>;

const CHECKPOINT_MARK = '"type":"checkpoint"';
const LINE_END = 0x0a;

/** Adds entries behind a tip that nobody else adds to meanwhile: made by `Chain.exclusively` only. */
export class ChainWriter {
  readonly notes: readonly string[];
  readonly #parts: WriterParts;
  #next: number;
  #hash: string;
  #time: string;
  #end: number;
  #key: SigningKey | undefined;
  #fingerprint: string | undefined;
  #chain: string | undefined;
  readonly #bytes: Buffer;
  readonly #lines: string[] = [];
  #tree: Frontier | undefined;
  #afterCheckpoint: number | undefined;

  constructor(parts: WriterParts, tip: Tip) {
    this.#parts = parts;
    this.notes = parts.notes;
    this.#next = tip.next;
    this.#hash = tip.hash;
    this.#time = tip.time;
    this.#end = tip.bytes.length;
    this.#fingerprint = tip.key;
    this.#chain = tip.chain;
    this.#bytes = tip.bytes;
  }

  get chain(): string | undefined {
    return this.#chain;
  }

  get next(): number {
    return this.#next;
  }

  /** The chain's bytes as they were when the writer began. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Signs and adds; all of them or none. The openings are durable before the entries are. */
  async append(drafts: readonly Draft[]): Promise<readonly Entry[]> {
    if (drafts.length === 0) return [];
    this.#openKey();
    const before = this.#lines.length;
    const openings: Opening[] = [];
    const entries: Entry[] = [];
    for (const draft of drafts) {
      entries.push(this.#enter(draft, openings));
      if (this.#sinceCheckpoint() >= this.#parts.checkpointEntries)
        entries.push(this.#enter({ type: 'checkpoint' }, []));
    }
    await this.#parts.openings.add(openings);
    await this.#write(before);
    return entries;
  }

  /** Another key from here on; the old one signs for it, unless it is lost. */
  async changeKey(reason: 'rotation' | 'lost'): Promise<SigningKey> {
    const { keys } = this.#parts;
    if (reason === 'rotation') this.#openKey();
    const chain = must(this.#chain, 'a chain whose key changes');
    const next = generateKey();
    keys.writeNext(next);
    const before = this.#lines.length;
    const body: KeyBody = { publicKey: next.publicKey, reason, proof: provePossession(next, chain, this.#next) };
    if (reason === 'lost') this.#key = next;
    this.#sign({ type: 'key', body } as Unsigned);
    await this.#write(before);
    keys.promote(next);
    this.#key = next;
    this.#fingerprint = next.fingerprint;
    return next;
  }

  #openKey(): void {
    if (this.#key !== undefined) return;
    const { keys } = this.#parts;
    if (this.#fingerprint === undefined) {
      this.#begin();
      return;
    }
    this.#key = keys.find(this.#fingerprint);
    if (this.#key !== undefined) return;
    throw new MnemeError('integrity', `The key that signs the chain (${this.#fingerprint}) is not here.`, {
      hint:
        'Bring it back from its backup (`mneme chain keys restore FILE`); if it is lost for good, ' +
        '`mneme chain keys replace` goes on with another.',
    });
  }

  /** The first entry: the key, signed by itself. */
  #begin(): void {
    const { keys } = this.#parts;
    const key = keys.read() ?? generateKey();
    keys.promote(key);
    this.#key = key;
    this.#fingerprint = key.fingerprint;
    this.#chain = key.fingerprint;
    const body: KeyBody = {
      publicKey: key.publicKey,
      reason: 'first',
      proof: provePossession(key, key.fingerprint, 0),
    };
    this.#sign({ type: 'key', body } as Unsigned);
  }

  #enter(draft: Draft, openings: Opening[]): Entry {
    if (isContentDraft(draft)) {
      const opening = openingOf(draft, this.#next, this.#parts.random);
      openings.push(opening);
      return this.#sign({ type: draft.type, content: contentOf(opening), ref: draft.ref } as Unsigned);
    }
    if (draft.type !== 'checkpoint') return this.#sign({ type: draft.type, body: draft.body } as Unsigned);
    const body = { size: this.#next, root: this.#openTree().root() };
    return this.#sign({ type: 'checkpoint', body } as Unsigned);
  }

  #sign(unsigned: Unsigned): Entry {
    const key = must(this.#key, 'the key of the chain');
    const now = new Date(this.#parts.clock.now()).toISOString();
    // A clock that was put back does not put the chain back.
    const time = now > this.#time ? now : this.#time;
    const bare = { ...unsigned, v: 1, seq: this.#next, time, prev: this.#hash, key: key.fingerprint };
    const entry = { ...bare, sig: signBytes(key, signedBytes(bare as Omit<Entry, 'sig'>)) } as Entry;
    const line = serializeEntry(entry);
    this.#lines.push(line);
    this.#hash = hashLine(line);
    this.#next += 1;
    if (entry.type === 'checkpoint') this.#afterCheckpoint = this.#next;
    this.#time = time;
    this.#tree?.add(hashEntryLeaf(this.#hash));
    return entry;
  }

  async #write(from: number): Promise<void> {
    // A first key signed in this call stands before the others.
    const start = this.#end === 0 ? 0 : from;
    const lines = this.#lines.slice(start);
    await this.#parts.appendLines(lines, this.#end);
    this.#end += lines.reduce((sum, line) => sum + line.length + 1, 0);
  }

  #openTree(): Frontier {
    if (this.#tree !== undefined) return this.#tree;
    const tree = new Frontier();
    for (const line of linesOf(this.#bytes)) tree.add(hashEntryLeaf(hashLine(line)));
    for (const line of this.#lines) tree.add(hashEntryLeaf(hashLine(line)));
    this.#tree = tree;
    return tree;
  }

  #sinceCheckpoint(): number {
    return this.#next - (this.#afterCheckpoint ??= this.#findAfterCheckpoint());
  }

  /** The number behind the last checkpoint that stands in the file. */
  #findAfterCheckpoint(): number {
    const at = this.#bytes.lastIndexOf(CHECKPOINT_MARK);
    if (at === -1) return 0;
    let behind = 0;
    for (let end = this.#bytes.indexOf(LINE_END, at); end !== -1; end = this.#bytes.indexOf(LINE_END, end + 1))
      behind += 1;
    return this.#next - this.#lines.length - (behind - 1);
  }
}

/** Something to be entered that commits to words. */
export interface ContentDraft {
  readonly type: ContentType;
  readonly ref: Reference;
  readonly pieces: readonly Buffer[];
  /** Where the words are kept: in the opening itself, or in a transcript. */
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  readonly scope?: string | undefined;
}

/** Something to be entered about the chain itself. */
export type BodyDraft = {
  readonly [Type in Exclude<BodyType, 'key' | 'checkpoint'>]: { readonly type: Type; readonly body: Bodies[Type] };
}[Exclude<BodyType, 'key' | 'checkpoint'>];

/** A checkpoint sums up whatever stands before it. */
type Draft = ContentDraft | BodyDraft | { readonly type: 'checkpoint' };

function isContentDraft(draft: Draft): draft is ContentDraft {
  return 'pieces' in draft;
}

function openingOf(draft: ContentDraft, seq: number, random: Random): Opening {
  const salts = draft.pieces.map(() => Buffer.from(random.bytes(SALT_BYTES)).toString('hex'));
  const leaves = draft.pieces.map((piece, index) => hashPiece(salts[index] ?? '', piece));
  return {
    seq,
    leaves,
    salts,
    ...(draft.text === undefined ? {} : { text: draft.text }),
    ...(draft.path === undefined ? {} : { path: draft.path }),
    ...(draft.scope === undefined || draft.scope === 'shared' ? {} : { scope: draft.scope }),
  };
}

function contentOf({ leaves }: Opening): { readonly leaves: number; readonly root: string } {
  return { leaves: leaves.length, root: rootOf(leaves) };
}
