import type { TableChanges } from './record-table.ts';

/** A process's copy of the table in memory; updated before each query, whichever process wrote. */
export interface Follower {
  /** The table was made anew. */
  reset(): void;
  apply(changes: TableChanges): void;
}
