import type { z } from 'zod';
import type { Verb } from '../operations/verb.ts';

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
