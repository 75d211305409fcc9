import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import type { ActionContext, InputSchema } from '../../memory/procedures/workflow/actions.ts';

type Run = (input: unknown, context: ActionContext) => unknown;

interface GivenAction {
  readonly run: Run;
  readonly input?: InputSchema<unknown>;
  readonly description?: string;
  readonly isIdempotent?: boolean;
}

const HOW = 'Export them as `export const actions = { greet: { run: ({ name }) => … } }`.';

/** Registers what a module exports as `actions`. The file is named by whoever types the command, and by nobody else. */
export async function loadActions({ actions: registry }: OperationContext, file: string): Promise<void> {
  const full = path.resolve(file);
  if (!fs.existsSync(full)) throw new MnemeError('not-found', `There is no file ${file} with actions.`);
  const actions = await importActions(full, file);
  for (const [name, given] of Object.entries(actions)) {
    const { run, input, description, isIdempotent } =
      typeof given === 'function' ? { run: given as Run } : (given as GivenAction);
    if (typeof run !== 'function') {
      throw new MnemeError('usage', `The action "${name}" in ${file} has no function \`run\`.`, { hint: HOW });
    }
    registry.register(name, input, run, { description, isIdempotent });
  }
}

async function importActions(full: string, file: string): Promise<object> {
  try {
    const module: unknown = await import(pathToFileURL(full).href);
    const actions: unknown =
      typeof module === 'object' && module !== null && 'actions' in module ? module.actions : undefined;
    if (typeof actions === 'object' && actions !== null) return actions;
  } catch (error) {
    if (isMnemeError(error)) throw error;
    throw new MnemeError('failure', `${file} cannot be loaded: ${errorMessage(error)}`, { hint: HOW, cause: error });
  }
  throw new MnemeError('usage', `${file} exports no \`actions\`.`, { hint: HOW });
}
