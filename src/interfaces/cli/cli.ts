import type { CommanderError } from 'commander';
import { errorMessage, isMnemeError, MnemeError, type ErrorCode } from '../../model/errors.ts';
import { parseActor } from '../../model/mutation.ts';
import type { Environment } from '../../platform/environment.ts';
import type { Mneme } from '../../mneme.ts';
import type { Effect } from '../../operations/operation.ts';
import { type CliIo, withoutMarks } from './io.ts';
import { plain, plainLine, plainValue } from '../../operations/command-line/plain.ts';
import { selfCommand } from './version.ts';
import { createStyle, type Style } from '../../operations/command-line/style.ts';
import { explainSystemError } from './system-error.ts';

/** Exit codes are a contract (`mneme help exit-codes`): scripts branch on them. */
export const EXIT_CODES: Readonly<Record<ErrorCode | 'ok', number>> = {
  ok: 0,
  failure: 1,
  usage: 2,
  'not-found': 3,
  conflict: 4,
  refused: 5,
  locked: 6,
  integrity: 7,
};

export interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly as?: string;
}

/** The streams, environment and opened home that every command works with. */
export class Cli {
  readonly io: CliIo;
  readonly style: Style;
  readonly environment: Environment;
  exitCode = EXIT_CODES.ok;
  readonly #warned = new Set<string>();

  constructor(io: CliIo, environment: Environment) {
    this.io = io;
    this.environment = environment;
    this.style = createStyle(io.wantsColor);
  }

  home(options: GlobalOptions): string {
    return options.home ?? this.environment.home;
  }

  /** Someone at a shell is a person unless `--as` or `MNEME_ACTOR` says otherwise. */
  actor(options: GlobalOptions): string {
    const actor = parseActor(options.as ?? this.environment.actor ?? 'manual');
    // `bot:commit-from:NAME` stands for a decision that was made.
    const isReserved = actor === 'external' || /^(?:system|bot:commit-from)(?::|$)/u.test(actor);
    if (!isReserved) return actor;
    throw new MnemeError('usage', `Nobody acts as ${actor}: Mneme itself does.`, {
      hint: 'Use manual, bot:NAME, reflection:ID, skill:NAME, subagent:NAME or reader:NAME.',
    });
  }

  /**
   * Opens the home, runs a command on it, and closes it again whatever happens. Who may not run the operation is told
   * before: opening looks for edits and records them, which is no business of somebody who may not write.
   */
  async withMneme<T>(
    options: GlobalOptions,
    body: (mneme: Mneme) => Promise<T>,
    operation?: { readonly name: string; readonly effect: Effect; readonly by?: 'person' | undefined },
  ): Promise<T> {
    const home = this.home(options);
    const actor = this.actor(options);
    // Loaded here because neither help nor completion nor the version opens a home.
    const [{ assertMayRun }, { assertHistoryExists }, { Mneme: Home }] = await Promise.all([
      import('../../operations/operation.ts'),
      import('../../operations/history/missing.ts'),
      import('../../mneme.ts'),
    ]);
    if (operation !== undefined) assertMayRun(actor, operation);
    await assertHistoryExists(home);
    const mneme = await Home.open({ home, actor, isShortLived: true, background: selfCommand() });
    try {
      for (const notice of mneme.internals.notices) this.warn(notice);
      return await body(mneme);
    } finally {
      await mneme.close();
    }
  }

  /** One JSON value with `--json`, readable text otherwise. */
  print<T>(options: GlobalOptions, result: T, render: (result: T) => string): void {
    if (options.json === true) this.io.out(`${JSON.stringify(result, jsonValue)}\n`);
    else this.io.out(render(plainValue(result)));
  }

  /** Notes for standard error, each once. */
  warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.io.err(`${this.style.yellow('note')}  ${plainLine(message)}\n`);
  }

  fail(thrown: unknown, isJson: boolean, home: string): number {
    const { code, message, hint } = toMnemeError(thrown, home);
    if (isJson) this.io.out(`${JSON.stringify({ error: { code, message, hint: hint ?? null } })}\n`);
    this.io.err(`${this.style.red('error')} ${plain(message)}\n`);
    if (hint !== undefined) this.io.err(`      ${plain(hint).replaceAll('\n', '\n      ')}\n`);
    if (this.environment.isDebugging === true && thrown instanceof Error && thrown.stack !== undefined) {
      this.io.err(this.style.dim(`${plain(thrown.stack)}\n`));
    }
    return EXIT_CODES[code];
  }
}

/** Turns an error into one for a person: what failed and what to do. */
function toMnemeError(thrown: unknown, home: string): MnemeError {
  if (isMnemeError(thrown)) return thrown;
  return (
    explainSystemError(thrown, home) ??
    new MnemeError('failure', `Something unexpected happened: ${errorMessage(thrown)}`, {
      hint: 'That is a fault of Mneme; MNEME_DEBUG=1 shows where it happened.',
      cause: thrown,
    })
  );
}

/** undefined would vanish from the output; an absent value is null there. */
function jsonValue(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return value;
}

/** Commander's own complaints (unknown option, missing argument) as our one error type. */
export function usageError(error: CommanderError): MnemeError {
  const message = withoutMarks(error.message).replace(/^error: /u, '');
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return new MnemeError('usage', sentence.endsWith('.') ? sentence : `${sentence}.`, {
    hint:
      error.code === 'commander.unknownOption'
        ? 'Text that begins with a dash goes behind `--`: `mneme remember -- "-5 °C"`. `mneme COMMAND --help` lists the options.'
        : '`mneme help` lists the commands, `mneme COMMAND --help` explains one.',
  });
}
