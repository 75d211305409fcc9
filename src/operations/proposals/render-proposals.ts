import type { Proposal } from '../../proposals/proposal.ts';
import type { Approved, Decided, Proposed } from '../../proposals/request.ts';
import { type View, paintDiff, table } from '../command-line/style.ts';
import type { ShownProposal } from './show.ts';
import { counted } from '../../model/text.ts';

export function renderProposals({ style }: View, proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return 'No proposal waits for you.\n';
  return table(
    proposals.map(({ id, state, kind, title, actor }) => [id, style.yellow(state), kind, title, style.dim(actor)]),
  );
}

export function renderProposal(
  { style }: View,
  { proposal, preview }: Pick<ShownProposal, 'proposal' | 'preview'>,
): string {
  const head = [
    `${style.bold(proposal.title)}  ${style.yellow(proposal.state)}`,
    style.dim(
      `${proposal.id} · ${proposal.kind} · from ${proposal.actor} (trust: ${proposal.trust}) · ${proposal.created}`,
    ),
    ...(proposal.why === '' ? [] : ['', proposal.why.trim()]),
    ...(proposal.statement === undefined ? [] : ['', `${proposal.statement.store}: ${proposal.statement.content}`]),
    ...(proposal.evidence.length === 0 ? [] : ['', ...proposal.evidence.map((line) => `- ${line}`)]),
  ];
  const changes = preview.flatMap((change) => [
    '',
    style.bold(
      `${change.number}. ${change.action} ${change.path}${change.renameTo === undefined ? '' : ` → ${change.renameTo}`}`,
    ),
    change.fit === 'stale'
      ? style.red(`no longer fits: ${change.reason ?? ''}`)
      : paintDiff(style, change.diff.trimEnd()),
  ]);
  return `${[...head, ...changes].join('\n')}\n`;
}

const PROPOSED: Readonly<Record<Proposed['outcome'], string>> = {
  filed: 'Proposed',
  applied: 'Proposed and applied',
  'already-open': 'The same is waiting already',
  'rejected-before': 'The same was rejected before',
};

export function renderProposed({ style }: View, { outcome, id }: Proposed): string {
  return `${style.green(PROPOSED[outcome])}: ${id}\n${style.dim(`look: mneme proposals show ${id}`)}\n`;
}

export function renderApproved({ style }: View, results: readonly Approved[]): string {
  if (results.length === 0) return 'No proposal waits for you.\n';
  return results
    .map(({ id, state, applied, files, warnings, mutation, item }) =>
      [
        `${style.green('Approved')} ${id}: ${item === undefined ? `${counted(applied.length, 'change')} applied` : `kept as ${item}`}${state === 'applied' ? '' : ', the rest waits'}`,
        ...files
          .filter(({ path }) => !path.includes('memory/meta/proposals/'))
          .map(({ action, path }) => `  ${action} ${path}`),
        ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
        style.dim(`undo: mneme rollback ${mutation}`),
        '',
      ].join('\n'),
    )
    .join('');
}

export function renderDecided(_view: View, decided: readonly Decided[]): string {
  return decided.map(({ id, state }) => `${id} is now ${state}.\n`).join('');
}
