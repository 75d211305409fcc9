import type { Command } from 'commander';
import type { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import type { CliShape, OptionShape, Typed } from '../../../operations/verb.ts';
import { fieldsOf, type Field } from '../../../verb-registry/fields.ts';

/** The properties of a verb or a program that the derivation reads. */
export interface CommandSource {
  readonly input: z.ZodType;
  readonly args?: readonly string[] | undefined;
  readonly cli?:
    | Pick<CliShape<z.ZodType, unknown, unknown>, 'args' | 'options' | 'extra' | 'stdin'>
    | false
    | undefined;
}

interface Positional {
  readonly key: string;
  readonly isRest: boolean;
  readonly field: Field;
  /** Stands for it in help. */
  readonly value: string;
  readonly isRequired: boolean;
}

interface Flagged {
  readonly field: Field;
  readonly shape: OptionShape;
  /** As commander stores it. */
  readonly name: string;
  readonly long: string;
}

interface Parts {
  readonly positional: readonly Positional[];
  readonly flagged: readonly Flagged[];
  readonly extra: NonNullable<CliShape<z.ZodType, unknown, unknown>['extra']>;
  readonly stdin: string | undefined;
}

/** Divides the keys of the input into positional arguments and options. */
export function partsOf(source: CommandSource): Parts {
  const shape = source.cli === false ? {} : (source.cli ?? {});
  const fields = fieldsOf(source.input);
  const positional = (shape.args ?? source.args ?? []).map((word) => {
    const key = word.replace(/\.\.\.$/u, '');
    const field = fields.find((one) => one.key === key);
    if (field === undefined) throw new Error(`The input has no key "${key}" to be given by position.`);
    const option = shape.options?.[key];
    const { value = kebab(key), isRequired = field.isRequired } = option === false ? {} : (option ?? {});
    return { key, isRest: word !== key, field, value, isRequired };
  });
  const taken = new Set(positional.map(({ key }) => key));
  const flagged = fields.flatMap((field): Flagged[] => {
    const option = shape.options?.[field.key] ?? {};
    if (taken.has(field.key) || option === false) return [];
    if (field.kind === 'other' && shape.options?.[field.key] === undefined) return [];
    const long = option.flag ?? kebab(field.key);
    return [{ field, shape: option, name: camel(long), long: `--${long}` }];
  });
  return { positional, flagged, extra: shape.extra ?? {}, stdin: shape.stdin };
}

/** Adds the arguments and options of a verb to its command. */
export function addArguments(command: Command, source: CommandSource): void {
  const { positional, flagged, extra } = partsOf(source);
  for (const { value, isRest, isRequired } of positional) {
    const name = `${value}${isRest ? '...' : ''}`;
    command.argument(isRequired ? `<${name}>` : `[${name}]`);
  }
  for (const one of flagged) addOption(command, one);
  for (const { flags, help, isRepeated } of Object.values(extra)) {
    if (isRepeated === true) command.option(flags, help, collect);
    else command.option(flags, help);
  }
}

function addOption(command: Command, { field, shape, long }: Flagged): void {
  const help = shape.help ?? helpOf(field);
  const short = shape.short === undefined ? '' : `-${shape.short}, `;
  if (field.kind === 'flag' && shape.parse === undefined) {
    command.option(field.isOn ? `--no-${long.slice(2)}` : `${short}${long}`, help);
    return;
  }
  const isWords = shape.list === 'words';
  const flags = `${short}${long} <${shape.value ?? placeholderOf(field)}${isWords ? '...' : ''}>`;
  const isRepeated = shape.list === 'repeated' || field.kind === 'record';
  const isRequired = shape.isRequired ?? field.isRequired;
  if (isRepeated) command.option(flags, help, collect);
  else if (isRequired) command.requiredOption(flags, help);
  else command.option(flags, help);
}

/** Help begins in lower case and ends without a full stop: it stands beside its option. */
function helpOf({ help, choices }: Field): string {
  const text = help.replace(/\.$/u, '').replace(/^[A-Z](?=[a-z ])/u, (letter) => letter.toLowerCase());
  if (choices === undefined) return text;
  return text === '' ? choices.join(', ') : `${text}: ${choices.join(', ')}`;
}

function placeholderOf({ kind }: Field): string {
  if (kind === 'number' || kind === 'integer') return 'number';
  if (kind === 'list') return 'list';
  return kind === 'record' ? 'name=value' : 'text';
}

function collect(value: string, known: readonly string[] = []): readonly string[] {
  return [...known, value];
}

/** Reads what was typed into the keys of the input. */
export async function readTyped(
  source: CommandSource,
  given: readonly (string | readonly string[] | undefined)[],
  options: Readonly<Record<string, unknown>>,
  readInput: () => Promise<string>,
): Promise<Typed<z.ZodType>> {
  const shape = source.cli === false ? {} : (source.cli ?? {});
  const { positional, flagged, extra, stdin } = partsOf(source);
  const input: Record<string, unknown> = {};
  for (const [at, { key, field }] of positional.entries()) {
    const typed = given[at];
    const isList = field.kind === 'list';
    const isGiven = typed !== undefined && (typeof typed === 'string' || isList || typed.length > 0);
    if (!isGiven) continue;
    const parse = shape.options?.[key] === false ? undefined : shape.options?.[key]?.parse;
    if (parse !== undefined) input[key] = parse(typed, kebab(key));
    else input[key] = typeof typed === 'string' || isList ? readValue(field, typed, kebab(key)) : typed.join(' ');
  }
  for (const { field, shape: option, name, long } of flagged) {
    const typed = options[name];
    if (typed === undefined || (field.isOn && typed === true)) continue;
    input[field.key] = readOption(field, option, typed, long);
  }
  if (stdin !== undefined && input[stdin] === '-') input[stdin] = await readInput();
  const typedExtra = Object.fromEntries(
    Object.entries(extra).map(([key, { flags }]) => [key, options[camel(longOf(flags))]]),
  );
  return { input, extra: typedExtra };
}

function readOption(field: Field, shape: OptionShape, typed: unknown, long: string): unknown {
  if (typeof typed === 'boolean') return shape.parse === undefined ? typed : shape.parse(String(typed), long);
  const words = typed as string | readonly string[];
  if (shape.parse !== undefined) return shape.parse(words, long);
  return readValue(field, words, long);
}

function readValue({ kind, members, choices }: Field, typed: string | readonly string[], option: string): unknown {
  if (kind === 'list') {
    const items = typeof typed === 'string' ? commaList(typed) : [...typed];
    if (members === 'integer') return items.map((item) => wholeNumber(item, option));
    return choices === undefined ? items : knownNames(items, choices, option);
  }
  if (kind === 'record') return readPairs(typeof typed === 'string' ? [typed] : typed);
  const text = typeof typed === 'string' ? typed : typed.join(' ');
  if (kind === 'integer') return wholeNumber(text, option);
  return kind === 'number' ? decimalNumber(text, option) : text;
}

/** `name=value`, as often as it is given. */
function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [pair, ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function longOf(flags: string): string {
  return /--(?:no-)?(?<long>[\w-]+)/u.exec(flags)?.groups?.['long'] ?? '';
}

export function kebab(key: string): string {
  return key.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function camel(long: string): string {
  return long.replaceAll(/-(\w)/gu, (_match, letter: string) => letter.toUpperCase());
}

/** A whole number as typed. */
function wholeNumber(text: string, option: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a whole number, not "${text}".`);
}

/** A number as typed, such as 0.7. */
function decimalNumber(text: string, option: string): number {
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a number, not "${text}".`);
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Members of a list of known names, in whatever case they were typed. */
function knownNames(given: readonly string[], known: readonly string[], option: string): string[] {
  return given.map((one) => {
    const name = known.find((candidate) => candidate === one.toLowerCase());
    if (name !== undefined) return name;
    throw new MnemeError('usage', `${option} does not know "${one}".`, { hint: `There are: ${known.join(', ')}.` });
  });
}
