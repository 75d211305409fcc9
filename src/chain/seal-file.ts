import fs from 'node:fs';
import path from 'node:path';
import { nodeFileSystem, replaceFile } from '../platform/fs.ts';
import type { ChainFinding } from './entry.ts';
import type { SigningKey } from './keys.ts';
import { holdsSealed, makeSeal, parseSeal, sealedPart, verifyChain, type Seal, type VerifyResult } from './verify.ts';
import type { WalkOptions } from './walker.ts';

/** In the journal, because it must not go when state/ goes: it also tells when the chain was cut. */
function sealFile(journal: string): string {
  return path.join(journal, 'chain', 'verified.json');
}

export interface VerifyOptions extends WalkOptions {
  readonly journal: string;
  readonly key: SigningKey | undefined;
  /** Look at every entry again, whatever was verified before. */
  readonly fromStart?: boolean | undefined;
}

/**
 * Verifies a chain, and of what was verified before only that it is the same byte for byte. What comes out right is noted
 * for the next time.
 */
export function verifySealed(bytes: Buffer, options: VerifyOptions): VerifyResult {
  const { journal, key } = options;
  const seal = findSeal(journal);
  const held = seal === undefined ? 'none' : holdsSealed(bytes, seal);
  // Only what this machine's own key vouches for is not looked at again; against any other it is compared.
  const isUsed = held === 'same' && seal?.publicKey === key?.publicKey && options.fromStart !== true;
  const result = verifyChain(bytes, options, seal !== undefined && isUsed ? sealedPart(seal) : undefined);
  const findings = [...result.findings, ...(seal === undefined ? [] : compareWithSeal(result, seal, held))];
  if (key !== undefined && findings.length === 0) writeSeal(journal, makeSeal(bytes, result, key));
  return { ...result, findings };
}

function compareWithSeal({ chain, entries, findings }: VerifyResult, seal: Seal, held: string): ChainFinding[] {
  if (chain !== undefined && chain !== seal.chain) {
    const message = `Chain ${seal.chain} with ${seal.entries} entries was verified here; this is another one.`;
    return [{ code: 'rewritten', seq: 0, line: 1, message }];
  }
  if (held === 'shorter') {
    const message = `The chain had ${seal.entries} entries when it was last verified, and has ${entries} now.`;
    return [{ code: 'truncated', seq: entries, line: entries + 1, message }];
  }
  // Changed and still right in itself: somebody who has the key wrote it anew.
  if (held !== 'changed' || findings.length > 0) return [];
  const message = `What was verified before, up to entry ${seal.entries - 1}, was replaced by other entries.`;
  return [{ code: 'rewritten', seq: seal.entries - 1, line: seal.entries, message }];
}

/** The last verified state; undefined while there is none. */
export function findSeal(journal: string): Seal | undefined {
  const text = nodeFileSystem.read(sealFile(journal))?.toString('utf8');
  return text === undefined ? undefined : parseSeal(text);
}

function writeSeal(journal: string, seal: Seal | undefined): void {
  if (seal === undefined) return;
  const file = sealFile(journal);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  replaceFile(file, JSON.stringify(seal));
}
