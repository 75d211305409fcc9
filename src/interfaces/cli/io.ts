/** Where the CLI reads and writes; tests pass their own. */
export interface CliIo {
  out(text: string): void;
  err(text: string): void;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  readonly isTerminal: boolean;
  readonly wantsColor: boolean;
  readonly columns: number;
}

export function processIo(wantsColor: boolean): CliIo {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    wantsColor,
    columns: process.stdout.columns ?? 100,
  };
}
