import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem, replaceFile } from '../platform/fs.ts';
import { type ChainFinding, hashLine } from './entry.ts';
import { linesOf, type Tip } from './file.ts';
import type { SigningKey } from './key-files.ts';
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

const tipSchema = z.strictObject({ chain: z.string(), entries: z.int().min(1), head: z.string() });

/** The journal's record of the chain, so that a removal of the chain's folder is noticed. */
type NotedTip = Readonly<z.infer<typeof tipSchema>>;

function tipFile(journal: string): string {
  return path.join(journal, 'chain', 'tip.json');
}

export function writeTip(journal: string, { chain, next, hash }: Tip): void {
  if (chain === undefined) return;
  const tip: NotedTip = { chain, entries: next, head: hash };
  const file = tipFile(journal);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  replaceFile(file, JSON.stringify(tip));
}

export function findTip(journal: string): NotedTip | undefined {
  const text = nodeFileSystem.read(tipFile(journal))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return tipSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the chain still has the last entry that was made on this machine. */
export function compareWithTip(bytes: Buffer, chain: string | undefined, tip: NotedTip | undefined): ChainFinding[] {
  if (tip === undefined) return [];
  const seq = tip.entries - 1;
  if (chain !== undefined && chain !== tip.chain) {
    const message = `This is another chain: the journal names ${tip.chain} with ${tip.entries} entries.`;
    return [{ code: 'rewritten', seq: 0, line: 1, message }];
  }
  let at = 0;
  for (const line of linesOf(bytes)) {
    if (at === seq) {
      if (hashLine(line) === tip.head) return [];
      const message = `Entry ${seq} is not the one that the journal names.`;
      return [{ code: 'rewritten', seq, line: seq + 1, message }];
    }
    at += 1;
  }
  const message = `The journal names ${tip.entries} entries of the chain; ${at === 0 ? 'none is' : `${at} are`} here.`;
  return [{ code: 'truncated', seq: at, line: at + 1, message }];
}
