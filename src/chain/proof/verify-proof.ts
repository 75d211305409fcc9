import { z } from 'zod';
import {
  isContentEntry,
  hashLine,
  serializeEntry,
  signedBytes,
  type ContentEntry,
  type Entry,
  type EntryOf,
} from '../entry.ts';
import { fingerprintOf, isPossessionProved, isSignedBy } from '../key-files.ts';
import { hashEntryLeaf, hashPiece, rootFromPath } from '../merkle.ts';
import { findEntry } from '../parse-entry.ts';

export interface ProofVerdict {
  /** Whether it proves its claim to a reader who trusts the given key. */
  readonly isValid: boolean;
  /** Why not; empty when it does. */
  readonly problems: readonly string[];
  /** The proof's claim; null when it is inconsistent in itself. */
  readonly claim: ProofClaim | null;
}

export interface ProofClaim {
  readonly chain: string;
  readonly seq: number;
  readonly type: string;
  readonly time: string;
  /** The words, null when they were erased or the entry has none. */
  readonly text: string | null;
  /** When the erasure was entered. */
  readonly erased: string | null;
  readonly checkpoint: { readonly seq: number; readonly hash: string; readonly time: string };
  /** The fingerprint of the key that signed the checkpoint. A key that was replaced later could still sign another proof. */
  readonly signer: string;
}

class Refused extends Error {}

const NO_KEY = 'no key was given: anybody can make a proof that agrees with itself';

/**
 * Checks whether a proof proves what it says. `trusted` is a public key (64 hexadecimal digits) or a chain's name (32) that
 * the reader has from elsewhere; without one nothing is proved.
 */
export function verifyProof(value: unknown, trusted?: string): ProofVerdict {
  const parsed = proofSchema.safeParse(value);
  if (!parsed.success) return { isValid: false, problems: ['it is not written as a proof is'], claim: null };
  try {
    const claim = check(parsed.data, trusted);
    return { isValid: trusted !== undefined, problems: trusted === undefined ? [NO_KEY] : [], claim };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { isValid: false, problems: [error.message], claim: null };
  }
}

function check(proof: Proof, trusted: string | undefined): ProofClaim {
  const keys = readKeys(proof);
  const root = rootIndex(keys, trusted);
  for (const [index, key] of keys.entries()) checkKey(keys, index, proof.chain, key, index > root);
  const checkpoint = readEntry(proof.checkpoint, 'the checkpoint');
  if (checkpoint.type !== 'checkpoint') throw new Refused('the checkpoint is none');
  const signer = checkSignature(keys, checkpoint, 'the checkpoint');
  if (signer < root) throw new Refused('the checkpoint is signed by a key from before the trusted one');
  const entry = checkIncluded(keys, proof.entry, checkpoint, 'the entry');
  const opening = checkOpening(entry, proof.opening);
  const erasure = checkErasure(keys, proof, entry, checkpoint);
  checkTimes([...keys, entry, checkpoint, ...(erasure === undefined ? [] : [erasure])]);
  const { seq, type, time } = entry;
  const hash = hashLine(serializeEntry(checkpoint));
  return {
    chain: proof.chain,
    seq,
    type,
    time,
    text: opening,
    erased: erasure?.time ?? null,
    checkpoint: { seq: checkpoint.seq, hash, time: checkpoint.time },
    signer: checkpoint.key,
  };
}

type KeyEntry = EntryOf<'key'>;

function readKeys({ keys, chain }: Proof): KeyEntry[] {
  const read = keys.map((value) => {
    const entry = readEntry(value, 'a key');
    if (entry.type !== 'key') throw new Refused('what should bring in a key does not');
    return entry;
  });
  const [first] = read;
  if (first?.seq !== 0 || first.body.reason !== 'first') throw new Refused('the first key does not begin the chain');
  if (fingerprintOf(first.body.publicKey) !== chain) throw new Refused('the first key does not name the chain');
  return read;
}

/** Where trust begins: at the key that the reader knows. */
function rootIndex(keys: readonly KeyEntry[], trusted: string | undefined): number {
  if (trusted === undefined) return 0;
  const index = keys.findIndex(({ body }) => body.publicKey === trusted || fingerprintOf(body.publicKey) === trusted);
  if (index === -1) throw new Refused('it is not of the chain or key that you trust');
  return index;
}

function checkKey(
  keys: readonly KeyEntry[],
  index: number,
  chain: string,
  entry: KeyEntry,
  isAfterRoot: boolean,
): void {
  const before = keys[index - 1];
  const { publicKey, reason, proof } = entry.body;
  if (before !== undefined && (reason === 'first' || entry.seq <= before.seq))
    throw new Refused('the keys are not in order');
  if (isAfterRoot && reason === 'lost')
    throw new Refused('a key was replaced without the consent of the one before it');
  const signer = reason === 'rotation' ? before?.body.publicKey : publicKey;
  const isRight =
    signer !== undefined && entry.key === fingerprintOf(signer) && isSignedBy(signer, signedBytes(entry), entry.sig);
  if (!isRight) throw new Refused(`the signature of key entry ${entry.seq} does not fit`);
  if (!isPossessionProved(publicKey, proof, chain, entry.seq)) {
    throw new Refused(`the key of entry ${entry.seq} has not signed for itself`);
  }
}

/** By the key that was in use at its place; returns which. */
function checkSignature(keys: readonly KeyEntry[], entry: Entry, what: string): number {
  // A change of key is signed by the one before it, every other entry by the last one brought in.
  const index = keys.findLastIndex(({ seq }) => seq < entry.seq);
  const publicKey = entry.type === 'key' ? signerOf(keys, entry) : keys[index]?.body.publicKey;
  const isRight =
    publicKey !== undefined &&
    entry.key === fingerprintOf(publicKey) &&
    isSignedBy(publicKey, signedBytes(entry), entry.sig);
  if (!isRight) throw new Refused(`the signature of ${what} does not fit`);
  return index;
}

function signerOf(keys: readonly KeyEntry[], entry: KeyEntry): string | undefined {
  if (entry.body.reason !== 'rotation') return entry.body.publicKey;
  return keys.findLast(({ seq }) => seq < entry.seq)?.body.publicKey;
}

function checkIncluded(
  keys: readonly KeyEntry[],
  { entry: value, path }: Proof['entry'],
  checkpoint: EntryOf<'checkpoint'>,
  what: string,
): Entry {
  const entry = readEntry(value, what);
  checkSignature(keys, entry, what);
  const leaf = hashEntryLeaf(hashLine(serializeEntry(entry)));
  const { size, root } = checkpoint.body;
  if (size !== checkpoint.seq) throw new Refused('the checkpoint does not sum up all before it');
  if (rootFromPath(leaf, entry.seq, size, path) !== root)
    throw new Refused(`${what} is not among those of the checkpoint`);
  return entry;
}

function checkOpening(entry: Entry, opening: Proof['opening']): string | null {
  if (opening === undefined) {
    if (isContentEntry(entry)) throw new Refused('what the entry commits to is not opened');
    return null;
  }
  if (!isContentEntry(entry)) throw new Refused('the entry commits to nothing that could be opened');
  const text = 'text' in opening ? opening.text : null;
  const hash = 'text' in opening ? hashPiece(opening.salt, Buffer.from(opening.text, 'utf8')) : opening.hash;
  const { leaves, root } = entry.content;
  if (rootFromPath(hash, opening.leaf, leaves, opening.path) !== root) {
    throw new Refused('the words are not those that the entry commits to');
  }
  return text;
}

function checkErasure(
  keys: readonly KeyEntry[],
  { erasure, opening }: Proof,
  entry: Entry,
  checkpoint: EntryOf<'checkpoint'>,
): Entry | undefined {
  const isHidden = opening !== undefined && !('text' in opening);
  if (erasure === undefined) {
    if (isHidden) throw new Refused('the words are missing and no erasure is shown');
    return undefined;
  }
  const erasing = checkIncluded(keys, erasure, checkpoint, 'the erasure');
  if (erasing.type !== 'erasure') throw new Refused('the erasure is none');
  const { seq } = entry as ContentEntry;
  const isNamed =
    opening !== undefined && erasing.body.targets.some((one) => one.seq === seq && one.leaf === opening.leaf);
  if (!isNamed || erasing.seq <= seq) throw new Refused('the erasure is of something else');
  return erasing;
}

/** Later entries have later times, so none is from before the key that signed it, and each number stands for one entry. */
function checkTimes(entries: readonly Entry[]): void {
  const sorted = entries.toSorted((one, other) => one.seq - other.seq);
  for (const [index, entry] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined) continue;
    if (before.seq === entry.seq && serializeEntry(before) !== serializeEntry(entry))
      throw new Refused(`entry ${entry.seq} is there twice, and differs`);
    if (entry.time < before.time) throw new Refused(`entry ${entry.seq} is dated before entry ${before.seq}`);
  }
}

function readEntry(value: unknown, what: string): Entry {
  const entry = findEntry(value);
  if (entry === undefined) throw new Refused(`${what} is no entry`);
  return entry;
}

/*
 * A proof is one small JSON file that anybody can check with nothing but it and the chain's first public key. Entries are
 * kept as plain objects here; they are read strictly when the proof is verified.
 */

export const PROOF_FORMAT = 'mneme-proof-1';

const hashText = z.string().regex(/^[0-9a-f]{64}$/u);
const hashes = z.array(hashText).max(64);
const entry = z.record(z.string(), z.unknown());
const included = z.strictObject({ entry, path: hashes });

const proofSchema = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  /** The fingerprint of the first key. */
  chain: z.string().regex(/^[0-9a-f]{32}$/u),
  /** Every entry that brought in a key, the first one first. */
  keys: z.array(entry).min(1).max(1000),
  /** The entry that is proved, and its way to the checkpoint's root. */
  entry: included,
  /** The words and their salt, or for what was erased only the hash; absent for entries about the chain itself. */
  opening: z
    .union([
      z.strictObject({
        leaf: z.int().min(0),
        salt: z.string().regex(/^[0-9a-f]{32}$/u),
        text: z.string(),
        path: hashes,
      }),
      z.strictObject({ leaf: z.int().min(0), hash: hashText, path: hashes }),
    ])
    .optional(),
  /** The entry that says the piece was erased. */
  erasure: included.optional(),
  /** The signed sum of everything before it. */
  checkpoint: entry,
});

export type Proof = Readonly<z.infer<typeof proofSchema>>;
