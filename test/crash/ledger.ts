import fs from 'node:fs';

/** What a caller of the worker is about to do. `token` is in every block it writes and in the commit's subject. */
export interface Attempt {
  readonly type: 'attempt';
  readonly token: string;
  readonly kind: 'append' | 'put' | 'group' | 'create' | 'delete' | 'rename';
  /** Where the token's block belongs; for a deletion or renaming the file it is about. */
  readonly files: readonly string[];
  /** The token of the block that the file of a deletion or renaming holds. */
  readonly subject?: string | undefined;
  readonly renameTo?: string | undefined;
}

/** Written after the write path acknowledged the attempt. */
export interface Acknowledgement {
  readonly type: 'acknowledged';
  readonly token: string;
  readonly mutation: string;
}

/** A line the person has saved. */
export interface PersonLine {
  readonly type: 'saved';
  readonly token: string;
  readonly file: string;
  readonly how: 'append' | 'overwrite' | 'rename';
}

/** A commit the person's own git has made. */
export interface PersonCommit {
  readonly type: 'committed';
  readonly message: string;
}

export interface Ready {
  readonly type: 'ready';
}

export type LedgerEntry = Attempt | Acknowledgement | PersonLine | PersonCommit | Ready;

/** Standard output of the processes is a file, so that a synchronous write survives the SIGKILL that follows. */
export function note(entry: LedgerEntry): void {
  fs.writeSync(1, `${JSON.stringify(entry)}\n`);
}

/** Ends this process when the one that started it is gone, however that came. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 500).unref();
}

export function readLedger(file: string): LedgerEntry[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  // A line that was cut by the kill was not said.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerEntry);
}

export function blockLine(token: string): string {
  return `- ${token} says something worth keeping`;
}

/** How often each token occurs in a text. */
export function countTokens(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, token] of text.matchAll(/^- ((?:w|p)[\w-]+) says/gm)) {
    if (token !== undefined) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}
