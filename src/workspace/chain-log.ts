import type { CommitRequest, CommitResult } from './door/request.ts';

/** The file of the provable history, relative to its repository. */
export const CHAIN_FILE = 'chain.jsonl';

/**
 * The append-only door of the chain: one line per entry, durable when the promise resolves, committed to the chain's
 * own repository. What an entry says and how it is signed is the chain's business (src/chain). Refused when the file
 * does not end at `at`: the lines follow something else then.
 */
export function appendChainLines(
  commit: (request: CommitRequest) => Promise<CommitResult>,
  lines: readonly string[],
  at: number,
): Promise<CommitResult> {
  return commit({
    repository: 'chain',
    changes: [{ path: CHAIN_FILE, append: Buffer.from(`${lines.join('\n')}\n`, 'utf8'), at }],
    actor: 'system:chain',
    approval: 'auto',
    summary: lines.length === 1 ? 'an entry' : `${lines.length} entries`,
  });
}
