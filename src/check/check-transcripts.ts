import type { Clock } from '../platform/clock.ts';
import { plainName } from '../workspace/packed.ts';
import { compareRawWithHistory, restoreRecords, type ChangedRecord } from '../workspace/raw-history.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CheckFinding } from './finding.ts';

/** Whether the conversations still say what they said when they were written. */
export async function checkTranscripts(workspace: Workspace): Promise<CheckFinding[]> {
  const { changed, strangers } = await compareRawWithHistory(workspace);
  return [
    ...changed.map((one): CheckFinding => ({
      area: 'transcripts',
      severity: 'error',
      message: `raw/${plainName(one.path)} ${describe(one)}`,
      hint: 'A transcript is a record: `mneme check --repair` brings back what its history has.',
      isRepairable: true,
    })),
    ...strangers.map((file): CheckFinding => ({
      area: 'transcripts',
      severity: 'warning',
      message: `raw/${file} is in no history: Mneme did not write it.`,
      hint: 'Look at it; move it away, or bring it in with `mneme import`.',
      isRepairable: false,
    })),
  ];
}

function describe({ state, isCommitted }: ChangedRecord): string {
  const what = state === 'missing' ? 'is gone' : 'was changed after it was written';
  return isCommitted ? `${what}, and a commit took that over.` : `${what}.`;
}

/** Returns what was done, in words. */
export async function repairTranscripts(workspace: Workspace, clock: Clock): Promise<string> {
  const { changed } = await compareRawWithHistory(workspace);
  await restoreRecords(workspace, changed, clock);
  return `transcripts brought back from their history: ${changed.length}`;
}
