import type { z } from 'zod';
import type { Mneme } from '../../../mneme.ts';
import { MnemeError } from '../../../model/errors.ts';
import { runOperation, type Operation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { View } from '../../../operations/command-line/view.ts';

/** Runs a verb of the history and shows what it says, with days and hours as the home has them. */
export async function show<Input extends z.ZodType, Output>(
  cli: Cli,
  options: GlobalOptions,
  operation: Operation<Input, Output>,
  input: z.input<Input>,
  render: (view: View, result: Output) => string,
): Promise<Output> {
  const run = async ({ internals: context }: Mneme): Promise<{ result: Output; timeZone: string }> => ({
    result: await runOperation(operation, context, input),
    timeZone: context.config.time_zone,
  });
  const { result, timeZone } = await cli.withMneme(options, run, operation);
  const columns = cli.io.isTerminal ? cli.io.columns : undefined;
  cli.print(options, result, (shown) => render({ style: cli.style, timeZone, columns }, shown));
  return result;
}

/** A whole number as typed. */
export function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a whole number, not "${text}".`);
}

/** A number as typed, such as 0.7. */
export function decimalOf(option: string, text: string): number {
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a number, not "${text}".`);
}
