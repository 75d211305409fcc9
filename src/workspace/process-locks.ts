import path from 'node:path';
import type { HomePaths } from './home-paths.ts';

/** Held by the daemon for as long as it lives: who has it runs the schedule. */
export function daemonLock({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'daemon.lock');
}

/** Held by the process that learns and embeds in the background, while it does. */
export function workerLock({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'worker.lock');
}

/** Held while a job runs, by whichever process runs it. */
export function jobLock({ state }: Pick<HomePaths, 'state'>, job: string): string {
  return path.join(state, 'jobs', `${job}.lock`);
}
