import type { z } from 'zod';
import type { CommandLine } from '../../../verb-registry/library-types.ts';
import type { CliShape, Typed } from '../../../operations/verb.ts';
import type { Cli, GlobalOptions } from '../cli.ts';

/** A command that is no verb of the memory: it starts a server, sets something up, speaks a protocol. */
export interface Program<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly examples?: readonly string[] | undefined;
  readonly input: Input;
  readonly args?: readonly string[] | undefined;
  readonly cli?: Omit<
    CliShape<Input, unknown, unknown>,
    'instead' | 'prepare' | 'beforeOpening' | 'controls' | 'around' | 'finish' | 'isJson' | 'notes' | 'exitCode'
  > & {
    /** Takes options and arguments it does not know. */
    readonly isLenient?: boolean;
  };
  /** The call's input is checked against the schema before. */
  start(call: ProgramCall<Input>): Promise<void>;
}

export interface ProgramCall<Input extends z.ZodType> {
  readonly cli: Cli;
  readonly options: GlobalOptions;
  readonly input: z.output<Input>;
  readonly extra: Typed<Input>['extra'];
}

export interface ProgramEntry {
  readonly command: CommandLine;
  readonly load: () => Promise<Program>;
}

export function defineProgram<Input extends z.ZodType>(program: Program<Input>): Program<Input> {
  return program;
}
