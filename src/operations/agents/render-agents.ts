import type { Committed } from '../proposals/decide.ts';
import type { KnownAgent } from './list.ts';
import type { AgentProposal } from './propose.ts';
import type { Review } from './review.ts';
import type { AgentScopes, AgentTrust } from './standing.ts';
import { type View, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

const OUTCOMES: Readonly<Record<AgentProposal['outcome'], string>> = {
  filed: 'Proposed',
  applied: 'Proposed and kept at once',
  'already-open': 'The same is waiting already',
  'rejected-before': 'The same was rejected before',
};

export function renderProposal({ style }: View, proposal: AgentProposal): string {
  const { outcome, id, store, scope, conflictsWith, contradicts, redacted, warnings } = proposal;
  const lines = [
    `${style.green(OUTCOMES[outcome])}: ${id} ${style.dim(`(${store}, ${scope})`)}`,
    ...conflictsWith.map((other) => style.yellow(`conflict with proposal ${other}`)),
    ...contradicts.map(({ id: item, text }) => style.yellow(`contradicts ^${item}: ${text}`)),
    ...(redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}`]),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    ...(outcome === 'filed' ? [style.dim('decide: mneme agents review')] : []),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderReview({ style }: View, { proposals, left, markdown }: Review): string {
  if (proposals.length === 0) return 'No sub-agent’s proposal waits.\n';
  const more = left === 0 ? '' : `\n${left} more wait: --limit\n`;
  return `${markdown}${more}\n${style.dim('mneme agents commit ID | reject ID --why … | defer ID | override ID --store …')}\n`;
}

export function renderCommitted({ style }: View, { committed, rejected, left }: Committed): string {
  const lines = [
    ...committed.flatMap(({ id, item, mutation, warnings }) => [
      `${style.green('Kept')} ${id}${item === undefined ? '' : ` as ${item}`} ${style.dim(`undo: mneme rollback ${mutation}`)}`,
      ...warnings.map((warning) => `  ${style.yellow('note')} ${warning}`),
    ]),
    ...rejected.map(({ id }) => `${style.red('Rejected')} ${id}, which says otherwise`),
    ...left.map(({ id, reason }) => `${style.yellow('Left')} ${id}: ${reason}`),
  ];
  return lines.length === 0 ? 'No sub-agent’s proposal waits.\n' : `${lines.join('\n')}\n`;
}

export function renderTrust({ style }: View, { name, isTrusted, trusted, changed }: AgentTrust): string {
  const what = isTrusted
    ? `What ${name} is sure of, and nothing contradicts, is kept without asking.`
    : `What ${name} proposes is asked about.`;
  const all = trusted.length === 0 ? 'No agent is trusted.' : `Trusted: ${trusted.join(', ')}.`;
  return `${style.green(what)}\n${all}\n${style.dim(changed.length === 0 ? 'nothing changed' : `changed: ${changed.join(', ')}`)}\n`;
}

export function renderAdmitted(_view: View, { name, scopes }: AgentScopes): string {
  const seen = ['what is shared', `agent:${name.toLowerCase()}`, ...scopes];
  return `${name} sees ${seen.join(', ')}.\n`;
}

export function renderAgents({ style }: View, agents: readonly KnownAgent[]): string {
  if (agents.length === 0) return 'No sub-agent has proposed anything yet.\n';
  return table(
    agents.map(({ name, isTrusted, waiting, committed, rejected, scopes }) => [
      style.bold(name),
      isTrusted ? style.green('trusted') : 'reviewed',
      counted(waiting, 'waits', 'wait'),
      `${committed} kept`,
      `${rejected} rejected`,
      style.dim(scopes.join(', ')),
    ]),
  );
}
