import path from 'node:path';
import type { HomePaths } from '../../workspace/home-paths.ts';

/** Held by the daemon for as long as it lives: who has it runs the schedule. */
export function daemonLock({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'daemon.lock');
}

/** Held while a job runs, by whichever process runs it. */
export function jobLock({ state }: Pick<HomePaths, 'state'>, job: string): string {
  return path.join(state, 'jobs', `${job}.lock`);
}
