import path from 'node:path';
import { ReceiptStore } from '../../compile/receipt-store.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { JobLog } from '../jobs/job-log.ts';
import type { HomeEvents } from './home-events.ts';

export function newestReceipt(journal: string): HomeEvents['receipt'] | undefined {
  for (const { receipt } of new ReceiptStore(nodeFileSystem, journal).list()) {
    return { id: receipt.id, session: receipt.session, clock: receipt.clock };
  }
  return undefined;
}

/** The last runs of jobs, by what stands in their log. */
export function readJobRuns(journal: string): HomeEvents['job'][] {
  const runs = new Map<string, HomeEvents['job']>();
  for (const line of new JobLog(journal).read()) {
    if (line.event === 'started') runs.set(line.run, { job: line.job, run: line.run, state: 'running', summary: '' });
    if (line.event === 'ended') {
      runs.set(line.run, { job: line.job, run: line.run, state: line.state, summary: line.summary });
    }
  }
  return [...runs.values()].slice(-MAX_RUNS);
}

/** More do not begin or end between two looks. */
const MAX_RUNS = 50;

export function listLiveSessions(journal: string): string[] {
  return nodeFileSystem
    .list(path.join(journal, 'live'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}
