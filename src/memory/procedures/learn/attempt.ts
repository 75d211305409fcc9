import type { Trust } from '../../../model/provenance.ts';

/** One thing that was done on the way. */
export interface DoneStep {
  /** The sign by which it is recognised in another conversation: `Bash npm test`. */
  readonly sign: string;
  /** As it was done. */
  readonly text: string;
}

/** A request, what was done about it, and how it ended. */
export interface Attempt {
  /** The conversation or day: two attempts in one are no repetition. */
  readonly where: string;
  /** Such as `ses_a1b2#t4`. */
  readonly source: string;
  readonly request: string;
  readonly steps: readonly DoneStep[];
  readonly wentWell: boolean;
  readonly trust: Trust;
}
