import type { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import type { OperationContext } from './context.ts';

/**
 * A verb of the system. One schema serves every interface: the CLI, the library, MCP, HTTP and the documentation all
 * read it from here.
 */
export interface Operation<Input extends z.ZodType, Output> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** Read-only operations are the only ones a reader gets. */
  readonly effect: 'read' | 'write';
  readonly run: (context: OperationContext, input: z.output<Input>) => Promise<Output>;
}

export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** Validates what an interface received and runs the verb. */
export async function runOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
  context: OperationContext,
  input: z.input<Input>,
): Promise<Output> {
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    throw new MnemeError('usage', `${operation.name}: ${where}${issue?.message ?? 'invalid input'}.`, {
      hint: `\`mneme ${operation.name} --help\` shows what it takes.`,
      cause: parsed.error,
    });
  }
  return operation.run(context, parsed.data);
}
