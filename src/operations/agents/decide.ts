import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { SUGGESTED_STORES, type StatementOverride } from '../../proposals/agents/statement.ts';
import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import type { Decided } from '../../proposals/request.ts';
import type { View } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { CONFLICT_OPTIONS, conflictField, conflictOf } from '../proposals/approve.ts';
import { approveProposals, NO_REASON, stepProposals, type Committed } from '../proposals/decide.ts';
import { getVisibleProposal, isWaiting, numberedProposals } from '../proposals/find.ts';

const ids = z.array(z.string().trim().min(1)).describe('Proposals by id, or the beginning of it.');

const commitInput = z.strictObject({
  ids: ids.default([]),
  all: z.boolean().default(false).describe('Everything that waits and contradicts nothing.'),
  conflict: conflictField,
  why: z.string().trim().min(1).optional().describe('For the record.'),
  session: z.string().optional().describe('The conversation it is decided in.'),
});

export type AgentsCommitInput = z.input<typeof commitInput>;

export const agentsCommit = defineVerb({
  name: 'agents commit',
  summary: 'Keep what sub-agents propose.',
  input: commitInput,
  args: ['ids...'],
  effect: 'write',
  reach: 'filtered',
  run: (context, given): Promise<Committed> => commit(context, given, {}),
  library: { args: [] },
  cli: {
    options: { conflict: false, why: { value: 'words' }, session: { value: 'id' } },
    extra: CONFLICT_OPTIONS,
    prepare: ({ input, extra }) => ({ ...input, conflict: conflictOf(extra) }),
  },
  render: async (view, output) => (await import('./render-agents.ts')).renderCommitted(view, output),
});

const overrideInput = z.strictObject({
  id: z.string().trim().min(1).describe('The proposal.'),
  store: z.enum(SUGGESTED_STORES).optional().describe('Another store than the suggested one.'),
  content: z.string().trim().min(1).optional().describe('Other words.'),
  entities: z.array(z.string().trim().min(1)).max(20).optional().describe('About whom or what instead.'),
  coreWorthy: z.boolean().optional().describe('Whether it goes into core memory too.'),
  confidence: z.enum(['high', 'medium', 'low']).optional().describe('How sure it is.'),
  conflict: conflictField,
  why: z.string().trim().min(1).optional().describe('For the record.'),
  session: z.string().optional().describe('The conversation it is decided in.'),
});

export type AgentsOverrideInput = z.input<typeof overrideInput>;

export const agentsOverride = defineVerb({
  name: 'agents override',
  summary: 'Keep a proposal in other words or in another store.',
  input: overrideInput,
  args: ['id'],
  effect: 'write',
  reach: 'filtered',
  async run(context, { id, conflict, why, session, coreWorthy, ...override }): Promise<Committed> {
    const { content } = override;
    const clean = content === undefined ? undefined : (await context.workspace.redactor.redact(content)).text;
    const changed = { ...override, content: clean, isCoreWorthy: coreWorthy };
    if (Object.values(changed).every((value) => value === undefined)) {
      throw new MnemeError('usage', 'What should be different?', {
        hint: 'Give --store, --content, --entity, --core or --confidence; `agents commit` keeps it as it is.',
      });
    }
    return commit(context, { ids: [id], all: false, conflict, why, session }, changed);
  },
  cli: {
    options: {
      store: { value: 'store' },
      entities: { flag: 'entity', value: 'names', list: 'words' },
      coreWorthy: false,
      confidence: { value: 'level' },
      conflict: false,
      why: { value: 'words' },
      session: { value: 'id' },
    },
    extra: {
      core: { flags: '--core', help: 'into core memory too' },
      noCore: { flags: '--no-core', help: 'not into core memory' },
      ...CONFLICT_OPTIONS,
    },
    prepare({ input: { id = '', ...input }, extra }) {
      const { core } = extra;
      return { ...input, id, coreWorthy: typeof core === 'boolean' ? core : undefined, conflict: conflictOf(extra) };
    },
  },
  render: async (view, output) => (await import('./render-agents.ts')).renderCommitted(view, output),
});

async function commit(
  context: OperationContext,
  { ids: given, ...choice }: z.output<typeof commitInput>,
  override: StatementOverride,
): Promise<Committed> {
  if (given.length === 0 && !choice.all) {
    throw new MnemeError('usage', 'Which proposal?', {
      hint: '`mneme agents review` lists them; --all takes every one.',
    });
  }
  const chosen = choice.all ? numberedProposals(context).map(({ proposal }) => proposal) : waiting(context, given);
  return approveProposals(context, chosen, { ...choice, override });
}

/** By id only: the numbers of a review mean other proposals as soon as another reviewer decides. */
function waiting(context: OperationContext, given: readonly string[]): Proposal[] {
  return given.map((id) => {
    const proposal = getVisibleProposal(context, id);
    if (isWaiting(proposal)) return proposal;
    const hint = isOpen(proposal.state) ? 'It is no sub-agent’s: `mneme approve` decides on it.' : 'Make a new one.';
    throw new MnemeError('conflict', `Proposal ${proposal.id} is ${proposal.state}, from ${proposal.actor}.`, { hint });
  });
}

const dismissInput = z.strictObject({
  ids: ids.min(1),
  why: z.string().trim().min(1).default(NO_REASON).describe('For the record, and for learning.'),
  session: z.string().optional().describe('The conversation it is decided in.'),
});

export type AgentsDismissInput = z.input<typeof dismissInput>;

const DISMISS_OPTIONS = { why: { value: 'words' }, session: { value: 'id' } };

async function renderDecided(view: View, decided: readonly Decided[]): Promise<string> {
  const { renderDecided: render } = await import('../proposals/render-proposals.ts');
  return render(view, decided);
}

export const agentsReject = defineVerb({
  name: 'agents reject',
  summary: 'Decline what sub-agents propose; the same is not proposed again.',
  input: dismissInput,
  args: ['ids...'],
  effect: 'write',
  reach: 'filtered',
  run: async (context, { ids: given, ...decision }): Promise<Decided[]> =>
    stepProposals(context, waiting(context, given), 'reject', decision),
  library: { args: [] },
  cli: { options: DISMISS_OPTIONS },
  render: renderDecided,
});

export const agentsDefer = defineVerb({
  name: 'agents defer',
  summary: 'Leave what sub-agents propose for the next reflection.',
  input: dismissInput,
  args: ['ids...'],
  effect: 'write',
  reach: 'filtered',
  run: async (context, { ids: given, ...decision }): Promise<Decided[]> =>
    stepProposals(context, waiting(context, given), 'defer', decision),
  library: { args: [] },
  cli: { options: DISMISS_OPTIONS },
  render: renderDecided,
});
