import type { Config } from '../../model/config/schema.ts';
import { readVariable } from '../../platform/environment.ts';
import type { OperationContext } from '../context.ts';

/** Learns from conversations and embeds passages on behalf of processes that have no time for it. */
export interface BackgroundWorker {
  /** Whether it also does what this process would otherwise do behind the end of a conversation. */
  readonly learnsForOthers: boolean;
  /** There may be something to do. Returns at once. */
  wake(): void;
  /** The home was closed: what was asked for until now is not forgotten. */
  finish(): void;
}

/** Whether settings and surroundings let a worker be started at all. */
export function isWorkerAllowed({ worker }: Pick<Config, 'worker'>): boolean {
  return worker.enabled && readVariable('MNEME_WORKER') !== 'off';
}

/** Whether conversations are learned from without anybody asking. */
export function learnsByItself({ config }: Pick<OperationContext, 'config'>): boolean {
  return config.extract.trigger === 'on_session_end';
}
