import type { Config } from '../../model/config/schema.ts';
import { readVariable } from '../../platform/environment.ts';

/** Whether settings and surroundings let a worker be started at all. */
export function isWorkerAllowed({ worker }: Pick<Config, 'worker'>): boolean {
  return worker.enabled && readVariable('MNEME_WORKER') !== 'off';
}
