import type { z } from 'zod';
import type { JobName } from '../../model/config/running.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runOperation, type Operation } from '../../operations/operation.ts';

export interface JobControls {
  /** Aborted when the process is to end or the job takes too long: stop at the next safe place. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** The time it was scheduled for; undefined when somebody asked for it. */
  readonly occurrenceMs?: number | undefined;
}

export interface JobReport {
  /** A summary of the work, in a sentence without any remembered content. */
  readonly summary: string;
  /** Notes for a person although the job is done. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Work that is done by itself at certain times. A job may be killed at any instant and is run again: what it did must
 * stay done, and doing it again must do nothing more.
 */
export interface Job {
  readonly name: string;
  readonly summary: string;
  /** Its name in `scheduler`. */
  readonly schedule: JobName;
  /**
   * Where machines share a memory, what goes through their queue. `shared`: one machine does it for all, on what every
   * machine has. `own`: each does it on what it alone has, its transcripts, in its turn to write. `unwritten`: the same,
   * but what it makes is no part of the memory. Absent: each machine does it without the queue.
   */
  readonly queue?: 'shared' | 'own' | 'unwritten' | undefined;
  /** Why it has nothing to do in this home, such as a missing setting; undefined when it should run. */
  readonly whyOff?: ((context: OperationContext) => string | undefined | Promise<string | undefined>) | undefined;
  readonly run: (context: OperationContext, controls: JobControls) => Promise<JobReport>;
}

/** The input of a verb at this time; `nothing` says why there is nothing to do. */
type Given<Input> =
  | { readonly input: Input; readonly notes?: readonly string[] | undefined }
  | { readonly nothing: string };

interface VerbAtWork<Input extends z.ZodType, Output, Controls> {
  /** Loaded when it first runs. */
  readonly verb: () => Promise<Operation<Input, Output, Controls>>;
  readonly given?:
    | ((context: OperationContext, controls: JobControls) => Given<z.input<Input>> | Promise<Given<z.input<Input>>>)
    | undefined;
  /** The verb's form of signal and progress, where it asks for it in another form. */
  readonly controls?: ((controls: JobControls, context: OperationContext) => Controls) | undefined;
  readonly report: (output: Output) => JobReport;
}

/** A job's work: a verb, what it is given, and what is said of its answer. */
export function runVerb<Input extends z.ZodType, Output, Controls>({
  verb,
  given,
  controls: controlsOf,
  report,
}: VerbAtWork<Input, Output, Controls>): Job['run'] {
  return async (context, controls) => {
    const prepared = (await given?.(context, controls)) ?? { input: {} as z.input<Input> };
    if ('nothing' in prepared) return { summary: prepared.nothing };
    const output = await runOperation(await verb(), context, prepared.input, controlsOf?.(controls, context));
    const { summary, notes = [] } = report(output);
    return { summary, notes: [...(prepared.notes ?? []), ...notes] };
  };
}
