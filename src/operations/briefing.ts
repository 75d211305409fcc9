import { z } from 'zod';
import { ContextCompiler } from '../compile/compiler.ts';
import { PRESETS } from '../compile/limits.ts';
import { EVENTS, type Briefing } from '../compile/receipt.ts';
import { ReceiptStore } from '../compile/receipt-store.ts';
import { errorMessage } from '../model/errors.ts';
import { UlidFactory, isMutationId } from '../model/ids.ts';
import { roleOf } from '../model/mutation.ts';
import { isScope, type Scope } from '../model/provenance.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { OperationContext } from './context.ts';
import { defineOperation } from './operation.ts';

const input = z.object({
  message: z.string().max(1_000_000).default('').describe('What is about to be asked of the agent; may be left out.'),
  preset: z.enum(PRESETS).optional().describe('The size of the prompt: hook, dense, standard or large.'),
  budget: z.number().int().min(1).max(10_000_000).optional().describe('Most tokens, instead of the preset’s.'),
  session: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('The conversation going on; its last turns are added.'),
  event: z
    .enum(EVENTS)
    .optional()
    .describe('prompt: only what is remembered about the message, or nothing; session-start: what comes before any.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type BriefingInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export const briefing = defineOperation({
  name: 'context',
  summary: 'Compile what an agent should know before it answers, with a receipt.',
  input,
  effect: 'read',
  async run(context, given): Promise<Briefing> {
    const { homeIndex, search, config, chunkContext, clock, workspace } = context;
    const ulids = ulidsOf(context);
    const { redactor } = workspace;
    const compiler = new ContextCompiler({ home: homeIndex, search, config, chunkContext, clock, ulids, redactor });
    const state = { mutation: lastMutation(context), journalEnd: workspace.journalEnd };
    const { message, event, budget, session } = given;
    const request = {
      message,
      event,
      budget,
      session,
      preset: given.preset ?? (event === 'prompt' ? 'hook' : config.context.preset),
      scope: given.scope ?? 'shared',
      isMainSession: isMainSession(context, given),
    };
    const compiled = await compiler.compile(request, state);
    const problem = await keep(context, compiled);
    return problem === undefined ? compiled : { ...compiled, notes: [...compiled.notes, problem] };
  },
});

/** One for an open home, so that receipts of the same millisecond keep their order. */
const factories = new WeakMap<OperationContext, UlidFactory>();

function ulidsOf(context: OperationContext): UlidFactory {
  const known = factories.get(context) ?? new UlidFactory((length) => context.random.bytes(length));
  factories.set(context, known);
  return known;
}

export function openReceipts({ workspace }: OperationContext): ReceiptStore {
  return new ReceiptStore(nodeFileSystem, workspace.paths.journal);
}

/** Sub-agents, readers and channels with other people in them do not get to see core memory. */
function isMainSession({ actor }: OperationContext, { scope }: Given): boolean {
  const role = roleOf(actor);
  return (role === 'human' || role === 'main') && !isOthers(scope);
}

function isOthers(scope: Scope | undefined): boolean {
  return scope?.startsWith('channel:') === true;
}

function lastMutation({ audit }: OperationContext): string | null {
  const [last] = audit.query({ limit: 1 });
  const reference = last?.reference;
  return reference !== undefined && isMutationId(reference) ? reference : null;
}

/** An agent that waits for its briefing must not go without because the disk is full; it is told instead. */
async function keep(
  context: OperationContext,
  { prompt, tokens, budget, receipt }: Briefing,
): Promise<string | undefined> {
  try {
    await openReceipts(context).write({ prompt, tokens, budget, receipt });
    return undefined;
  } catch (error) {
    return `The receipt could not be kept: ${errorMessage(error)}`;
  }
}
