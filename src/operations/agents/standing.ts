import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { isScope, type Scope } from '../../model/provenance.ts';
import type { OperationContext } from '../context.ts';
import { changeSetting } from '../home/configure.ts';
import { defineVerb } from '../verb.ts';

const NAME = /^[\w.@-]{1,64}$/u;
const name = z
  .string()
  .trim()
  .transform((text) => text.replace(/^subagent:/u, ''))
  .refine((text) => NAME.test(text), 'is a name of letters, digits, . _ @ and -')
  .describe('The agent, such as researcher.');

const trustInput = z.strictObject({
  name,
  off: z.boolean().default(false).describe('Ask again from now on.'),
});

export type AgentsTrustInput = z.input<typeof trustInput>;

export interface AgentTrust {
  readonly name: string;
  readonly isTrusted: boolean;
  readonly trusted: readonly string[];
  /** The settings changed in mneme.yaml. */
  readonly changed: readonly string[];
}

/** Lets a trusted agent's confident statements be kept without asking; so only a person may set it. */
export const agentsTrust = defineVerb({
  name: 'agents trust',
  summary: 'Let what an agent is sure of be kept without asking.',
  description: 'Let what an agent is sure of, and nothing contradicts, be kept without asking. Only a person may.',
  input: trustInput,
  args: ['name'],
  effect: 'write',
  by: 'person',
  async run(context, { name: agent, off }): Promise<AgentTrust> {
    const { agents, proposals } = context.config;
    const others = agents.trusted.filter((known) => known !== agent);
    const trusted = off ? others : [...others, agent].sort();
    const changed: string[] = [];
    if (trusted.join() !== agents.trusted.join()) {
      await changeSetting(context, 'agents.trusted', JSON.stringify(trusted), false);
      changed.push('agents.trusted');
    }
    // Trusting one who is asked all the same would be a setting without effect.
    if (!off && !proposals.auto_approve) {
      await changeSetting(context, 'proposals.auto_approve', 'true', false);
      changed.push('proposals.auto_approve');
    }
    if (!off && agents.review === 'manual') {
      throw new MnemeError('conflict', `${agent} is trusted now, but this home leaves every review to a person.`, {
        hint: '`mneme config set agents.review batch` changes that.',
      });
    }
    return { name: agent, isTrusted: !off, trusted, changed };
  },
  render: async (view, output) => (await import('./render-agents.ts')).renderTrust(view, output),
});

const admitInput = z.strictObject({
  name,
  to: z
    .string()
    .refine((text) => isScope(text) && text !== 'shared', 'is user:NAME, project:NAME, channel:NAME or agent:NAME')
    .describe('The private scope.'),
  off: z.boolean().default(false).describe('Shut it out again.'),
});

export type AgentsAdmitInput = z.input<typeof admitInput>;

export interface AgentScopes {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A sub-agent or reader sees what is shared and what is its own; where else it may look is a person's to say. */
export const agentsAdmit = defineVerb({
  name: 'agents scope',
  summary: 'Let an agent into a private scope.',
  description: 'Let a sub-agent or reader into a private scope besides its own. Only a person may.',
  examples: ['mneme agents scope researcher project:atlas'],
  input: admitInput,
  args: ['name', 'to'],
  effect: 'write',
  by: 'person',
  async run(context, { name: agent, to, off }): Promise<AgentScopes> {
    const known = scopesOf(context, agent);
    const others = known.filter((scope) => scope !== to);
    const scopes = off || !isScope(to) ? others : [...others, to].sort();
    const all = Object.entries(context.config.agents.scopes).filter(([other]) => other !== agent);
    const table = Object.fromEntries(scopes.length === 0 ? all : [...all, [agent, scopes]]);
    await changeSetting(context, 'agents.scopes', JSON.stringify(table), false);
    return { name: agent, scopes };
  },
  cli: { options: { to: { value: 'scope' } } },
  render: async (view, output) => (await import('./render-agents.ts')).renderAdmitted(view, output),
});

export function scopesOf({ config }: Pick<OperationContext, 'config'>, agent: string): readonly Scope[] {
  const { scopes } = config.agents;
  return Object.hasOwn(scopes, agent) ? (scopes[agent] ?? []) : [];
}
