import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { bootId, processStart } from '../../platform/machine.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { EraseBytes } from '../../workspace/erase/matcher.ts';
import { listErasedRemotes } from '../../workspace/git/erased-commits.ts';
import { REPOSITORIES } from '../../workspace/journal/record.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { findPlan, planFolder, type PendingPlan } from './plan-file.ts';

/** Erasures that have begun and are not known to be finished. */
export function listUnfinished(journal: string): PendingPlan[] {
  const plans = nodeFileSystem.list(planFolder(journal)).flatMap((name) => findPlan(journal, name) ?? []);
  return plans.filter(({ state }) => state === 'erasing');
}

/** The living process that is at an erasure; undefined when it is this one, or none. */
function findEraser({ process: eraser, boot, started }: PendingPlan): number | undefined {
  if (eraser === undefined || eraser === process.pid || boot !== bootId()) return undefined;
  return started === processStart(eraser) && isAlive(eraser) ? eraser : undefined;
}

/**
 * The erasure that another process is at. Only one runs at a time: each deletes what others keep below `state/`. Plans
 * tell of it, because the lock that confirmations meet at is lost early: an erasure reads every file of the home, and
 * closing a file drops this process's locks on it.
 */
export function findRunningErasure(journal: string): { readonly code: string; readonly eraser: number } | undefined {
  for (const plan of listUnfinished(journal)) {
    const eraser = findEraser(plan);
    if (eraser !== undefined) return { code: plan.code, eraser };
  }
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there and somebody else's.
    return systemCode(error) === 'EPERM';
  }
}

export interface UnfinishedErasure {
  readonly message: string;
  readonly hint: string;
}

/** Lists the rest of each erasure as far as known: nothing else in the home reports an erasure that is half done. */
export function describeUnfinished(journal: string): UnfinishedErasure[] {
  return listUnfinished(journal).map((plan) => {
    const { code, createdMs, left } = plan;
    const eraser = findEraser(plan);
    const begun = `The erasure ${code}, asked for on ${new Date(createdMs).toISOString().slice(0, 10)}, is not finished`;
    if (eraser !== undefined) return { message: `${begun}: process ${eraser} is at it.`, hint: 'Wait for it.' };
    const what =
      left === undefined
        ? 'it was interrupted, and the words may be anywhere.'
        : `${left.map((one) => one.what).join('; ')}.`;
    return {
      message: `${begun}: ${what}`,
      hint: `It is tried again by itself; \`mneme forget --confirm ${code}\` does it now.`,
    };
  });
}

/** Remotes that were sent the words and have not taken the history without them. Only a person replaces a remote's history. */
export async function describeErasedRemotes({ git }: Workspace): Promise<UnfinishedErasure[]> {
  const found: UnfinishedErasure[] = [];
  for (const repository of REPOSITORIES) {
    const { location } = git[repository];
    if (!fs.existsSync(path.join(location.gitDir, 'HEAD'))) continue;
    for (const remote of await listErasedRemotes(git[repository])) {
      found.push({
        message: `The remote ${remote} of ${repository} was sent words that are erased here, and may still hold them.`,
        hint: `Replace its history: \`git push --force --all ${remote}\` in ${location.workTree}, then \`mneme sync\`.`,
      });
    }
  }
  return found;
}

/** Deletes from a copy of a home the erasures that are about the words: such a plan keeps them. Returns how many. */
export function dropErasingPlans(journal: string, erase: EraseBytes): number {
  const holds = (text: string): boolean => {
    const bytes = Buffer.from(text, 'utf8');
    return erase(bytes) !== bytes;
  };
  const about = listUnfinished(journal).filter(({ items, texts = [] }) =>
    [...texts, ...items.flatMap(({ pieces }) => pieces)].some(holds),
  );
  for (const { code } of about) nodeFileSystem.remove(path.join(planFolder(journal), `${code}.json`));
  return about.length;
}
