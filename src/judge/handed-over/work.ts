/** Counts what detection does, so that a test can hold its cost to the length of the message without a stopwatch. */
export interface Work {
  steps: number;
}
