import { enableCompileCache } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { HookOrder } from './report.ts';

/**
 * Work that may never pause, such as bringing a large index up to date, is done in a thread of its own: the main thread
 * keeps the time and can always let the agent pass. A thread costs a third of what a hook takes, so only then.
 */
export function startHookThread(order: HookOrder): Worker {
  // Its streams are its own: whatever some library prints must reach neither the model nor the protocol.
  return new Worker(new URL(import.meta.url), { workerData: { mnemeHook: order }, stdout: true, stderr: true });
}

function findOrder(given: unknown): HookOrder | undefined {
  return typeof given === 'object' && given !== null && 'mnemeHook' in given
    ? (given.mnemeHook as HookOrder)
    : undefined;
}

const order = isMainThread ? undefined : findOrder(workerData);
if (order !== undefined) {
  enableCompileCache();
  const { doHookWork } = await import('./work.ts');
  await doHookWork(order, (report) => parentPort?.postMessage(report, []), true);
}
