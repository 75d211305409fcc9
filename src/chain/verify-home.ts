import type { Workspace } from '../workspace/workspace.ts';
import type { Chain } from './chain.ts';
import { checkContent, type ContentCheck } from './content/check-content.ts';
import { type ChainFinding, type ContentEntry, type ErasureTarget, isContentEntry } from './entry.ts';
import { readEntries, findInGit, readFromGit } from './file.ts';
import { linksOf, readOthers, type OtherChain } from './others.ts';
import { listChangedNotes } from './record/queue.ts';
import { compareWithTip, findTip, verifySealed } from './seal-file.ts';
import type { VerifyResult } from './verify.ts';
import { blobId } from '../workspace/known-files.ts';

export interface HomeVerifyOptions {
  readonly workspace: Workspace;
  readonly acceptedKeys: readonly string[];
  /** Every entry and every signature, whatever was verified before. */
  readonly full: boolean;
  /** Also what the entries commit to. */
  readonly content: boolean;
  readonly onProgress?: ((step: string) => void) | undefined;
}

export interface HomeVerified {
  readonly bytes: Buffer;
  readonly walked: VerifyResult;
  readonly content: ContentCheck | undefined;
  readonly others: readonly OtherChain[];
  /** Of all of them. */
  readonly findings: readonly ChainFinding[];
}

/** The chain in itself, against its history, against the words it commits to, and other machines' chains that are here. */
export async function verifyHomeChain(chain: Chain, options: HomeVerifyOptions): Promise<HomeVerified> {
  const { workspace, onProgress } = options;
  // Git follows the journal: compared before, it would lag behind by what was just entered.
  await workspace.drain();
  const bytes = chain.read();
  onProgress?.('entries');
  const walked = verifySealed(bytes, {
    journal: workspace.paths.journal,
    key: chain.keys.read(),
    fromStart: options.full,
    everySignature: options.full,
    acceptedKeys: new Set(options.acceptedKeys),
  });
  onProgress?.('history');
  const inGit = await compareWithGit(workspace, bytes);
  const others = walked.chain === undefined ? [] : await readOthers(workspace.git.chain, walked.chain, linksOf(bytes));
  if (options.content) onProgress?.('transcripts and texts');
  const content = options.content ? checkWords(chain, bytes) : undefined;
  const { journal } = workspace.paths;
  const known = new Set(walked.findings.map(({ code }) => code));
  // Said once: the journal names what was verified, and more.
  const tip = compareWithTip(bytes, walked.chain, findTip(journal)).filter(({ code }) => !known.has(code));
  const findings = [
    ...walked.findings,
    ...tip,
    ...findChangedNotes(journal),
    ...inGit,
    ...(content?.findings ?? []),
    ...others.flatMap((other) => other.findings.map((one) => nameChain(other.chain, one))),
  ];
  return { bytes, walked, content, others, findings };
}

/** Set aside when they were to be entered: `enter-notes.ts`. */
function findChangedNotes(journal: string): ChainFinding[] {
  return listChangedNotes(journal).map((name) => ({
    code: 'content',
    seq: null,
    line: null,
    message: `Something was changed before the chain signed it, and was not entered: journal/chain/queue/${name}.`,
  }));
}

function nameChain(chain: string, finding: ChainFinding): ChainFinding {
  return { ...finding, message: `Chain ${chain}: ${finding.message}` };
}

function checkWords(chain: Chain, bytes: Buffer): ContentCheck {
  const entries: ContentEntry[] = [];
  const targets: ErasureTarget[] = [];
  for (const { entry } of readEntries(bytes)) {
    if (isContentEntry(entry)) entries.push(entry);
    else if (entry.type === 'erasure') targets.push(...entry.body.targets);
  }
  return checkContent(entries, targets, chain);
}

const LINE_END = 0x0a;

/** Whether the chain still begins with what its own history has. */
async function compareWithGit(workspace: Workspace, bytes: Buffer): Promise<ChainFinding[]> {
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
