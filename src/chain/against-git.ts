import { blobId } from '../workspace/git/blob-id.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findInGit, readFromGit } from './file.ts';
import type { ChainFinding } from './finding.ts';

const LINE_END = 0x0a;

/** Whether the chain still begins with what its own history has. */
export async function compareWithGit(workspace: Workspace, bytes: Buffer): Promise<ChainFinding[]> {
  const known = await findInGit(workspace);
  if (known === undefined || blobId(bytes.subarray(0, known.size)) === known.oid) return [];
  return compareWithCopy(bytes, await readFromGit(workspace), 'its history (git)');
}

/** Where a chain differs from a copy that was made of it earlier. */
export function compareWithCopy(bytes: Buffer, copy: Buffer, whose: string): ChainFinding[] {
  const shared = Math.min(bytes.length, copy.length);
  const isSame = bytes.subarray(0, shared).equals(copy.subarray(0, shared));
  if (isSame && bytes.length >= copy.length) return [];
  const at = isSame ? shared : firstDifference(bytes, copy);
  const seq = countLines(copy, at);
  const message = isSame
    ? `The chain ends before entry ${seq}, which ${whose} has.`
    : `Entry ${seq} is not the one that ${whose} has.`;
  return [{ code: isSame ? 'truncated' : 'rewritten', seq, line: seq + 1, message }];
}

function firstDifference(one: Buffer, other: Buffer): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  // Halving: the shared beginning is compared in large pieces, which is faster than byte by byte.
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    if (one.subarray(low, middle).equals(other.subarray(low, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function countLines(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1 && at < end; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}
