import type { z } from 'zod';
import type { OperationContext } from './context.ts';
import { runOperation, type Operation } from './operation.ts';

/** Runs a verb that is loaded only now: whoever opens a home should not pay for conversations it never holds. */
export async function runLater<Input extends z.ZodType, Output>(
  load: () => Promise<Operation<Input, Output>>,
  context: OperationContext,
  input: z.input<Input>,
): Promise<Output> {
  return runOperation(await load(), context, input);
}
