import type { Change, CommitResult } from '../workspace/door/request.ts';
import type { WriteStrategy } from '../workspace/write-queue.ts';
import type { Remembered } from './remember.ts';

export type Described = Omit<Remembered, 'redacted'>;

/** Everything that one memory writes, in one commit. */
export interface MemoryPlan {
  /** For the history. */
  readonly summary: string;
  /** Nothing where what is said again is noted nowhere. */
  readonly changes: readonly Change[];
  /** When it is written, whatever was asked for. */
  readonly strategy?: WriteStrategy | undefined;
  /** Whether the words themselves are the approval that a protected file needs. */
  readonly isApproved?: boolean | undefined;
  /** undefined where a file was changed since it was planned, so that something else has to be planned. */
  readonly describe: (result: CommitResult | undefined) => Described | undefined;
}

/** A memory that contradicts known facts waits as a proposal instead. */
export interface ProposedMemory {
  readonly propose: () => Promise<Described>;
}
