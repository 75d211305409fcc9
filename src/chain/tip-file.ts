import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem, replaceFile } from '../platform/fs.ts';
import { type ChainFinding, hashLine } from './entry.ts';
import { linesOf, type Tip } from './file.ts';

const tipSchema = z.strictObject({ chain: z.string(), entries: z.int().min(1), head: z.string() });

/** The journal's record of the chain, so that a removal of the chain's folder is noticed. */
export type NotedTip = Readonly<z.infer<typeof tipSchema>>;

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
