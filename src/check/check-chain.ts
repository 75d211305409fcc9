import type { ChainFinding } from '../chain/finding.ts';
import { readTip } from '../chain/file.ts';
import type { ChainRecorder } from '../chain/record/recorder.ts';
import { verifyHomeChain } from '../chain/verify-home.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CheckFinding } from './finding.ts';

export interface CheckedChain {
  readonly workspace: Workspace;
  readonly chain: ChainRecorder;
  readonly config: { readonly chain: { readonly accepted_keys: readonly string[] } };
}

/** Whether the provable history is what it was, and can go on. */
export async function checkChain({ workspace, chain: recorder, config }: CheckedChain): Promise<CheckFinding[]> {
  const chain = await recorder.open();
  if (!chain.exists) return [];
  const verified = await verifyHomeChain(chain, {
    workspace,
    acceptedKeys: config.chain.accepted_keys,
    full: false,
    content: true,
  });
  const found = verified.findings.map(describe);
  const modes = chain.keys.problems().map((problem) => warning(`${problem}.`, 'Take the permission away: chmod 600.'));
  // What cannot be read was told above.
  return verified.walked.findings.length > 0
    ? [...found, ...modes]
    : [...found, ...modes, ...missingKey(verified.bytes)];

  function missingKey(bytes: Buffer): CheckFinding[] {
    const { key } = readTip(bytes);
    if (key === undefined || chain.keys.find(key) !== undefined) return [];
    const hint = 'Bring it back (`mneme chain keys restore FILE`), or go on with another (`mneme chain keys replace`).';
    return [warning('The key that signs the chain is not here: nothing can be entered.', hint)];
  }
}

function describe({ message }: ChainFinding): CheckFinding {
  const hint = 'See `mneme chain verify`; what was there before may be in git, a backup or with whoever holds a head.';
  return { area: 'chain', severity: 'error', message, hint, isRepairable: false };
}

function warning(message: string, hint: string): CheckFinding {
  return { area: 'chain', severity: 'warning', message, hint, isRepairable: false };
}
