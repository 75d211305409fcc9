import { z } from 'zod';

/**
 * The kinds of value a key can have. Every helper takes the default first and the key's one-line meaning second, so a
 * section of the schema reads like the table it becomes in docs/configuration.md. `allowed` in the metadata says in
 * words what a check in code cannot say to a reader.
 */

interface Range {
  readonly min?: number;
  readonly max?: number;
}

const YEARS_100_IN_DAYS = 36_500;

/** Noted beside the schema: `describe` would copy each of three hundred, which shows whenever a process starts. */
function withMeaning<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

export function flag(value: boolean, meaning: string) {
  return withMeaning(z.boolean().default(value), meaning);
}

function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER }: Range) {
  return z.int().check(z.gte(min), z.lte(max));
}

/** Counts, tokens, bytes, milliseconds: the unit stands in the key. */
export function integer(value: number, meaning: string, range: Range = {}) {
  return withMeaning(wholeNumber(range).default(value), meaning);
}

/** A whole number, or null for "no such limit" (the meaning says what null does). */
export function optionalInteger(meaning: string, range: Range = {}) {
  return withMeaning(wholeNumber(range).nullable().default(null), meaning);
}

export function days(value: number, meaning: string) {
  return integer(value, meaning, { max: YEARS_100_IN_DAYS });
}

export function optionalDays(meaning: string) {
  return optionalInteger(meaning, { min: 1, max: YEARS_100_IN_DAYS });
}

export function decimal(value: number, meaning: string, { min = 0, max = 1000 }: Range = {}) {
  return withMeaning(z.number().check(z.gte(min), z.lte(max)).default(value), meaning);
}

/** A part of a whole, a score, a similarity, a confidence: 0 to 1. */
export function fraction(value: number, meaning: string) {
  return decimal(value, meaning, { max: 1 });
}

export function choice<const Options extends readonly [string, ...string[]]>(
  options: Options,
  value: Options[number],
  meaning: string,
) {
  // The schema's own type wants its literal union back; `value` is one of `options` by its type.
  const initial = value as z.util.NoUndefined<z.output<z.ZodEnum<z.util.ToEnum<Options[number]>>>>;
  return withMeaning(z.enum(options).default(initial), meaning);
}

// One line without control characters: such a value can always be written back into the YAML as it was read.
export const LINE = z.string().regex(/^[^\p{Cc}\u2028\u2029]+$/u);
const TEXT = LINE.meta({ allowed: 'a line of text' });
const LINES = z.array(LINE).meta({ allowed: 'a list of texts' });

export function text(value: string, meaning: string) {
  return withMeaning(TEXT.default(value), meaning);
}

/** Text that goes on into a command or a statement, so only what is harmless there is allowed. */
export function textMatching(pattern: RegExp, allowed: string, value: string, meaning: string) {
  return withMeaning(z.string().regex(pattern).meta({ allowed }).default(value), meaning);
}

export function optionalText(meaning: string) {
  return withMeaning(TEXT.nullable().default(null), meaning);
}

export function textList(value: readonly string[], meaning: string) {
  return withMeaning(LINES.default([...value]), meaning);
}

export const ENVIRONMENT_NAME = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]{0,63}$/)
  .meta({ allowed: 'the name of an environment variable (capitals, digits, underscores)' });

/** The name of an environment variable that holds a secret; the secret itself has no place in a file. */
export function environmentName(value: string, meaning: string) {
  return withMeaning(ENVIRONMENT_NAME.default(value), meaning);
}

const WEB_ADDRESS = z
  .string()
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value) && !holdsPassword(value))
  .meta({ allowed: 'an http(s) address without a password in it' });

export function address(value: string, meaning: string) {
  return withMeaning(WEB_ADDRESS.default(value), meaning);
}

export function optionalAddress(meaning: string) {
  return withMeaning(WEB_ADDRESS.nullable().default(null), meaning);
}

/** A git remote: an address or path, but never one with a password in it, because mneme.yaml is not a secret. */
export function gitRemote(meaning: string) {
  return LINE.refine((value) => !value.startsWith('-') && !holdsPassword(value))
    .meta({ allowed: 'the address or path of a git repository, without a password in it' })
    .nullable()
    .default(null)
    .describe(meaning);
}

function holdsPassword(value: string): boolean {
  return URL.canParse(value) && new URL(value).password !== '';
}

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Says in words what a value may be, for error messages and the reference. */
export function describeAllowed(schema: JsonSchema): string {
  if (typeof schema['allowed'] === 'string') return schema['allowed'];
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => describeOption(option)).join(', or ');
  if (schema.enum !== undefined) return listOr(schema.enum.map(String));
  switch (schema.type) {
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    default:
      return 'text';
  }
}

/** "a, b or c" */
function listOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function describeOption(option: JsonSchema | boolean): string {
  return typeof option === 'boolean' ? 'anything' : describeAllowed(option);
}

function describeRange({ minimum, maximum }: JsonSchema): string {
  // zod bounds every whole number by what JavaScript can count exactly; that is no limit worth telling.
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined) return top === undefined ? '' : ` up to ${top}`;
  return top === undefined ? ` from ${minimum}` : ` from ${minimum} to ${top}`;
}
