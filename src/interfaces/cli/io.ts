import type { Command } from 'commander';
import { MnemeError } from '../../model/errors.ts';
import { decodeText } from '../../workspace/safety/limits.ts';

/** Where the CLI reads and writes; tests pass their own. */
export interface CliIo {
  out(text: string): void;
  err(text: string): void;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** A line somebody types, on a terminal; undefined when they end the input instead. */
  ask(question: string): Promise<string | undefined>;
  /** The same for a passphrase, which nobody looking on should read. */
  askSecret(question: string): Promise<string | undefined>;
  /** From now on Ctrl-C calls this instead of ending the program; what is returned takes that back. */
  onInterrupt(handler: () => void): () => void;
  /** The process ends although something that was told to stop still holds it. */
  endSoon?(): void;
  readonly isTerminal: boolean;
  readonly wantsColor: boolean;
  readonly columns: number;
}

export function processIo(wantsColor: boolean): CliIo {
  endQuietlyWhenUnread(process.stdout);
  endQuietlyWhenUnread(process.stderr);
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
    ask: (question) => askLine(question, process.stdout),
    askSecret,
    onInterrupt: interceptInterrupts,
    endSoon: () => void setTimeout(() => process.exit(), END_MS),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    wantsColor,
    // Some terminals do not know how wide they are and say 0.
    columns: process.stdout.columns || 100,
  };
}

const watched = new WeakSet<NodeJS.EventEmitter>();

/** `mneme … | head`: whoever reads has seen enough, which is no failure of ours. What is under way still ends. */
export function endQuietlyWhenUnread(stream: NodeJS.EventEmitter): void {
  if (watched.has(stream)) return;
  watched.add(stream);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function askSecret(question: string): Promise<string | undefined> {
  const { Writable } = await import('node:stream');
  process.stdout.write(question);
  const typed = await askLine('', new Writable({ write: (_chunk, _encoding, done) => done() }), true);
  process.stdout.write('\n');
  return typed;
}

async function askLine(
  question: string,
  output: NodeJS.WritableStream,
  isTerminal?: boolean,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({
    input: process.stdin,
    output,
    ...(isTerminal === undefined ? {} : { terminal: isTerminal }),
  });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

/** For the last words to be written and the exit code to be known. */
const END_MS = 100;

/** One Ctrl-C may arrive twice: from the terminal, and passed on by the launcher. */
const SAME_PRESS_MS = 500;
/** The exit code that shells expect after Ctrl-C. */
const INTERRUPTED = 130;

function interceptInterrupts(handler: () => void): () => void {
  let firstMs: number | undefined;
  const intercept = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      handler();
    } else if (performance.now() - firstMs > SAME_PRESS_MS) {
      process.exit(INTERRUPTED);
    }
  };
  process.on('SIGINT', intercept);
  return () => process.off('SIGINT', intercept);
}

/*
 * Most Markdown begins with a dash. Commander takes every argument that does for an option, so those that cannot be one
 * are marked before it parses, and the marks are taken off before the command runs.
 */

/** No operating system passes this character in an argument, so no argument holds it already. */
const MARK = '\0';

/** `- a bullet`, `-- so be it`, `---`: no option has a space behind its dashes, or three of them. */
const TEXT = /^(?:-+\s|-{3,})/u;

export function markDashedText(args: readonly string[]): string[] {
  return args.map((arg) => (TEXT.test(arg) ? `${MARK}${arg}` : arg));
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

/** Takes the marks off the arguments and option values of a command about to run. */
export function unmarkCommand(action: Command): void {
  action.args = action.args.map(withoutMarks);
  action.processedArgs = action.processedArgs.map(unmark);
  for (let command: Command | null = action; command !== null; command = command.parent) {
    for (const [name, value] of Object.entries(command.opts<Record<string, unknown>>())) {
      if (typeof value === 'string' && value.startsWith(MARK)) {
        command.setOptionValueWithSource(name, withoutMarks(value), command.getOptionValueSource(name));
      }
    }
  }
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return withoutMarks(value);
  return Array.isArray(value) ? value.map(unmark) : value;
}
