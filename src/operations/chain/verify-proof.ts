import path from 'node:path';
import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { hashLine } from '../../chain/entry.ts';
import { linesOf, readChain } from '../../chain/file.ts';
import { parseEntry } from '../../chain/parse-entry.ts';
import { verifyProof, type ProofVerdict } from '../../chain/proof/verify-proof.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { homePaths } from '../../workspace/home-paths.ts';
import { defineVerb } from '../verb.ts';
import { parseJson } from '../../model/records.ts';

/** Without `trusted` only proofs of this home's own chain are valid. */
export const chainVerifyProof = defineVerb({
  name: 'chain verify-proof',
  summary: 'Check a proof against what is trusted, and against the chain of this home.',
  input: z.strictObject({
    proof: z.unknown().describe('The proof, as `chain prove` makes it.'),
    trusted: z.string().optional().describe('The public key or name of its chain, from somewhere else than the proof.'),
  }),
  args: ['proof', 'trusted'],
  effect: 'read',
  reach: 'shared',
  run: async (context, { proof, trusted }): Promise<ProofVerdict> =>
    verifyProofHere(proof, trusted, (await context.chain.open()).read()),
  http: false,
  // The command needs no home.
  cli: false,
});

/** More than any proof needs; a file that large is something else. */
const MAX_PROOF_BYTES = 16 * 1024 * 1024;

/**
 * Checks a proof's file; no home is needed, only the public key or the chain's name from somewhere trusted. Where the
 * home has that chain, it is asked too.
 */
export function verifyProofFile(file: string, key: string | undefined, home: string): ProofVerdict {
  const bytes = nodeFileSystem.read(path.resolve(file));
  if (bytes === undefined) {
    throw new MnemeError('not-found', `There is no file ${file}.`, {
      hint: '`mneme chain prove SEQ --out FILE` makes a proof.',
    });
  }
  if (bytes.length > MAX_PROOF_BYTES) throw new MnemeError('usage', `${file} is too large to be a proof.`);
  const proof = parseJson(bytes.toString('utf8'));
  return verifyProofHere(
    proof,
    key === undefined ? undefined : readTrusted(key),
    readChain({ paths: homePaths(home) }),
  );
}

/**
 * Checks a proof against the chain of a home, too. Of its own chain a home needs no key, and knows what nobody else can
 * tell from a proof: that a key which was replaced since has signed something that is not in the chain.
 */
function verifyProofHere(proof: unknown, trusted: string | undefined, chain: Buffer): ProofVerdict {
  const [firstLine] = linesOf(chain);
  const first = firstLine === undefined ? undefined : parseEntry(firstLine.toString('latin1'));
  const own = first === undefined || typeof first === 'string' ? undefined : first.key;
  const { claim } = verifyProof(proof);
  if (claim === null || own === undefined || claim.chain !== own) return verifyProof(proof, trusted);
  const { seq, hash } = claim.checkpoint;
  const line = lineAt(chain, seq);
  if (line !== undefined && hashLine(line) === hash) return verifyProof(proof, trusted ?? own);
  return { isValid: false, problems: [`the chain of this home has no such checkpoint ${seq}`], claim };
}

function lineAt(chain: Buffer, seq: number): Buffer | undefined {
  let at = 0;
  for (const line of linesOf(chain)) {
    if (at === seq) return line;
    at += 1;
  }
  return undefined;
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
