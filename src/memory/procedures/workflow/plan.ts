import type { ProcedureFrontmatter } from '../../../model/schemas/procedure.ts';
import type { ActionCall } from './call.ts';
import type { Check } from './check.ts';
import type { ErrorRule } from './on-error.ts';

/** The work of a step: it calls an action, asks the user, or is done by whoever runs the procedure. */
export type StepWork =
  | { readonly kind: 'call'; readonly call: ActionCall }
  | { readonly kind: 'ask'; readonly call: ActionCall; readonly wants: 'yes' | 'text' }
  | { readonly kind: 'by-hand'; readonly text: string };

export interface PlannedStep {
  /** `2`, or `2.1` for the first step of what stands in for step 2. */
  readonly label: string;
  readonly description: string;
  readonly work: StepWork;
  readonly condition?: Check | undefined;
  readonly expected?: Check | undefined;
  readonly timeoutMs: number;
  readonly rule: ErrorRule;
  /** Where the stand-in begins, for `fallback`. */
  readonly fallback?: number | undefined;
  /** The step after it; null when the procedure is done. */
  readonly next: number | null;
  readonly isIdempotent: boolean;
  readonly saveAs?: string | undefined;
  readonly cacheMs?: number | undefined;
}

export type Priority = NonNullable<ProcedureFrontmatter['priority']>;

/** A procedure as it will be run, frozen: what somebody edits meanwhile counts for the next run. */
export interface RunPlan {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Of the file's steps, so that runs of the same text can be compared. */
  readonly fingerprint: string;
  readonly priority: Priority;
  readonly preconditions: readonly Check[];
  readonly steps: readonly PlannedStep[];
  readonly postconditions: readonly Check[];
  /** Conditions in plain words count as met; the record says so. */
  readonly assumesMet: boolean;
}

export interface PlanFinding {
  /** An error keeps the procedure from being run. */
  readonly severity: 'error' | 'warning';
  /** In the procedure's file; undefined when it concerns the whole. */
  readonly line?: number | undefined;
  readonly message: string;
  readonly hint: string;
}
