import { MnemeError, must } from '../../model/errors.ts';
import { findPieces, isUnchanged } from '../content/check-content.ts';
import type { Opening, Openings } from '../content/openings.ts';
import { hashLine, isContentEntry, type ContentEntry, type Entry, type EntryOf } from '../entry.ts';
import { readEntries } from '../file.ts';
import { hashEntryLeaf, pathOf } from '../merkle.ts';
import { PROOF_FORMAT, type Proof } from './verify-proof.ts';

export interface ProofRequest {
  readonly seq: number;
  /** Which piece: the turn of a transcript. */
  readonly leaf: number;
}

/** Entries in order, with the leaves of the tree that checkpoints sign. */
export interface ReadChain {
  readonly entries: readonly Entry[];
  readonly leaves: readonly string[];
}

export function readForProof(bytes: Buffer): ReadChain {
  const entries: Entry[] = [];
  const leaves: string[] = [];
  for (const { entry, line } of readEntries(bytes)) {
    entries.push(entry);
    leaves.push(hashEntryLeaf(hashLine(line)));
  }
  return { entries, leaves };
}

/** The first checkpoint behind everything that has to be shown; undefined when one has to be made. */
export function findCheckpoint({ entries }: ReadChain, behind: number): EntryOf<'checkpoint'> | undefined {
  for (const entry of entries) if (entry.type === 'checkpoint' && entry.seq > behind) return entry;
  return undefined;
}

/** The entry that says a piece was erased. */
export function findErasure({ entries }: ReadChain, { seq, leaf }: ProofRequest): EntryOf<'erasure'> | undefined {
  for (const entry of entries) {
    if (entry.type !== 'erasure') continue;
    if (entry.body.targets.some((target) => target.seq === seq && target.leaf === leaf)) return entry;
  }
  return undefined;
}

export function makeProof(
  chain: ReadChain,
  checkpoint: EntryOf<'checkpoint'>,
  request: ProofRequest,
  { openings, rawFolder }: { readonly openings: Openings; readonly rawFolder: string },
): Proof {
  const entry = getEntry(chain, request.seq);
  const below = chain.leaves.slice(0, checkpoint.body.size);
  const include = (one: Entry): Proof['entry'] => ({ entry: { ...one }, path: pathOf(below, one.seq) });
  const erasure = findErasure(chain, request);
  const [first] = chain.entries;
  return {
    format: PROOF_FORMAT,
    chain: must(first, 'the first entry').key,
    keys: chain.entries.flatMap((one) => (one.type === 'key' && one.seq < checkpoint.seq ? [{ ...one }] : [])),
    entry: include(entry),
    ...(isContentEntry(entry)
      ? { opening: openPiece(entry, request.leaf, openings.find(entry), rawFolder, erasure) }
      : {}),
    ...(erasure === undefined ? {} : { erasure: include(erasure) }),
    checkpoint: { ...checkpoint },
  };
}

export function getEntry({ entries }: ReadChain, seq: number): Entry {
  const entry = entries[seq];
  if (entry?.seq === seq) return entry;
  throw new MnemeError('not-found', `There is no entry ${seq}; the last one is ${entries.length - 1}.`, {
    hint: '`mneme chain show` lists them.',
  });
}

function openPiece(
  { seq, content }: ContentEntry,
  leaf: number,
  opening: Opening | undefined,
  rawFolder: string,
  erasure: Entry | undefined,
): NonNullable<Proof['opening']> {
  if (leaf >= content.leaves) {
    throw new MnemeError('not-found', `Entry ${seq} has ${content.leaves - 1} turns, not ${leaf}.`);
  }
  if (opening === undefined) throw notProvable(seq, 'what opens it is missing or damaged in content/');
  const path = pathOf(opening.leaves, leaf);
  if (erasure !== undefined) return { leaf, hash: must(opening.leaves[leaf], 'the hash of a piece'), path };
  const pieces = findPieces(rawFolder, opening);
  const salt = opening.salts[leaf];
  const piece = pieces?.[leaf];
  if (piece === undefined || typeof salt !== 'string') throw notProvable(seq, 'its words are gone');
  if (!isUnchanged(opening, leaf, pieces ?? [])) throw notProvable(seq, 'its words are not those it committed to');
  return { leaf, salt, text: piece.toString('utf8'), path };
}

function notProvable(seq: number, why: string): MnemeError {
  return new MnemeError('integrity', `Entry ${seq} cannot be proved: ${why}.`, {
    hint: '`mneme chain verify` shows what is wrong.',
  });
}
