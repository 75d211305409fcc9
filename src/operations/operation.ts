import { z } from 'zod';
import { describeAllowed } from '../model/config/allowed.ts';
import { MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import type { OperationContext } from './context.ts';

/**
 * A verb of the system. One schema serves every interface: the CLI, the library, MCP, HTTP and the documentation all
 * read it from here.
 */
export interface Operation<Input extends z.ZodType, Output> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** Read-only operations are the only ones that readers and sub-agents get. */
  readonly effect: 'read' | 'write';
  readonly run: (context: OperationContext, input: z.output<Input>) => Promise<Output>;
}

export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** Only a person and the main agent change things; sub-agents propose, and readers read. */
export function assertMayWrite(actor: Actor, name: string): void {
  const role = roleOf(actor);
  if (role === 'human' || role === 'main') return;
  throw new MnemeError('refused', `${actor} may not run ${name}: only a person or the main agent may.`, {
    hint:
      role === 'subagent'
        ? 'Propose the change instead (`mneme proposals add`), or leave out --as.'
        : 'Leave out --as or name another actor.',
  });
}

/** Validates what an interface received and runs the verb. */
export async function runOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
  context: OperationContext,
  input: z.input<Input>,
): Promise<Output> {
  if (operation.effect === 'write') assertMayWrite(context.actor, operation.name);
  const parsed = operation.input.safeParse(input, { error: () => NO_WORDS });
  if (!parsed.success) {
    throw new MnemeError('usage', `${operation.name}: ${describeIssue(operation.input, parsed.error.issues[0])}.`, {
      hint: `\`mneme ${operation.name} --help\` shows what it takes.`,
      cause: parsed.error,
    });
  }
  return operation.run(context, parsed.data);
}

/** Stands where a schema has no message of its own; the validator's words are not for people. */
const NO_WORDS = '';

/** What is wrong, by the option's name and what it may be. */
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

/** Nobody types null. */
function withoutNull(allowed: string): string {
  return allowed.replace(/, or null$/u, '');
}
