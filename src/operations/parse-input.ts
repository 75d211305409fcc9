import { z } from 'zod';
import { describeAllowed } from '../model/config/values.ts';
import { MnemeError } from '../model/errors.ts';

/** Input checked against its schema; what is wrong with it is said by the option's name. */
export function parseInput<Input extends z.ZodType>(
  { name, input: schema, cli }: { readonly name: string; readonly input: Input; readonly cli?: unknown },
  input: unknown,
): z.output<Input> {
  const parsed = schema.safeParse(input, { error: () => NO_WORDS });
  if (parsed.success) return parsed.data;
  throw new MnemeError('usage', `${name}: ${describeIssue(schema, parsed.error.issues[0])}.`, {
    hint: `\`mneme ${commandOf(name, cli)} --help\` shows what it takes.`,
    cause: parsed.error,
  });
}

/** The command that takes the input; a verb without words of its own belongs to the command its name begins with. */
function commandOf(name: string, cli: unknown): string {
  if (typeof cli !== 'object' || cli === null || !('path' in cli) || cli.path === undefined) return name;
  return typeof cli.path === 'string' ? cli.path : (name.split(' ')[0] ?? name);
}

/** Stands where a schema has no message of its own; the validator's words are not for people. */
const NO_WORDS = '';

/** Describes the error, by the option's name and its permitted values. */
function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue | undefined): string {
  const name = String(issue?.path[0] ?? '').replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  if (issue?.code === 'unrecognized_keys') return `there is no option ${issue.keys.join(', ')}`;
  const message = issue?.message ?? NO_WORDS;
  if (message !== NO_WORDS) return name !== '' && message.startsWith('is ') ? `${name} ${message}` : message;
  if (issue === undefined || name === '') return 'what was given does not fit';
  if (issue.code === 'too_small' && issue.origin === 'string') return `${name} must not be empty`;
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return `${name} is too long: at most ${Number(issue.maximum).toLocaleString('en')} characters`;
  }
  return `${name} must be ${allowedFor(schema, String(issue.path[0]))}`;
}

function allowedFor(schema: z.ZodType, key: string): string {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const property = properties?.[key];
  if (typeof property !== 'object') return 'something else';
  const { items } = property;
  const isList = typeof items === 'object' && !Array.isArray(items);
  return isList ? `a list of: ${describeAllowed(items)}` : withoutNull(describeAllowed(property));
}

/** Removes `null`, which users cannot type. */
function withoutNull(allowed: string): string {
  return allowed.replace(/, or null$/u, '');
}
