import path from 'node:path';
import { createPublicKey } from 'node:crypto';
import { verifyProof, type ProofVerdict } from '../../chain/proof/verify-proof.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';

/** More than any proof needs; a file that large is something else. */
const MAX_PROOF_BYTES = 16 * 1024 * 1024;

/** Checks a proof's file; no home is needed, only the public key or the chain's name from somewhere trusted. */
export function verifyProofFile(file: string, key?: string): ProofVerdict {
  const bytes = nodeFileSystem.read(path.resolve(file));
  if (bytes === undefined) {
    throw new MnemeError('not-found', `There is no file ${file}.`, {
      hint: '`mneme chain prove SEQ --out FILE` makes a proof.',
    });
  }
  if (bytes.length > MAX_PROOF_BYTES) throw new MnemeError('usage', `${file} is too large to be a proof.`);
  return verifyProof(parseJson(bytes.toString('utf8')), key === undefined ? undefined : readTrusted(key));
}

/** A public key as digits or PEM file, or a chain's name. */
export function readTrusted(given: string): string {
  if (/^(?:[0-9a-f]{64}|[0-9a-f]{32})$/iu.test(given)) return given.toLowerCase();
  const pem = nodeFileSystem.read(path.resolve(given))?.toString('utf8');
  try {
    const { x, crv } = createPublicKey(pem ?? '').export({ format: 'jwk' });
    if (crv === 'Ed25519' && x !== undefined) return Buffer.from(x, 'base64url').toString('hex');
  } catch (error) {
    throw notTrusted(given, error);
  }
  throw notTrusted(given);
}

function notTrusted(given: string, cause?: unknown): MnemeError {
  return new MnemeError('usage', `"${given}" is neither a public key nor the name of a chain.`, {
    hint: 'Give its digits as `mneme chain keys` shows them, or the file agent.pub.',
    cause,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
