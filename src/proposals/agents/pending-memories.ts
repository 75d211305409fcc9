import type { Proposal } from '../proposal.ts';
import { itemOfProposal } from './statement.ts';

/** The view of what sub-agents would have remembered (S4 §13.2). */
export const PENDING_MEMORIES = 'memory/meta/pending-memories.md';

const HEAD = `# Pending Memory Proposals

<!-- Generated from memory/meta/proposals/. Sub-agents propose with \`mneme agents propose\`; \`mneme agents review\` is this view. -->
`;

/** One proposal with its number in the list, and what it stands against. */
export interface NumberedProposal {
  readonly number: number;
  readonly proposal: Proposal;
  /** Numbers of waiting proposals that say otherwise. */
  readonly against: readonly number[];
  /** Ids of what the memory holds that says otherwise. */
  readonly denies: readonly string[];
}

/** Numbers what waits, oldest first. `all` knows what became of the others a proposal conflicts with. */
export function numberProposals(waiting: readonly Proposal[], all: readonly Proposal[]): readonly NumberedProposal[] {
  const numbers = new Map(waiting.map(({ id }, index) => [id, index + 1]));
  const states = new Map(all.map(({ id, state }) => [id, state]));
  return waiting.map((proposal, index) => {
    const { conflictsWith, statement } = proposal;
    const taken = conflictsWith.filter((id) => states.get(id) === 'applied').map(itemOfProposal);
    return {
      number: index + 1,
      proposal,
      against: conflictsWith.flatMap((id) => numbers.get(id) ?? []),
      denies: [...new Set([...(statement?.contradicts ?? []), ...taken])],
    };
  });
}

export function renderPendingMemories(proposals: readonly NumberedProposal[]): string {
  return [HEAD, ...proposals.map(renderOne)].join('\n');
}

function renderOne(numbered: NumberedProposal): string {
  const { number, proposal, against } = numbered;
  const { actor, created, trigger, statement, title, confidence, id, trust, scope, changes } = proposal;
  const mark = against.length === 0 ? '' : ` ⚠️ CONFLICT with ${against.map((other) => `#${other}`).join(', ')}`;
  const content =
    statement?.content ?? `${title} (${changes.map(({ action, path }) => `${action} ${path}`).join('; ')})`;
  const lines = [
    ['From', actor.replace(/^subagent:/u, '')],
    ['Timestamp', created],
    ['Trigger', trigger ?? 'not said'],
    ['Suggested store', statement?.store ?? 'files'],
    ['Content', content],
    ['Entities', `[${(statement?.entities ?? []).join(', ')}]`],
    ['Confidence', String(confidence ?? 'not said')],
    ['Core-worthy', statement?.isCoreWorthy === true ? 'yes' : 'no'],
    ['Status', statusOf(numbered)],
    ['Trust', trust],
    ...(scope === undefined || scope === 'shared' ? [] : [['Scope', scope] as const]),
    ['Id', id],
  ] as const;
  return `---\n## Proposal #${number}${mark}\n${lines.map(([name, value]) => `- **${name}**: ${quoteInline(value)}`).join('\n')}\n`;
}

/** `conflict — see #4`, or what it denies, or simply its state. */
export function statusOf({ proposal, against, denies }: NumberedProposal): string {
  const seen = [...against.map((other) => `#${other}`), ...denies.map((id) => `^${id}`)];
  return seen.length === 0 ? proposal.state : `conflict — see ${seen.join(', ')}`;
}

/** Renders an agent's text as one line that cannot begin a heading, a rule or a field of its own. */
export function quoteInline(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('<!--', String.raw`<\!--`)
    .replaceAll('**', String.raw`\*\*`)
    .trim();
}
