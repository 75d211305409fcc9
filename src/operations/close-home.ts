import type { OperationContext } from './context.ts';
import { leavesWork } from './background/leaves-work.ts';

/** Brings git in step and lets go of a home, once its background work is done. Returns what went wrong behind it. */
export async function closeHome(
  context: OperationContext,
  background: Promise<unknown> = Promise.resolve(),
): Promise<readonly string[]> {
  // First: what a step under way still writes is to arrive.
  const unfinished = await context.parts.runs.pause();
  await context.writes.close();
  await context.proposals.settle();
  await background;
  const { problems } = await context.parts.learning.settle();
  if (context.worker !== undefined && leavesWork(context)) context.worker.wake();
  const unentered = await context.chain.settle();
  await context.parts.close();
  await context.workspace.close();
  await context.homeIndex.close();
  await context.writer?.close();
  context.entities.close();
  context.worker?.finish();
  return [...unfinished, ...problems, ...unentered];
}
