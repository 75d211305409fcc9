import type { REFINEMENT_TYPES } from '../../../model/schemas/procedure.ts';

/** What runs suggest to change about a procedure. */
export interface Refinement {
  readonly kind: 'failing' | 'too-slow' | 'redundant' | 'batchable' | 'cacheable' | 'retire';
  readonly type: (typeof REFINEMENT_TYPES)[number];
  /** Labels of the steps it is about. */
  readonly steps: readonly string[];
  readonly description: string;
  /** What was there, and what takes its place. */
  readonly before: string;
  readonly after: string;
  /** Runs that show it. */
  readonly evidence: readonly string[];
  /** Makes the change in the text of the file; the same text when it no longer fits. */
  readonly edit: (text: string) => string;
}
