import { enableCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { HookOrder } from './report.ts';

/**
 * Work that may never pause, such as bringing a large index up to date, is done in a thread of its own: the main thread
 * keeps the time and can always let the agent pass. A thread costs a third of what a hook takes, so only then.
 */
export function startHookThread(order: HookOrder): Worker {
  // Its streams are its own: whatever some library prints must reach neither the model nor the protocol.
  const workerData = { mnemeHook: order, compileCache: getCompileCacheDir() };
  return new Worker(new URL(import.meta.url), { workerData, stdout: true, stderr: true });
}

interface ThreadData {
  readonly mnemeHook: HookOrder;
  readonly compileCache: string | undefined;
}

function findData(given: unknown): ThreadData | undefined {
  return typeof given === 'object' && given !== null && 'mnemeHook' in given ? (given as ThreadData) : undefined;
}

const data = isMainThread ? undefined : findData(workerData);
if (data !== undefined) {
  const { mnemeHook: order, compileCache } = data;
  // The main thread's own: only bin/mneme has looked whether other users can write there. Node adds a folder to it.
  if (compileCache !== undefined) enableCompileCache(path.dirname(compileCache));
  const { doHookWork } = await import('./work.ts');
  await doHookWork(order, (report) => parentPort?.postMessage(report, []), true);
}
