import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { CHAIN_FILE } from '../workspace/chain-log.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { hashLine, NO_ENTRY, type Entry } from './entry.ts';
import { fingerprintOf } from './keys.ts';
import { parseEntry } from './parse-entry.ts';

const LINE_END = 0x0a;

/** Where a chain ends, as far as its last line tells. */
export interface Tip {
  /** The number of the next entry. */
  readonly next: number;
  readonly hash: string;
  readonly time: string;
  /** The key that signs the next entry, and the first one, which names the chain; undefined while there is none. */
  readonly key: string | undefined;
  readonly chain: string | undefined;
  readonly bytes: Buffer;
}

export function chainFile({ paths }: Pick<Workspace, 'paths'>): string {
  return path.join(paths.repositories.chain.workTree, CHAIN_FILE);
}

export function readChain(workspace: Pick<Workspace, 'paths'>): Buffer {
  return nodeFileSystem.read(chainFile(workspace)) ?? Buffer.alloc(0);
}

export function readTip(bytes: Buffer): Tip {
  if (bytes.length === 0) return { next: 0, hash: NO_ENTRY, time: '', key: undefined, chain: undefined, bytes };
  const start = bytes.lastIndexOf(LINE_END, bytes.length - 2) + 1;
  const last = bytes.subarray(start, bytes.length - 1);
  const entry = mustParse(last, 'last');
  const first = mustParse(bytes.subarray(0, bytes.indexOf(LINE_END)), 'first');
  const key = entry.type === 'key' ? fingerprintOf(entry.body.publicKey) : entry.key;
  return { next: entry.seq + 1, hash: hashLine(last), time: entry.time, key, chain: first.key, bytes };
}

/** Every entry that can be read, with its line; what cannot is for `verify` to tell. */
export function* readEntries(bytes: Buffer): Generator<{ readonly entry: Entry; readonly line: Buffer }> {
  for (const line of linesOf(bytes)) {
    const entry = parseEntry(line.toString('latin1'));
    if (typeof entry !== 'string') yield { entry, line };
  }
}

export function* linesOf(bytes: Buffer): Generator<Buffer> {
  let at = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, at)) {
    yield bytes.subarray(at, end);
    at = end + 1;
  }
}

/**
 * Brings the file to the state in which it can be added to. What git has beyond it is put back: an entry that was signed
 * must never be signed differently. A line that breaks off, and that git does not know, was never acknowledged and goes.
 * Returns what was done, in words.
 */
export async function mendTail(workspace: Workspace): Promise<string[]> {
  const file = chainFile(workspace);
  const bytes = readChain(workspace);
  const isTorn = bytes.length > 0 && bytes.at(-1) !== LINE_END;
  const committed = await sizeInGit(workspace);
  if (!isTorn && committed <= bytes.length) return [];
  const known = committed === 0 ? Buffer.alloc(0) : await readFromGit(workspace);
  const shared = Math.min(known.length, bytes.length);
  if (known.length > bytes.length && known.subarray(0, shared).equals(bytes)) {
    fs.appendFileSync(file, known.subarray(shared), { flush: true });
    return [`${known.length - shared} bytes of ${CHAIN_FILE} were missing and came back from its history`];
  }
  if (known.length > bytes.length) {
    throw new MnemeError('integrity', `${file} is not what its history says.`, {
      hint: '`mneme chain verify` shows where; nothing is added before that is settled.',
    });
  }
  const end = bytes.lastIndexOf(LINE_END) + 1;
  fs.truncateSync(file, end);
  return [`${bytes.length - end} bytes at the end of ${CHAIN_FILE} were no entry and were cut off`];
}

/** 0 while git has none. */
export async function sizeInGit({ git, paths }: Pick<Workspace, 'git' | 'paths'>): Promise<number> {
  if (!fs.existsSync(path.join(paths.repositories.chain.gitDir, 'HEAD'))) return 0;
  const result = await git.chain.attempt(['cat-file', '-s', `HEAD:${CHAIN_FILE}`]);
  return result.code === 0 ? Number(result.stdout.toString('utf8')) : 0;
}

export function readFromGit({ git }: Pick<Workspace, 'git'>, commit = 'HEAD'): Promise<Buffer> {
  return git.chain.bytes(['cat-file', 'blob', `${commit}:${CHAIN_FILE}`]);
}

function mustParse(line: Buffer, which: string): Entry {
  const entry = parseEntry(line.toString('latin1'));
  if (typeof entry !== 'string') return entry;
  throw new MnemeError('integrity', `The ${which} entry of the chain cannot be read: ${entry}.`, {
    hint: '`mneme chain verify` shows what is wrong; nothing is added before that is settled.',
  });
}
