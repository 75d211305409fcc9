import type { z } from 'zod';
import type { Section } from '../operations/sections.ts';
import type { Verb } from '../operations/verb.ts';

/** The properties of a verb known before its file is loaded. */
export interface VerbEntry {
  readonly name: string;
  /** Absent where the command line does not offer it. */
  readonly command?: CommandLine | undefined;
  /** The library's method; absent where the library does not offer it. */
  readonly method?: string | undefined;
  readonly load: () => Promise<Verb>;
}

/** The data on a command for help and completion before its file is loaded. */
export interface CommandLine {
  readonly path: string;
  readonly summary: string;
  /** Its arguments: `<path> [text...]`. */
  readonly usage?: string | undefined;
  /** An example of an everyday command. */
  readonly example?: string | undefined;
  readonly section?: Section | undefined;
  readonly isDefault?: true | undefined;
  readonly isHidden?: true | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly formerly?: readonly string[] | undefined;
}

/** Describes what a caller of a verb over HTTP gives and gets; `Omitted` are the keys that HTTP does not take. */
export interface RouteOf<Source extends Verb, Omitted extends string = never> {
  readonly input: Omit<z.input<Source['input']>, Omitted>;
  readonly answer: Awaited<ReturnType<Source['run']>>;
}

/** The library's method of a verb: positional keys first, then everything else as options. */
export type MethodOf<Source extends Verb> = (
  ...given: Given<z.input<Source['input']>, PositionalOf<Source>, ControlsOf<Source>>
) => Promise<AnswerOf<Source, Awaited<ReturnType<Source['run']>>>>;

type AnswerOf<Source extends Verb, Output> =
  Source extends Verb<z.ZodType, unknown, unknown, readonly string[], infer Shape>
    ? Shape extends { readonly answer: infer Key extends keyof Output }
      ? Output[Key]
      : Output
    : Output;

type PositionalOf<Source extends Verb> =
  Source extends Verb<z.ZodType, unknown, unknown, infer Args, infer Shape>
    ? Shape extends { readonly args: infer Own extends readonly string[] }
      ? Own
      : Args
    : readonly [];

type ControlsOf<Source extends Verb> = Parameters<Source['run']>[2] extends infer Controls
  ? unknown extends Controls
    ? unknown
    : Partial<NonNullable<Controls>>
  : unknown;

/** Takes positional keys off one by one; a list that takes the rest of the words ends the method's parameters. */
type Given<Input, Keys extends readonly string[], Controls, Taken extends string = never> = Keys extends readonly [
  infer Key extends string,
  ...infer Rest extends readonly string[],
]
  ? Key extends `${infer Name}...`
    ? Input extends { readonly [K in Name]?: infer Value }
      ? NonNullable<Value> extends readonly (infer Item)[]
        ? [...items: Item[]]
        : [...One<Input, Name>, ...Options<Input, Taken | Name, Controls>]
      : never
    : [...One<Input, Key>, ...Given<Input, Rest, Controls, Taken | Key>]
  : Options<Input, Taken, Controls>;

type One<Input, Key extends string> = Key extends keyof Input
  ? undefined extends Input[Key]
    ? [value?: Input[Key]]
    : [value: Input[Key]]
  : never;

type Options<Input, Taken extends string, Controls> =
  Record<string, never> extends Omit<Input, Taken>
    ? [options?: Omit<Input, Taken> & Controls]
    : [options: Omit<Input, Taken> & Controls];
