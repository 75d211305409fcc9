import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { isScope, lowestTrust, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { shorten } from '../../model/text.ts';
import { SUGGESTED_STORES, type ProposedStatement, type SuggestedStore } from '../../proposals/agents/statement.ts';
import type { Proposed } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import {
  findContradicted,
  findRivals,
  markRivals,
  propertyOf,
  type ContradictedFact,
} from '../proposals/find-conflicts.ts';
import { settlePendingMemories } from '../proposals/find.ts';
import { MAX_ITEM_BYTES } from '../../memory/stores/plan.ts';

const input = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, 'there is nothing to remember')
    .describe('One self-contained statement; `-` reads it from standard input.'),
  store: z.enum(SUGGESTED_STORES).optional().describe('Where it should go; semantic with an entity, else episodic.'),
  entities: z
    .array(z.string().trim().min(1).max(200))
    .max(20)
    .default([])
    .describe('About whom or what: person--alex.'),
  confidence: z.enum(['high', 'medium', 'low']).default('medium').describe('How sure the agent is.'),
  coreWorthy: z.boolean().default(false).describe('Whether it matters in every conversation.'),
  trust: z.enum(TRUST_LEVELS).optional().describe('Where it comes from: external for web pages and the like.'),
  trigger: z.string().trim().min(1).max(300).optional().describe('What made the agent notice.'),
  evidence: z.array(z.string().trim().min(1).max(500)).max(50).default([]).describe('Turns it rests on: ses_…#t4.'),
  session: z.string().trim().min(1).max(200).optional().describe('The conversation it came up in.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Whose it is; shared when not given.'),
});

export type AgentsProposeInput = z.input<typeof input>;

export interface AgentProposal {
  readonly outcome: Proposed['outcome'];
  readonly id: string;
  readonly path: string;
  readonly store: SuggestedStore;
  readonly scope: string;
  readonly trust: Trust;
  /** Proposals and facts that say otherwise; marked on both sides. */
  readonly conflictsWith: readonly string[];
  readonly contradicts: readonly ContradictedFact[];
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
  /** Null when nothing had to be filed. */
  readonly mutation: string | null;
}

export const agentsPropose = defineVerb({
  name: 'agents propose',
  summary: 'Propose something to remember; the main agent or a person decides.',
  examples: ['mneme agents propose "Alex moved to Lisbon" --entity person--alex --as subagent:scout'],
  input,
  args: ['text...'],
  effect: 'propose',
  withoutLease: 'proposes',
  async run(context, given): Promise<AgentProposal> {
    if (Buffer.byteLength(given.text) > MAX_ITEM_BYTES) {
      throw new MnemeError('usage', `That is longer than one memory may be (${MAX_ITEM_BYTES} bytes).`, {
        hint: 'Propose one statement at a time.',
      });
    }
    const scope = visibleTo(context).enterToWrite(given.scope);
    // Before anything is compared or derived: a title must not carry a secret either.
    const { text, findings } = await context.workspace.redactor.redact(given.text);
    const property = await propertyOf(context, text);
    const isAboutSomebody = given.entities.length > 0 || property.subject !== undefined;
    const bare: ProposedStatement = {
      content: text,
      store: given.store ?? (isAboutSomebody ? 'semantic' : 'episodic'),
      entities: given.entities,
      isCoreWorthy: given.coreWorthy,
      ...property,
      contradicts: [],
    };
    // Proposals before facts: what is agreed to in between is then found as one or the other.
    const rivals = await findRivals(context, { statement: bare, scope });
    const contradicted = await findContradicted(context, bare, scope);
    const statement = { ...bare, contradicts: contradicted.map(({ id }) => id) };
    const filed = await context.proposals.propose({
      kind: 'memory',
      title: shorten(text.replaceAll(/\s+/gu, ' ')),
      why: '',
      evidence: given.evidence,
      actor: context.actor,
      trust: trustOf(context, given.trust),
      scope: scope === 'shared' ? undefined : scope,
      confidence: given.confidence,
      changes: [],
      statement,
      conflictsWith: rivals,
      trigger: given.trigger,
      session: given.session,
    });
    const settled = filed.outcome === 'filed' ? await settle(context, filed) : filed;
    await settlePendingMemories(context, [context]);
    return describe(context, settled, { contradicted, redacted: findings.map(({ rule }) => rule) });
  },
  library: { args: [] },
  cli: {
    stdin: 'text',
    options: {
      store: { value: 'store' },
      entities: { flag: 'entity', value: 'names', list: 'words' },
      confidence: { value: 'level' },
      coreWorthy: { flag: 'core', help: 'it matters in every conversation' },
      trust: { value: 'level' },
      trigger: { value: 'words' },
      evidence: { value: 'turns', list: 'words' },
      session: { value: 'id' },
      scope: { value: 'scope' },
    },
  },
  render: async (view, output) => (await import('./render-agents.ts')).renderProposal(view, output),
});

/** Limits claims of trust: an agent's statement stays an agent's, while a person may speak for others. */
function trustOf({ actor }: OperationContext, claimed: Trust | undefined): Trust {
  const own: Trust = roleOf(actor) === 'human' ? 'user' : 'agent';
  return lowestTrust([own, claimed ?? own]);
}

/** Two agents may file opposite statements at the same moment: the second sees the other, and only then is anything kept. */
async function settle(context: OperationContext, filed: Proposed): Promise<Proposed> {
  await markRivals(context, filed.id);
  return context.proposals.approveTrusted(filed);
}

function describe(
  context: OperationContext,
  { outcome, id, path, warnings, mutation }: Proposed,
  found: { readonly contradicted: readonly ContradictedFact[]; readonly redacted: readonly string[] },
): AgentProposal {
  const { statement, scope = 'shared', trust, conflictsWith } = context.proposals.get(id);
  return {
    outcome,
    id,
    path,
    store: statement?.store ?? 'episodic',
    scope,
    trust,
    conflictsWith,
    contradicts: found.contradicted,
    redacted: found.redacted,
    warnings,
    mutation: mutation ?? null,
  };
}
