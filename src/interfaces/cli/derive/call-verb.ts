import type { z } from 'zod';
import type { Mneme } from '../../../mneme.ts';
import { runOperation } from '../../../operations/operation.ts';
import { plainValue } from '../../../operations/command-line/plain.ts';
import type { Terminal } from '../../../operations/command-line/terminal.ts';
import type { CliShape, Typed, Verb, VerbCall } from '../../../operations/verb.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';

/** Runs a verb as the command line calls it, and shows its answer. */
export async function callVerb(cli: Cli, verb: Verb, options: GlobalOptions, typed: Typed<z.ZodType>): Promise<void> {
  const shape = verb.cli === false ? {} : (verb.cli ?? {});
  const terminal = terminalOf(cli);
  const input = shape.around === undefined ? await inputOf(shape, typed, terminal) : typed.input;
  const line = new ProgressLine(cli, options);
  const call = (signal: AbortSignal | undefined) =>
    cli.withMneme(
      options,
      async (mneme) => {
        const report = (text: string): void => line.show(text);
        const controls = signal === undefined ? undefined : shape.controls?.({ signal, report }, terminal);
        const output = await run(mneme, verb, { input, typed, controls, terminal });
        return { output, timeZone: mneme.internals.config.time_zone };
      },
      verb,
    );
  const { output, timeZone } = await (shape.controls === undefined ? call(undefined) : untilInterrupted(cli, call));
  line.clear();
  const columns = cli.io.isTerminal ? cli.io.columns : undefined;
  const view = { style: cli.style, timeZone, columns };
  if (options.json === true || verb.render === undefined)
    cli.print(options, output, (shown) => `${JSON.stringify(shown, null, 2)}\n`);
  else cli.io.out(await verb.render(view, plainValue(output), input));
  for (const note of shape.notes?.(output) ?? []) cli.warn(note);
  const code = shape.exitCode?.(output) ?? 'ok';
  if (code !== 'ok') cli.exitCode = EXIT_CODES[code];
}

async function inputOf(
  shape: CliShape<z.ZodType, unknown, unknown>,
  typed: Typed<z.ZodType>,
  terminal: Terminal,
): Promise<unknown> {
  return shape.prepare === undefined ? typed.input : shape.prepare(typed, terminal);
}

interface Given {
  readonly input: unknown;
  readonly typed: Typed<z.ZodType>;
  readonly controls: unknown;
  readonly terminal: Terminal;
}

async function run(mneme: Mneme, verb: Verb, { input, typed, controls, terminal }: Given): Promise<unknown> {
  const context = mneme.internals;
  const shape = verb.cli === false ? {} : (verb.cli ?? {});
  const call: VerbCall<z.ZodType, unknown> = {
    terminal,
    run: (given) => runOperation(verb, context, given, controls),
    verb: (other, given, otherControls) => runOperation(other, context, given, otherControls),
  };
  const output = await (shape.around === undefined ? call.run(input) : shape.around(typed, call));
  return shape.finish === undefined ? output : shape.finish(context, output);
}

function terminalOf(cli: Cli): Terminal {
  return {
    style: cli.style,
    isTerminal: cli.io.isTerminal,
    readInput: () => cli.io.readInput(),
    ask: (question) => cli.io.ask(question),
    askSecret: (question) => cli.io.askSecret(question),
    edit: async (name, text, otherWay) => {
      const { editByHand } = await import('../editor.ts');
      return editByHand(cli, name, text, otherWay);
    },
    warn: (message) => cli.warn(message),
  };
}
