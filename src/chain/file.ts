import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { CHAIN_FILE } from '../workspace/chain-log.ts';
import { blobId } from '../workspace/known-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { hashLine, NO_ENTRY, type Entry } from './entry.ts';
import { fingerprintOf } from './key-files.ts';
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
 * Nothing is added to a file that was changed, since git would then take over the change. Returns what was done, in words.
 */
export async function mendTail(workspace: Workspace): Promise<string[]> {
  const file = chainFile(workspace);
  const bytes = readChain(workspace);
  const known = await findInGit(workspace);
  if (known !== undefined && known.size > bytes.length) return [await restoreTail(workspace, file, bytes)];
  if (known !== undefined && blobId(bytes.subarray(0, known.size)) !== known.oid) throw changedError(file);
  const end = bytes.lastIndexOf(LINE_END) + 1;
  if (end === bytes.length) return [];
  fs.truncateSync(file, end);
  return [`${bytes.length - end} bytes at the end of ${CHAIN_FILE} were no entry and were cut off`];
}

async function restoreTail(workspace: Workspace, file: string, bytes: Buffer): Promise<string> {
  const known = await readFromGit(workspace);
  if (!known.subarray(0, bytes.length).equals(bytes)) throw changedError(file);
  fs.appendFileSync(file, known.subarray(bytes.length), { flush: true });
  return `${known.length - bytes.length} bytes of ${CHAIN_FILE} were missing and came back from its history`;
}

function changedError(file: string): MnemeError {
  return new MnemeError('integrity', `${file} is not what its history says.`, {
    hint: '`mneme chain verify` shows where; nothing is added before it is put right (`git restore chain.jsonl` in its folder).',
  });
}

/** The chain as it was last committed; undefined while it never was. */
export async function findInGit({
  git,
  paths,
}: Pick<Workspace, 'git' | 'paths'>): Promise<{ readonly oid: string; readonly size: number } | undefined> {
  if (!fs.existsSync(path.join(paths.repositories.chain.gitDir, 'HEAD'))) return undefined;
  const answer = await git.chain.text(['cat-file', '--batch-check'], { input: `HEAD:${CHAIN_FILE}\n` });
  const [oid = '', type, size] = answer.split(' ');
  return type === 'blob' ? { oid, size: Number(size) } : undefined;
}

export function readFromGit({ git }: Pick<Workspace, 'git'>): Promise<Buffer> {
  return git.chain.bytes(['cat-file', 'blob', `HEAD:${CHAIN_FILE}`]);
}

function mustParse(line: Buffer, which: string): Entry {
  const entry = parseEntry(line.toString('latin1'));
  if (typeof entry !== 'string') return entry;
  throw new MnemeError('integrity', `The ${which} entry of the chain cannot be read: ${entry}.`, {
    hint: '`mneme chain verify` shows what is wrong; nothing is added before that is settled.',
  });
}
