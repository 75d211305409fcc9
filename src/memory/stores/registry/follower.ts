import type { TableChanges } from './record-table.ts';

/** What a process keeps of the table in memory; brought in step before it is asked, whoever wrote. */
export interface Follower {
  /** The table was made anew. */
  reset(): void;
  apply(changes: TableChanges): void;
}
