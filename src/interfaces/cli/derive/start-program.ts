import type { z } from 'zod';
import { parseInput } from '../../../operations/parse-input.ts';
import type { Typed } from '../../../operations/verb.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Program } from './program.ts';

/** Starts a program with what was typed. */
export async function startProgram(
  cli: Cli,
  program: Program,
  options: GlobalOptions,
  { input, extra }: Typed<z.ZodType>,
): Promise<void> {
  await program.start({ cli, options, input: parseInput(program, input), extra });
}
