import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import { type ChainFinding, canonical } from './entry.ts';
import { isSignedBy, signBytes, type SigningKey } from './key-files.ts';
import { Frontier } from './merkle.ts';
import { ChainWalker, type WalkOptions, type WalkState } from './walker.ts';
import { parseJson } from '../model/records.ts';

export interface VerifyResult {
  readonly chain: string | undefined;
  readonly entries: number;
  /** The hash of the last line; whoever notes it can tell later whether anything before it was changed. */
  readonly head: string;
  readonly publicKey: string | undefined;
  readonly findings: readonly ChainFinding[];
  /** Entries that were looked at one by one; the others were known to be right and are unchanged. */
  readonly walked: number;
  readonly signatures: number;
  readonly state: WalkState;
}

const LINE_END = 0x0a;

/** The bytes that need no second check, and the walk's state behind them. */
export interface KnownPart {
  readonly bytes: number;
  readonly state: WalkState;
}

/** Every line of a chain, or those from a place on up to which it is known. */
export function verifyChain(bytes: Buffer, options: WalkOptions = {}, from?: KnownPart): VerifyResult {
  const walker = new ChainWalker(options, from?.state);
  let at = from?.bytes ?? 0;
  for (let end = bytes.indexOf(LINE_END, at); end !== -1 && !walker.isHopeless; end = bytes.indexOf(LINE_END, at)) {
    walker.take(bytes.subarray(at, end));
    at = end + 1;
  }
  walker.end();
  const state = walker.state();
  // A signature is looked at when something behind it is wrong, so that it may be told late.
  const findings = walker.findings.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  if (at < bytes.length && !walker.isHopeless) {
    findings.push({
      code: 'torn',
      seq: state.next,
      line: state.next + 1,
      message: `The last line breaks off: ${bytes.length - at} bytes belong to no entry.`,
    });
  }
  return {
    chain: state.chain,
    entries: state.next,
    head: state.head,
    publicKey: state.publicKey,
    findings,
    walked: state.next - (from?.state.next ?? 0),
    signatures: walker.signatures,
    state,
  };
}

const sealSchema = z.strictObject({
  /** The number of verified bytes, and their hash. */
  bytes: z.int().min(0),
  sha256: z.string(),
  entries: z.int().min(0),
  head: z.string(),
  time: z.string(),
  chain: z.string(),
  publicKey: z.string(),
  peaks: z.array(z.tuple([z.string(), z.int().min(1)])),
  sig: z.string(),
});

/**
 * The last verified state, signed with the chain's own key, so that without that key a changed chain cannot pass as one
 * that was looked at already.
 */
export type Seal = Readonly<z.infer<typeof sealSchema>>;

const SEAL_DOMAIN = 'mneme chain seal 1\n';

export function makeSeal(bytes: Buffer, { state, findings }: VerifyResult, key: SigningKey): Seal | undefined {
  const { chain, publicKey, next, head, time, tree } = state;
  if (findings.length > 0 || chain === undefined || publicKey !== key.publicKey) return undefined;
  const peaks = tree.toJSON() as [string, number][];
  const sealed = {
    bytes: bytes.length,
    sha256: hash('sha256', bytes),
    entries: next,
    head,
    time,
    chain,
    publicKey,
    peaks,
  };
  return { ...sealed, sig: signBytes(key, sealBytes(sealed)) };
}

/** Undefined for what its own key did not sign; whose key that is the reader has to compare. */
export function parseSeal(text: string): Seal | undefined {
  const seal = sealSchema.safeParse(parseJson(text)).data;
  if (seal === undefined || !/^[0-9a-f]{64}$/u.test(seal.publicKey)) return undefined;
  const { sig, ...sealed } = seal;
  return /^[0-9a-f]{128}$/u.test(sig) && isSignedBy(seal.publicKey, sealBytes(sealed), sig) ? seal : undefined;
}

/** Whether the part of the file that was verified is still the same, byte for byte. */
export function holdsSealed(bytes: Buffer, seal: Seal): 'same' | 'shorter' | 'changed' {
  if (bytes.length < seal.bytes) return 'shorter';
  const digest = createHash('sha256').update(bytes.subarray(0, seal.bytes)).digest('hex');
  return digest === seal.sha256 ? 'same' : 'changed';
}

export function sealedPart({ bytes, entries, head, time, chain, publicKey, peaks }: Seal): KnownPart {
  return { bytes, state: { next: entries, head, time, chain, publicKey, tree: Frontier.from(peaks) } };
}

function sealBytes(sealed: Omit<Seal, 'sig'>): Buffer {
  return Buffer.from(SEAL_DOMAIN + canonical(sealed), 'utf8');
}
