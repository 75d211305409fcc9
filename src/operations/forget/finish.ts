import { errorMessage, MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { erasePlan } from './erase-plan.ts';
import type { PendingPlan } from './plan-file.ts';
import { PendingPlans } from './plans.ts';
import { findRunningErasure, listUnfinished } from './unfinished.ts';

/** A medium that is away or a file that is locked is not asked for by every command. */
const RETRY_MS = 3_600_000;

/** Erasures of this process: another home may be opened beside the one that erases. */
const running = new Set<string>();

/**
 * Goes on with erasures that were interrupted, or of which something was left. `opening` leaves out those that were
 * tried within the hour. Returns what a person should hear.
 */
export async function finishErasures(context: OperationContext, when: 'opening' | 'job'): Promise<string[]> {
  const { journal } = context.workspace.paths;
  if (findRunningErasure(journal) !== undefined) return [];
  const nowMs = context.clock.now();
  const isDue = (plan: PendingPlan): boolean =>
    !running.has(keyOf(context, plan.code)) &&
    (when === 'job' || plan.left === undefined || nowMs - (plan.triedMs ?? 0) >= RETRY_MS);
  const notes: string[] = [];
  for (const { code } of listUnfinished(journal).filter(isDue)) {
    try {
      notes.push(...(await finish(context, code)));
    } catch (error) {
      notes.push(`The erasure ${code} could not go on: ${errorMessage(error)}`);
    }
  }
  return notes;
}

async function finish(context: OperationContext, code: string): Promise<string[]> {
  const plans = new PendingPlans(context);
  return plans.exclusively(async () => {
    const plan = plans.get(code);
    // Another process may have come first.
    if (plan.state !== 'erasing' || findRunningErasure(context.workspace.paths.journal) !== undefined) return [];
    // Only a person's yes begins an erasure; it is theirs, whoever opened the home now.
    const person: OperationContext = { ...context, actor: plan.confirmedBy ?? 'manual' };
    const done = await runErasure(person, plans, plan, plan.chosen ?? []);
    if (done.outcome !== 'erased') return [];
    context.parts.finishedErasures.add(code, done);
    return [`The erasure ${code} was finished.`, ...done.erased.notes];
  });
}

/** `erasePlan`, known to this process as long as it runs; refused while another process is at an erasure. */
export async function runErasure(
  context: OperationContext,
  plans: PendingPlans,
  plan: PendingPlan,
  chosen: readonly number[],
): ReturnType<typeof erasePlan> {
  const other = findRunningErasure(context.workspace.paths.journal);
  if (other !== undefined) {
    throw new MnemeError('locked', `Process ${other.eraser} is erasing what the code ${other.code} stands for.`, {
      hint: 'Wait for it; if it is stuck, end it. Then run this again.',
    });
  }
  const key = keyOf(context, plan.code);
  running.add(key);
  try {
    return await erasePlan(context, plans, plan, chosen);
  } finally {
    running.delete(key);
  }
}

function keyOf({ home }: OperationContext, code: string): string {
  return `${home} ${code}`;
}
