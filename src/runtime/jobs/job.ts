import type { JobName } from '../../model/config/running.ts';
import type { OperationContext } from '../../operations/context.ts';

export interface JobControls {
  /** Aborted when the process is to end or the job takes too long: stop at the next safe place. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** The time it was scheduled for; undefined when somebody asked for it. */
  readonly occurrenceMs?: number | undefined;
}

export interface JobReport {
  /** What was done, in a sentence without anything of what is remembered. */
  readonly summary: string;
  /** What a person should know although the job is done. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Work that is done by itself at certain times. A job may be killed at any instant and is run again: what it did must
 * stay done, and doing it again must do nothing more.
 */
export interface Job {
  readonly name: string;
  readonly summary: string;
  /** What `scheduler` knows it by. */
  readonly schedule: JobName;
  /** Why it has nothing to do in this home, such as a missing setting; undefined when it should run. */
  readonly whyOff?: ((context: OperationContext) => string | undefined | Promise<string | undefined>) | undefined;
  readonly run: (context: OperationContext, controls: JobControls) => Promise<JobReport>;
}
