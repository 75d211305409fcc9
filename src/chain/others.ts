import { MnemeError } from '../model/errors.ts';
import { CHAIN_FILE } from '../workspace/chain-log.ts';
import type { Git } from '../workspace/git/git.ts';
import { type ChainFinding, type Head, hashLine } from './entry.ts';
import { linesOf, readEntries } from './file.ts';
import { verifyChain } from './verify.ts';

/** Every machine has a branch of its own in the shared repository: nobody ever merges a chain. */
const BRANCHES = 'refs/heads/chain';
/** Where other machines' chains are kept here. */
const OTHERS = 'refs/mneme/chains';

const TIMEOUT_MS = 120_000;

/** Another machine's chain, as it last came here. */
export interface OtherChain {
  readonly chain: string;
  readonly entries: number;
  readonly head: string;
  /** Entries since the head that ours names last; those by which chains only vouch for each other do not count. */
  readonly news: number;
  readonly findings: readonly ChainFinding[];
}

/** Sends this machine's chain and takes the others'. */
export async function exchangeChains(git: Git, remote: string, chain: string, branch: string): Promise<void> {
  const send = `refs/heads/${branch}:${BRANCHES}/${chain}`;
  const pushed = await git.attempt(['push', '--quiet', '--', remote, send], { timeoutMs: TIMEOUT_MS });
  if (pushed.code !== 0) throw refused(remote, pushed.stderr);
  const fetched = await git.attempt(['fetch', '--quiet', '--no-tags', '--', remote, `+${BRANCHES}/*:${OTHERS}/*`], {
    timeoutMs: TIMEOUT_MS,
  });
  if (fetched.code !== 0) throw refused(remote, fetched.stderr);
}

/** Every other chain that is here, verified whole, and against the heads that ours has named. */
export async function readOthers(git: Git, own: string, linked: readonly Head[]): Promise<OtherChain[]> {
  const listed = await git.attempt(['for-each-ref', '--format=%(refname)', OTHERS]);
  const names = listed.stdout
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');
  const others: OtherChain[] = [];
  for (const name of names) {
    const chain = name.slice(OTHERS.length + 1);
    if (chain === own) continue;
    const bytes = await git.bytes(['cat-file', 'blob', `${name}:${CHAIN_FILE}`]);
    others.push(judge(chain, bytes, linked));
  }
  return others;
}

function judge(chain: string, bytes: Buffer, linked: readonly Head[]): OtherChain {
  const result = verifyChain(bytes);
  const findings = [...result.findings];
  if (result.chain !== chain) {
    const message = `What is kept as chain ${chain} is chain ${result.chain ?? 'none'}.`;
    findings.push({ code: 'other-chain', seq: null, line: null, message });
  }
  const heads = linked
    .filter((one) => one.chain === chain)
    .map(({ seq, head }) => ({ chain, seq, head, holder: 'our own chain' }));
  findings.push(...compareHeads(bytes, heads));
  const known = heads.at(-1)?.seq ?? -1;
  const news = [...readEntries(bytes)].filter(({ entry }) => entry.seq > known && !VOUCHING.has(entry.type)).length;
  return { chain, entries: result.entries, head: result.head, news, findings };
}

/** Two chains that name each other's last entry would never come to rest. */
const VOUCHING: ReadonlySet<string> = new Set(['link', 'anchor', 'checkpoint']);

/** The heads of other chains that a chain has named, the last one of each last. */
export function linksOf(bytes: Buffer): Head[] {
  return [...readEntries(bytes)].flatMap(({ entry }) => (entry.type === 'link' ? [entry.body] : []));
}

function refused(remote: string, said: string): MnemeError {
  const last = said.trim().split('\n').at(-1) ?? '';
  return new MnemeError('failure', `The chain could not be exchanged with ${remote}: ${last}`, {
    hint: 'Look at the address (`mneme config get git.chain_remote`); a refused push means that the remote has another chain under this name.',
  });
}

/** Whether heads that somebody holds are still in the chain, each at its place. */
export function compareHeads(bytes: Buffer, heads: readonly (Head & { readonly holder: string })[]): ChainFinding[] {
  if (heads.length === 0) return [];
  const wanted = new Map<number, string>(heads.map(({ seq }) => [seq, '']));
  let next = 0;
  for (const line of linesOf(bytes)) {
    if (wanted.has(next)) wanted.set(next, hashLine(line));
    next += 1;
  }
  const findings: ChainFinding[] = [];
  let right = -1;
  for (const { seq, head, holder } of [...heads].sort((one, other) => one.seq - other.seq)) {
    if (wanted.get(seq) === head) {
      right = seq;
    } else if (seq >= next) {
      const message = `The chain ends with entry ${next - 1}, but ${holder} holds the head of entry ${seq}.`;
      findings.push({ code: 'truncated', seq: next, line: next + 1, message });
    } else {
      const after = right === -1 ? '' : `, after entry ${right}`;
      const message = `Entry ${seq} is not the one whose head ${holder} holds; something before or at it was replaced${after}.`;
      findings.push({ code: 'rewritten', seq, line: seq + 1, message });
    }
  }
  return findings;
}
