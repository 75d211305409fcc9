import type { Attempt, LedgerEntry, PersonLine } from './ledger.ts';

/** What must be true of a home, from everything its processes said. */
export class Expectation {
  readonly attempts = new Map<string, Attempt>();
  /** The mutation of each acknowledged attempt. */
  readonly acknowledged = new Map<string, string>();
  readonly personLines = new Map<string, PersonLine>();
  readonly personCommits: string[] = [];
  /** For each file made by a caller (named by its token), what was then done to it. */
  readonly moves = new Map<string, Attempt>();

  add(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      switch (entry.type) {
        case 'attempt':
          this.attempts.set(entry.token, entry);
          if (entry.subject !== undefined) this.moves.set(entry.subject, this.#follow(entry));
          break;
        case 'acknowledged':
          this.acknowledged.set(entry.token, entry.mutation);
          break;
        case 'saved':
          this.personLines.set(entry.token, entry);
          break;
        case 'committed':
          this.personCommits.push(entry.message);
          break;
        case 'ready':
          break;
      }
    }
  }

  #follow(entry: Attempt): Attempt {
    if (this.moves.has(entry.subject ?? '')) throw new Error(`${entry.subject} was moved twice`);
    return entry;
  }
}
