import type { Command } from 'commander';
import type { z } from 'zod';
import type { Operation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { show } from './show.ts';

/** Runs a verb of the graph and shows what it says; notes of a write go to standard error. */
export async function showGraph<Input extends z.ZodType, Output extends object>(
  cli: Cli,
  command: Command,
  operation: Operation<Input, Output>,
  input: z.input<Input>,
  render: (view: View, result: Output) => string,
): Promise<Output> {
  const result = await show(cli, command.optsWithGlobals<GlobalOptions>(), operation, input, render);
  const { warnings = [] } = result as { readonly warnings?: readonly string[] };
  for (const warning of warnings) cli.warn(warning);
  return result;
}

export interface ScopeOption {
  readonly scope?: string;
}

export interface MomentOptions extends ScopeOption {
  readonly at?: string;
  readonly knownAt?: string;
}

export function addMomentOptions(command: Command): Command {
  return command
    .option('--at <date>', 'what held then: a day, month or year')
    .option('--known-at <date>', 'as it was known then')
    .option('--scope <scope>', 'with what belongs to this scope, such as project:apollo');
}

export function addScopeOption(command: Command): Command {
  return command.option('--scope <scope>', 'in this scope, such as project:apollo');
}
