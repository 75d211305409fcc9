import { MnemeError } from '../../model/errors.ts';
import { decodeText } from '../../workspace/safety/limits.ts';

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
      const decoded = decodeText(Buffer.concat(chunks));
      if (decoded.kind === 'text') return decoded.text;
      throw new MnemeError('usage', `Standard input is not text (${decoded.reason}).`, {
        hint: 'Pass UTF-8 text.',
      });
    },
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    wantsColor,
    columns: process.stdout.columns ?? 100,
  };
}
