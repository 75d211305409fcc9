import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import { isScope } from '../model/provenance.ts';
import { explainNul } from '../platform/nul.ts';
import { underPermit } from '../workspace/door/request.ts';
import { cleanNames, refuseSecretId } from '../workspace/safety/clean-name.ts';
import type { OperationContext } from './context.ts';
import { assertMayLearn } from './may-learn.ts';
import { parseInput } from './parse-input.ts';
import { visibleTo } from './visible-to.ts';
import { assertWriter, type WithoutLease } from './writer-gate.ts';

export type Effect = 'read' | 'propose' | 'write';

/**
 * A verb of the system. One schema serves every interface: the CLI, the library, MCP, HTTP and the documentation all
 * read it from here.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output = unknown, Controls = unknown> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** Readers only read, sub-agents propose besides; the main agent and people do all three. */
  readonly effect: Effect;
  /** Set where an agent must not, whatever its role. */
  readonly by?: 'person' | undefined;
  /**
   * Reach of an operation without a `scope` in its input: shared content only, or only what `visibleTo` lets pass. Undeclared
   * means the whole home, which is then refused to who does not see all of it: a new verb is closed until somebody thought of it.
   */
  readonly reach?: 'shared' | 'filtered' | undefined;
  /** Whether an agent may run it where another machine writes this memory; undeclared means that it may not. */
  readonly withoutLease?: WithoutLease | undefined;
  /** `controls` carries what no schema describes: a signal, somebody to ask, a listener for progress. */
  run(context: OperationContext, input: z.output<Input>, controls?: Controls): Promise<Output>;
}

export function defineOperation<Input extends z.ZodType, Output, Controls = unknown>(
  operation: Operation<Input, Output, Controls>,
): Operation<Input, Output, Controls> {
  return operation;
}

/** Only a person and the main agent change things; sub-agents propose, and readers read. */
export function assertMayWrite(actor: Actor, name: string): void {
  const role = roleOf(actor);
  if (role === 'human' || role === 'main') return;
  throw new MnemeError('refused', `${actor} may not run ${name}: only a person or the main agent may.`, {
    hint: role === 'subagent' ? 'Propose it instead: `mneme agents propose`.' : 'Leave out --as or name another actor.',
  });
}

/** Whether whoever asks may run the verb at all. */
export function assertMayRun(actor: Actor, { name, effect, by }: Pick<Operation, 'name' | 'effect' | 'by'>): void {
  if (effect === 'write') assertMayWrite(actor, name);
  if (effect === 'propose' && roleOf(actor) === 'reader') {
    throw new MnemeError('refused', `${actor} may not run ${name}: readers only read.`, {
      hint: 'Name another actor with --as.',
    });
  }
  if (by === 'person' && roleOf(actor) !== 'human') {
    throw new MnemeError('refused', `${actor} may not run ${name}: only a person may.`, {
      hint: 'Tell the user what you would like to have changed, and why.',
    });
  }
}

/** The input with the scope the call works in; whoever does not see the whole home is kept within what they see. */
function withinScope<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
  context: OperationContext,
  input: unknown,
): unknown {
  const visible = visibleTo(context);
  const takesScope = operation.input instanceof z.ZodObject && 'scope' in operation.input.shape;
  if (!takesScope) {
    if (operation.reach !== undefined || visible.seesHome) return input;
    const who = context.confinedTo === undefined ? context.actor : `Who is confined to ${context.confinedTo}`;
    throw new MnemeError('refused', `${who} may not run ${operation.name}: it concerns the whole memory.`, {
      hint: 'Leave it to the main agent or a person.',
    });
  }
  if (typeof input !== 'object' || input === null) return input;
  const named = 'scope' in input ? input.scope : undefined;
  // An invalid scope is reported by the schema.
  if (named !== undefined && (typeof named !== 'string' || !isScope(named))) return input;
  const scope = operation.effect === 'write' ? visible.enterToWrite(named) : visible.enter(named);
  return named === undefined && context.confinedTo === undefined ? input : { ...input, scope };
}

/** Validates what an interface received and runs the verb. */
export async function runOperation<Input extends z.ZodType, Output, Controls = unknown>(
  operation: Operation<Input, Output, Controls>,
  context: OperationContext,
  input: z.input<Input>,
  controls?: Controls,
): Promise<Output> {
  assertMayRun(context.actor, operation);
  const { redactor } = context.workspace;
  await refuseSecretId(redactor, context.actor, 'name of the actor');
  const given = await cleanNames(redactor, parseInput(operation, withinScope(operation, context, input)));
  if (operation.withoutLease === 'proposes') await assertMayLearn(context, operation.name, given);
  const needsLease = operation.effect !== 'read' && operation.withoutLease === undefined && !isTrial(given);
  const permit = needsLease ? await assertWriter(context, operation.name) : undefined;
  try {
    const run = (): Promise<Output> => operation.run(context, given, controls);
    return await (permit === undefined ? run() : underPermit(permit, run));
  } catch (error) {
    throw explainNul(error);
  }
}

/** Only shows what would happen. */
function isTrial(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  return ('dryRun' in given && given.dryRun === true) || ('isDryRun' in given && given.isDryRun === true);
}

/** Runs a verb that is loaded only now: whoever opens a home should not pay for conversations it never holds. */
export async function runLater<Input extends z.ZodType, Output>(
  load: () => Promise<Operation<Input, Output>>,
  context: OperationContext,
  input: z.input<Input>,
): Promise<Output> {
  return runOperation(await load(), context, input);
}
