import type { REFINEMENT_TYPES } from '../../../model/schemas/procedure.ts';

/** A change of a procedure that runs suggest. */
export interface Refinement {
  readonly kind: 'failing' | 'too-slow' | 'redundant' | 'batchable' | 'cacheable' | 'retire';
  readonly type: (typeof REFINEMENT_TYPES)[number];
  /** Labels of the steps it is about. */
  readonly steps: readonly string[];
  readonly description: string;
  /** The old text, and the new one. */
  readonly before: string;
  readonly after: string;
  /** Runs that show it. */
  readonly evidence: readonly string[];
  /** Makes the change in the text of the file; the same text when it no longer fits. */
  readonly edit: (text: string) => string;
}
