import type { ChainFinding } from '../chain/finding.ts';
import type { ChainRecorder } from '../chain/record/recorder.ts';
import { verifyHomeChain } from '../chain/verify-home.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CheckFinding } from './finding.ts';

export interface CheckedChain {
  readonly workspace: Workspace;
  readonly chain: ChainRecorder;
  readonly config: { readonly chain: { readonly accepted_keys: readonly string[] } };
}

/** Whether the provable history is what it was. */
export async function checkChain({ workspace, chain: recorder, config }: CheckedChain): Promise<CheckFinding[]> {
  const chain = await recorder.open();
  if (!chain.isExpected) return [];
  const verified = await verifyHomeChain(chain, {
    workspace,
    acceptedKeys: config.chain.accepted_keys,
    full: false,
    content: true,
  });
  // That the key is not here is no disagreement: a home that was restored from a backup comes without it.
  const modes = chain.keys.problems().map((problem) => warning(`${problem}.`, 'Take the permission away: chmod 600.'));
  return [...verified.findings.map(describe), ...modes];
}

function describe({ message }: ChainFinding): CheckFinding {
  const hint = 'See `mneme chain verify`; what was there before may be in git, a backup or with whoever holds a head.';
  return { area: 'chain', severity: 'error', message, hint, isRepairable: false };
}

function warning(message: string, hint: string): CheckFinding {
  return { area: 'chain', severity: 'warning', message, hint, isRepairable: false };
}
