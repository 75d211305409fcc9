import {
  type ChainFinding,
  type ChainFindingCode,
  type Entry,
  type EntryOf,
  NO_ENTRY,
  hashLine,
  signedBytes,
} from './entry.ts';
import { fingerprintOf, isPossessionProved, isSignedBy } from './key-files.ts';
import { Frontier, hashEntryLeaf } from './merkle.ts';
import { parseEntry } from './parse-entry.ts';

/** The state needed to continue a walk of a chain. */
export interface WalkState {
  /** Entries so far; the number of the next. */
  readonly next: number;
  readonly head: string;
  readonly time: string;
  /** The fingerprint of the first key. */
  readonly chain: string | undefined;
  readonly publicKey: string | undefined;
  readonly tree: Frontier;
}

export interface WalkOptions {
  /** Check the signature of every entry, also where a later one vouches for it. */
  readonly everySignature?: boolean | undefined;
  /** Fingerprints of keys that replaced a lost one with the reader's consent. */
  readonly acceptedKeys?: ReadonlySet<string> | undefined;
  readonly onEntry?: ((entry: Entry, hash: string) => void) | undefined;
}

/** Past this the chain is rubble, and more findings help nobody. */
const MAX_FINDINGS = 50;

const START: WalkState = {
  next: 0,
  head: NO_ENTRY,
  time: '',
  chain: undefined,
  publicKey: undefined,
  tree: new Frontier(),
};

interface Unchecked {
  readonly entry: Entry;
  readonly publicKey: string;
  readonly line: number;
}

/**
 * Goes along a chain line by line and says what does not fit, and where. A signature covers, through the hashes, every
 * entry before it; so only those of checkpoints, of changes of key and of the last entry are checked, and the others
 * when something is wrong, to find out where.
 */
export class ChainWalker {
  readonly findings: ChainFinding[] = [];
  readonly #options: WalkOptions;
  #next: number;
  #head: string;
  #time: string;
  #chain: string | undefined;
  #publicKey: string | undefined;
  #fingerprint: string | undefined;
  readonly #tree: Frontier;
  #line: number;
  #unchecked: Unchecked[] = [];
  /** The line before was bad: that this one does not follow it is no news. */
  #isAfterBad = false;
  #isTreeWhole = true;
  #signatures = 0;

  constructor(options: WalkOptions = {}, from: WalkState = START) {
    this.#options = options;
    this.#next = from.next;
    this.#line = from.next;
    this.#head = from.head;
    this.#time = from.time;
    this.#chain = from.chain;
    this.#publicKey = from.publicKey;
    this.#fingerprint = from.publicKey === undefined ? undefined : fingerprintOf(from.publicKey);
    this.#tree = from.tree.copy();
  }

  /** The number of signatures checked. */
  get signatures(): number {
    return this.#signatures;
  }

  get isHopeless(): boolean {
    return this.findings.length >= MAX_FINDINGS;
  }

  /** Where the walk is now; only to be built on when nothing was found. */
  state(): WalkState {
    return {
      next: this.#next,
      head: this.#head,
      time: this.#time,
      chain: this.#chain,
      publicKey: this.#publicKey,
      tree: this.#tree.copy(),
    };
  }

  take(bytes: Uint8Array): void {
    this.#line += 1;
    const hash = hashLine(bytes);
    const parsed = parseEntry(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
    if (typeof parsed === 'string') {
      this.#settle();
      this.#report('unreadable', this.#next, `Entry ${this.#next} cannot be read: ${parsed}.`);
      this.#goOn(this.#next + 1, hash, true);
      return;
    }
    let isBad = !this.#follows(parsed) || !this.#isKeyRight(parsed);
    if (!isBad) this.#checkBody(parsed);
    const publicKey = this.#signerOf(parsed);
    // Of an entry that stands in the wrong place the signature was looked at already.
    if (publicKey !== undefined && !isBad) this.#unchecked.push({ entry: parsed, publicKey, line: this.#line });
    if (parsed.type === 'key') isBad = isBad || !this.#changeKey(parsed);
    else if (parsed.type === 'checkpoint' || this.#options.everySignature === true) this.#settle();
    if (parsed.type === 'key' && isBad) this.#forgetKey();
    if (parsed.time > this.#time) this.#time = parsed.time;
    this.#goOn(isBad && parsed.seq < this.#next ? this.#next + 1 : parsed.seq + 1, hash, isBad);
    this.#options.onEntry?.(parsed, hash);
  }

  /** The last signature, which vouches for what no checkpoint covers yet. */
  end(): void {
    this.#settle();
  }

  #goOn(next: number, hash: string, isBad: boolean): void {
    this.#next = next;
    this.#head = hash;
    this.#isAfterBad = isBad;
    if (isBad) this.#isTreeWhole = false;
    this.#tree.add(hashEntryLeaf(hash));
  }

  #follows(entry: Entry): boolean {
    const isNext = entry.seq === this.#next;
    if (isNext && entry.prev === this.#head) {
      if (entry.time >= this.#time || this.#isAfterBad || !this.#settle()) return true;
      this.#report('time', entry.seq, `Entry ${entry.seq} is older than the one before it.`);
      return true;
    }
    if (this.#isAfterBad) return this.#isBackOnTrack(entry);
    if (this.#settle()) this.#reportStranger(entry);
    return false;
  }

  /** Behind a bad line every link is broken; an entry that is signed is taken as it is, and the walk goes on from there. */
  #isBackOnTrack(entry: Entry): boolean {
    // The bad line may have brought in another key.
    if (entry.key !== this.#fingerprint) this.#forgetKey();
    const publicKey = this.#signerOf(entry);
    if (publicKey === undefined || this.#isSigned({ entry, publicKey })) return true;
    this.#report('signature', this.#next, `The signature of entry ${this.#next} does not fit it.`);
    return false;
  }

  /** From here on nobody knows which key signs, up to the next that is brought in. */
  #forgetKey(): void {
    this.#publicKey = undefined;
    this.#fingerprint = undefined;
  }

  /** An entry that does not belong here: it is from elsewhere in the chain, or was changed itself. */
  #reportStranger(entry: Entry): void {
    const place = this.#next;
    const publicKey = this.#signerOf(entry);
    if (publicKey !== undefined && !this.#isSigned({ entry, publicKey })) {
      this.#report(
        'signature',
        place,
        `Entry ${place} was changed, or is none of this chain: its signature does not fit.`,
      );
    } else if (entry.seq > place) {
      const missing = entry.seq === place + 1 ? `Entry ${place} is` : `Entries ${place} to ${entry.seq - 1} are`;
      this.#report('sequence', place, `${missing} missing.`);
    } else if (entry.seq < place) {
      this.#report('sequence', place, `Entry ${entry.seq} stands a second time, where ${place} should.`);
    } else {
      this.#report('link', place, `Entry ${place} does not follow the one before it.`);
    }
  }

  #isKeyRight(entry: Entry): boolean {
    if (entry.seq === 0 || this.#fingerprint === undefined) {
      const isFirst = entry.seq === 0 && entry.type === 'key' && entry.body.reason === 'first';
      if (isFirst && entry.key === fingerprintOf(entry.body.publicKey)) return true;
      if (this.#fingerprint === undefined && entry.seq > 0) return true;
      this.#report('key', entry.seq, 'The chain does not begin with its own key.');
      return false;
    }
    if (entry.type === 'key' && entry.body.reason === 'lost') return this.#isAccepted(entry);
    if (entry.key === this.#fingerprint) return true;
    this.#report('key', entry.seq, `Entry ${entry.seq} is signed by a key that was not in use there.`);
    return false;
  }

  /** An owner who lost the key looks like a stranger who never had it; the reader has to decide. */
  #isAccepted(entry: EntryOf<'key'>): boolean {
    const fingerprint = fingerprintOf(entry.body.publicKey);
    if (entry.key === fingerprint && this.#options.acceptedKeys?.has(fingerprint) === true) return true;
    this.#report(
      'key',
      entry.seq,
      `From entry ${entry.seq} on another key signs (${fingerprint}), without the old one's consent.`,
    );
    return entry.key === fingerprint;
  }

  #signerOf(entry: Entry): string | undefined {
    const isOwn = entry.type === 'key' && entry.body.reason !== 'rotation';
    return isOwn ? entry.body.publicKey : this.#publicKey;
  }

  #changeKey(entry: EntryOf<'key'>): boolean {
    const { publicKey, proof } = entry.body;
    if (!this.#settle()) return false;
    const chain = this.#chain ?? fingerprintOf(publicKey);
    if (!isPossessionProved(publicKey, proof, chain, entry.seq)) {
      this.#report('key', entry.seq, `The key that entry ${entry.seq} brings in has not signed for itself.`);
    }
    this.#chain = chain;
    this.#publicKey = publicKey;
    this.#fingerprint = fingerprintOf(publicKey);
    return true;
  }

  #checkBody(entry: Entry): void {
    if (entry.type !== 'checkpoint' || !this.#isTreeWhole) return;
    const { size, root } = entry.body;
    if (size === this.#tree.size && size === entry.seq && root === this.#tree.root()) return;
    this.#report('checkpoint', entry.seq, `Checkpoint ${entry.seq} sums up other entries than those before it.`);
  }

  /** Checks the last signature, and if it does not fit, those it would have vouched for. False when one was bad. */
  #settle(): boolean {
    const last = this.#unchecked.at(-1);
    const waiting = this.#unchecked;
    this.#unchecked = [];
    if (last === undefined || this.#isSigned(last)) return true;
    for (const one of waiting) {
      if (one !== last && this.#isSigned(one)) continue;
      this.#report('signature', one.entry.seq, `The signature of entry ${one.entry.seq} does not fit it.`, one.line);
    }
    this.#isTreeWhole = false;
    return false;
  }

  #isSigned({ entry, publicKey }: Pick<Unchecked, 'entry' | 'publicKey'>): boolean {
    this.#signatures += 1;
    return isSignedBy(publicKey, signedBytes(entry), entry.sig);
  }

  #report(code: ChainFindingCode, seq: number, message: string, line = this.#line): void {
    this.#isTreeWhole = false;
    if (!this.isHopeless) this.findings.push({ code, seq, line, message });
  }
}
