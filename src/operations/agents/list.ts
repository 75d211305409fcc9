import { z } from 'zod';
import { nameOfActor, roleOf } from '../../model/mutation.ts';
import type { Scope } from '../../model/provenance.ts';
import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import { defineVerb } from '../verb.ts';
import { scopesOf } from './standing.ts';

export interface KnownAgent {
  readonly name: string;
  readonly isTrusted: boolean;
  /** Private scopes it may enter besides its own. */
  readonly scopes: readonly Scope[];
  readonly waiting: number;
  readonly committed: number;
  readonly rejected: number;
  /** Of what was decided, what was kept; null before the first decision. */
  readonly acceptance: number | null;
  readonly lastProposed: string | null;
}

export const agentsList = defineVerb({
  name: 'agents list',
  summary: 'List the agents that propose, how they fare, and what they may.',
  input: z.strictObject({}),
  effect: 'read',
  async run(context): Promise<readonly KnownAgent[]> {
    const { agents } = context.config;
    const byName = Map.groupBy(
      context.proposals.list().proposals.filter(({ actor }) => roleOf(actor) === 'subagent'),
      ({ actor }) => nameOfActor(actor),
    );
    const names = new Set([...byName.keys(), ...agents.trusted, ...Object.keys(agents.scopes)]);
    const known = [...names].sort().map((name) => {
      const standing = { name, isTrusted: agents.trusted.includes(name), scopes: scopesOf(context, name) };
      return Object.assign(standing, record(byName.get(name) ?? []));
    });
    return Promise.resolve(known);
  },
  cli: { isDefault: true },
  render: async (view, output) => (await import('./render-agents.ts')).renderAgents(view, output),
});

function record(own: readonly Proposal[]): Omit<KnownAgent, 'name' | 'isTrusted' | 'scopes'> {
  const count = (state: Proposal['state']): number => own.filter((proposal) => proposal.state === state).length;
  const [committed, rejected] = [count('applied'), count('rejected')];
  const decided = committed + rejected;
  return {
    waiting: own.filter(({ state }) => isOpen(state)).length,
    committed,
    rejected,
    acceptance: decided === 0 ? null : Math.round((committed / decided) * 100) / 100,
    lastProposed: own.at(-1)?.created ?? null,
  };
}
