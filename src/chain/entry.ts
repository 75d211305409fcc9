import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { must } from '../model/errors.ts';
import { parseTranscript } from '../workspace/formats/transcript.ts';
import { parseDocument } from '../workspace/markdown/document.ts';

/** A fault in a chain, and its place. */
export interface ChainFinding {
  readonly code: ChainFindingCode;
  /** The entry it was found at; null when it is about the whole. */
  readonly seq: number | null;
  /** Its line in chain.jsonl, from 1; null when it is not about a line. */
  readonly line: number | null;
  readonly message: string;
}

export type ChainFindingCode =
  /** The line is no entry: damaged, torn, spelled differently. */
  | 'unreadable'
  | 'torn'
  /** The signature does not fit what stands there. */
  | 'signature'
  /** The entry does not follow the one before it. */
  | 'sequence'
  | 'link'
  | 'time'
  | 'key'
  | 'checkpoint'
  /** Less than was there before, or something else: against a head noted earlier, git, or an anchor. */
  | 'truncated'
  | 'rewritten'
  /** The current content differs from the content the entry committed to. */
  | 'content'
  | 'opening'
  | 'anchor'
  | 'other-chain';

/** Entries that commit to content: what was said, decided or approved. */
export const CONTENT_TYPES = [
  'identity',
  'decision',
  'commitment',
  'remember',
  'proposal',
  'milestone',
  'transcript',
] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Entries about the chain itself; what they state stands in their body. */
export const BODY_TYPES = ['key', 'checkpoint', 'anchor', 'erasure', 'link'] as const;
export type BodyType = (typeof BODY_TYPES)[number];

export type EntryType = ContentType | BodyType;

/** The Merkle root over salted pieces: a text is one piece, a transcript one a turn. */
export interface Content {
  readonly leaves: number;
  readonly root: string;
}

export interface Reference {
  /** The mutation that brought it into the memory. */
  readonly mutation?: string | undefined;
  /** The item it became. */
  readonly item?: string | undefined;
}

export interface Head {
  readonly chain: string;
  readonly seq: number;
  readonly head: string;
}

export const KEY_REASONS = ['first', 'rotation', 'lost'] as const;

export interface KeyBody {
  /** 32 bytes, as hexadecimal digits. */
  readonly publicKey: string;
  /** `lost`: the old key could not sign the change; nothing but the reader's own trust joins the two. */
  readonly reason: (typeof KEY_REASONS)[number];
  /** The new key's signature: it was there. */
  readonly proof: string;
}

export interface CheckpointBody {
  /** Entries 0 … size − 1 are below the root. */
  readonly size: number;
  readonly root: string;
}

export const ANCHOR_KINDS = ['file', 'git', 'evm'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

export interface AnchorBody {
  readonly kind: AnchorKind;
  /** Sequence number and hash of the checkpoint that was anchored. */
  readonly seq: number;
  readonly head: string;
  /** A commit or transaction, where the place gives one. */
  readonly receipt: string | null;
}

export interface ErasureTarget {
  readonly seq: number;
  readonly leaf: number;
}

export interface Bodies {
  readonly key: KeyBody;
  readonly checkpoint: CheckpointBody;
  readonly anchor: AnchorBody;
  readonly erasure: { readonly targets: readonly ErasureTarget[] };
  readonly link: Head;
}

interface Signed {
  readonly v: 1;
  readonly seq: number;
  /** By the clock of the machine, in UTC. */
  readonly time: string;
  /** The hash of the line before. */
  readonly prev: string;
  /** The fingerprint of the key that signed. */
  readonly key: string;
  readonly sig: string;
}

export type ContentEntry = Signed & { readonly type: ContentType; readonly content: Content; readonly ref: Reference };

export type BodyEntry = {
  readonly [Type in BodyType]: Signed & { readonly type: Type; readonly body: Bodies[Type] };
}[BodyType];

export type Entry = ContentEntry | BodyEntry;

export type EntryOf<Type extends BodyType> = Extract<BodyEntry, { readonly type: Type }>;

/** The `prev` of the first entry. */
export const NO_ENTRY = '0'.repeat(64);

/** Puts a signature for one purpose out of the reach of any other. */
const ENTRY_DOMAIN = 'mneme chain entry 1\n';

export function canonical(value: unknown): string {
  return must(canonicalize(value), 'a value that has a canonical form');
}

export function serializeEntry(entry: Entry): string {
  return canonical(entry);
}

/** The bytes that are signed: the entry without its signature. */
export function signedBytes(entry: Omit<Entry, 'sig'> | Entry): Buffer {
  const { sig: _sig, ...rest } = entry as Entry;
  return Buffer.from(ENTRY_DOMAIN + canonical(rest), 'utf8');
}

/** The hash that the next entry names as `prev`: of the whole line, signature included. */
export function hashLine(line: string | Uint8Array): string {
  return hash('sha256', line, 'hex');
}

export function isContentEntry(entry: Entry): entry is ContentEntry {
  return 'content' in entry;
}

/**
 * A transcript as the pieces that are committed to: what stands before the first turn, then a piece a turn, from its
 * heading to the next. Together they are the file, byte for byte.
 */
export function splitTranscript(text: string): Buffer[] {
  const starts = new Set(parseTranscript(parseDocument(text)).turns.map(({ startLine }) => startLine));
  const pieces: string[] = [''];
  let number = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    number += 1;
    if (starts.has(number)) pieces.push('');
    pieces[pieces.length - 1] += line;
  }
  return pieces.map((piece) => Buffer.from(piece, 'utf8'));
}

export function splitText(text: string): Buffer[] {
  return [Buffer.from(text, 'utf8')];
}
