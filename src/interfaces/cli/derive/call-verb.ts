import type { z } from 'zod';
import type { Mneme } from '../../../mneme.ts';
import { runOperation } from '../../../operations/operation.ts';
import { plainValue } from '../../../operations/command-line/plain.ts';
import type { Progress, Terminal } from '../../../operations/command-line/style.ts';
import type { HomePlace, Typed, Verb, VerbCall } from '../../../operations/verb.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine, progressOf, untilInterrupted } from '../progress.ts';

/** Runs a verb as the command line calls it, and shows its answer. */
export async function callVerb(cli: Cli, verb: Verb, options: GlobalOptions, typed: Typed<z.ZodType>): Promise<void> {
  const shape = verb.cli === false ? {} : (verb.cli ?? {});
  const other = await shape.instead?.(typed);
  if (other !== undefined) {
    await callVerb(cli, other.verb, options, other.typed);
    return;
  }
  const terminal = terminalOf(cli);
  const prepared = await shape.prepare?.(typed, terminal);
  const input: unknown = prepared ?? typed.input;
  const begun = await shape.beforeOpening?.(
    { ...typed, input: input as Typed<z.ZodType>['input'] },
    placeOf(cli, options, terminal),
  );
  if (shape.beforeOpening !== undefined && begun === undefined) return;
  const given = { input, extra: { ...typed.extra, ...begun }, terminal };
  const line = new ProgressLine(cli, options);
  const call = (signal: AbortSignal | undefined) =>
    cli.withMneme(
      options,
      async (mneme) => {
        const progress = signal === undefined ? undefined : progressOf(cli, options, line, signal);
        const output = await run(mneme, verb, { ...given, progress });
        return { output, timeZone: mneme.internals.config.time_zone };
      },
      verb,
    );
  const { output, timeZone } = await (shape.controls === undefined ? call(undefined) : untilInterrupted(cli, call));
  line.clear();
  const columns = cli.io.isTerminal ? cli.io.columns : undefined;
  const view = { style: cli.style, timeZone, columns };
  const shown = { ...typed, input: input as Typed<z.ZodType>['input'] };
  const isJson = options.json === true || shape.isJson?.(shown) === true;
  if (isJson || verb.render === undefined)
    cli.print(
      { ...options, json: isJson },
      shape.json === undefined ? output : shape.json(output),
      (answer) => `${JSON.stringify(answer, null, 2)}\n`,
    );
  else cli.io.out(await verb.render(view, plainValue(output), input, typed.extra));
  for (const note of shape.notes?.(output, shown) ?? []) cli.warn(note);
  const code = shape.exitCode?.(output, shown) ?? 'ok';
  if (code !== 'ok') cli.exitCode = EXIT_CODES[code];
  if (shape.leavesWork?.(output) === true) cli.io.endSoon?.();
}

interface Given {
  readonly input: unknown;
  readonly extra: Typed<z.ZodType>['extra'];
  readonly progress: Progress | undefined;
  readonly terminal: Terminal;
}

async function run(mneme: Mneme, verb: Verb, { input, extra, progress, terminal }: Given): Promise<unknown> {
  const context = mneme.internals;
  const shape = verb.cli === false ? {} : (verb.cli ?? {});
  const controls = progress === undefined ? undefined : shape.controls?.(progress, terminal);
  const call: VerbCall<z.ZodType, unknown> = {
    terminal,
    context,
    progress,
    run: (given) => runOperation(verb, context, given, controls),
    verb: (other, given, otherControls) => runOperation(other, context, given, otherControls),
  };
  const output = await (shape.around === undefined
    ? call.run(input)
    : shape.around({ input: input as Typed<z.ZodType>['input'], extra }, call));
  return shape.finish === undefined ? output : shape.finish(context, output, progress, terminal);
}

function placeOf(cli: Cli, options: GlobalOptions, terminal: Terminal): HomePlace {
  return {
    home: cli.home(options),
    actor: cli.actor(options),
    terminal,
    ensure: async (how) => {
      const { ensureHome } = await import('../programs/make-home.ts');
      return ensureHome(cli, { ...options, ...how });
    },
  };
}

export function terminalOf(cli: Cli): Terminal {
  return {
    style: cli.style,
    isTerminal: cli.io.isTerminal,
    logPlaces: cli.environment.logPlaces,
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
