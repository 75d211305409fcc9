import type { CommitRequest, CommitResult } from './door/request.ts';

/** The file of the provable history, relative to its repository. */
export const CHAIN_FILE = 'chain.jsonl';

/**
 * The append-only door of the chain: one line per entry, durable when the promise resolves, committed to the chain's
 * own repository. What an entry says and how it is signed is the chain's business (src/chain).
 */
export function appendChainLine(
  commit: (request: CommitRequest) => Promise<CommitResult>,
  line: string,
  summary: string,
): Promise<CommitResult> {
  return commit({
    repository: 'chain',
    changes: [{ path: CHAIN_FILE, append: Buffer.from(`${line}\n`, 'utf8') }],
    actor: 'system:chain',
    approval: 'auto',
    summary,
  });
}
