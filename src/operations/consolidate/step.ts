import type { JournalPeriod } from '../../model/schemas/time.ts';
import type { OperationContext } from '../context.ts';

/** In whose name machines condense; the history tells it from what a person or a conversation did. */
export const CONSOLIDATOR = 'bot:consolidate';

export interface Target {
  readonly period: JournalPeriod;
  /** The last day to look at. */
  readonly last: string;
  /** Up to which day the step was done before; undefined the first time. */
  readonly doneUpTo: string | undefined;
  /** Only the period of this day, whatever was done before. */
  readonly only: string | undefined;
  readonly isDryRun: boolean;
}

export interface StepControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface StepReport {
  /** The work that was done, in words. */
  readonly summary: string;
  /** The mutations that were written. */
  readonly mutations: readonly string[];
  /** The proposals it created, which need a decision. */
  readonly proposals: readonly string[];
  /** Files that a person may want to look at. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** A part of a nightly pass. It may be killed anywhere: done again, it finds what it did and adds nothing. */
export interface Step {
  readonly name: string;
  readonly run: (context: OperationContext, target: Target, controls: StepControls) => Promise<StepReport>;
}

const NOTHING: StepReport = { summary: '', mutations: [], proposals: [], files: [], notes: [] };

export function report(summary: string, rest: Partial<StepReport> = {}): StepReport {
  return { ...NOTHING, ...rest, summary };
}
