import { countOf } from '../command-line/plain.ts';
import type { Style, View } from '../command-line/style.ts';
import type { GraphAdded } from './add.ts';
import type { AliasResult } from './alias.ts';
import type { FactResult } from './fact.ts';
import type { GraphIndexed } from './index-file.ts';
import type { LinkResult, UnlinkResult } from './link.ts';
import type { MergeProposed, SplitProposed } from './merge.ts';
import { named } from './render-answers.ts';
import type { RenameResult } from './rename.ts';
import type { GraphSet } from './set.ts';
import type { ItemResult } from './tasks.ts';
import type { Verification } from './verify.ts';

function undo(style: Style, mutation: string | null): string {
  return mutation === null ? '' : style.dim(`undo: mneme rollback ${mutation}\n`);
}

function waiting(style: Style, proposal: string): string {
  return `It overrules what the user said and waits for them: ${style.bold(proposal)}\n${style.dim(`decide: mneme approve ${proposal}`)}\n`;
}

export function renderAdded({ style }: View, { entity, outcome, mutation }: GraphAdded): string {
  const verb = { added: style.green('Added'), merged: style.green('Completed'), present: 'Known already:' }[outcome];
  return `${verb} ${named(style, entity)}\n${undo(style, mutation)}`;
}

export function renderSet({ style }: View, { entity, mutation, proposal }: GraphSet): string {
  if (proposal !== undefined) return waiting(style, proposal);
  return mutation === null
    ? `${named(style, entity)} was that way already.\n`
    : `${style.green('Set')} ${named(style, entity)}\n${undo(style, mutation)}`;
}

const FACT_VERBS: Readonly<Record<FactResult['outcome'], string>> = {
  added: 'Stated',
  reinforced: 'Known already, and confirmed once more',
  present: 'Known already',
  superseded: 'Stated, in place of what held before',
  proposed: 'It contradicts what the user said and waits for them',
};

export function renderFact({ style }: View, { entity, id, outcome, superseded, mutation }: FactResult): string {
  const ended = superseded.length === 0 ? '' : `  no longer holds: ${superseded.map((old) => `^${old}`).join(', ')}\n`;
  if (outcome === 'proposed')
    return `${FACT_VERBS.proposed}: ${style.bold(id)}\n${style.dim(`decide: mneme approve ${id}`)}\n`;
  return `${style.green(FACT_VERBS[outcome])} ${named(style, entity)} ${style.dim(`^${id}`)}\n${ended}${undo(style, mutation)}`;
}

export function renderItem({ style }: View, { entity, id, outcome, mutation, proposal }: ItemResult): string {
  if (outcome === 'proposed') return waiting(style, proposal ?? '');
  const verb = { added: style.green('Added to'), changed: style.green('Changed at'), present: 'Known already at' }[
    outcome
  ];
  return `${verb} ${named(style, entity)} ${style.dim(`^${id}`)}\n${undo(style, mutation)}`;
}

export function renderAliases({ style }: View, { entity, aliases, mutation }: AliasResult): string {
  const names = aliases.length === 0 ? 'has no other names' : `is also called ${aliases.join(', ')}`;
  return `${named(style, entity)} ${names}.\n${undo(style, mutation)}`;
}

export function renderLinked({ style }: View, { from, relation, to, id, outcome, mutation }: LinkResult): string {
  const verb = outcome === 'added' ? style.green('Linked') : 'Known already:';
  return `${verb} ${from.name} ${style.cyan(relation)} ${to.name} ${style.dim(`^${id}`)}\n${undo(style, mutation)}`;
}

export function renderUnlinked({ style }: View, { from, to, ended, mutation, proposal }: UnlinkResult): string {
  if (proposal !== undefined) return waiting(style, proposal);
  const edges = ended.map(({ relation, path }) => `  ${style.cyan(relation)} ${style.dim(path)}\n`).join('');
  return `${style.green('Ended')} between ${from.name} and ${to.name}:\n${edges}${undo(style, mutation)}`;
}

export function renderRenamed({ style }: View, renamed: RenameResult): string {
  const { before, entity, linksIn, mutation, proposal, proposalsFollowed = [] } = renamed;
  if (proposal !== undefined) return waiting(style, proposal);
  if (mutation === null) return `${named(style, entity)} is called so already.\n`;
  const links =
    linksIn.length === 0
      ? ''
      : `  links followed in ${countOf(linksIn.length, 'file')}: ${linksIn.slice(0, 5).join(', ')}${linksIn.length > 5 ? ' …' : ''}\n`;
  const proposals =
    proposalsFollowed.length === 0 ? '' : `  ${countOf(proposalsFollowed.length, 'proposal')} followed\n`;
  return `${style.green('Renamed')} ${before.name} to ${named(style, entity)}\n${links}${proposals}${undo(style, mutation)}`;
}

export function renderMergeProposed({ style }: View, { from, into, moved, proposal }: MergeProposed): string {
  const what = `${style.green('Proposed')} to merge ${named(style, from)} into ${named(style, into)}`;
  return [`${what}: ${countOf(moved, 'line')} would move.`, ...decide(proposal)].join('\n');
}

export function renderSplitProposed({ style }: View, { entity, other, moved, proposal }: SplitProposed): string {
  const what = `${style.green('Proposed')} to split ${named(style, other)} from ${named(style, entity)}`;
  return [`${what}: ${countOf(moved, 'line')} would move.`, ...decide(proposal)].join('\n');
}

function decide(proposal: string): string[] {
  return [
    `  look: mneme proposals show ${proposal}`,
    `  decide: mneme approve ${proposal} · mneme reject ${proposal}`,
    '',
  ];
}

export function renderVerification({ style }: View, result: Verification): string {
  const { verified, confidence, text, method, reasons, against, support, question } = result;
  const verdict =
    verified === null ? style.yellow('Asked') : verified ? style.green('Verified') : style.red('Not verified');
  const lines = [
    `${verdict} ${text}  ${style.dim(`${method}${confidence === null ? '' : `, confidence ${confidence.toFixed(2)}`}`)}`,
    ...reasons.map((reason) => `  ${reason}`),
    ...support.map((item) => `  ${style.green('for')} ${item.text} ${style.dim(item.path)}`),
    ...against.map((item) => `  ${style.red('against')} ${item.text} ${style.dim(`${item.path} ^${item.id}`)}`),
    ...(question === null ? [] : [style.dim(`  yes: mneme approve ${question} · no: mneme reject ${question}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderIndexed({ style }: View, { path, entities, edges, isCurrent, mutation }: GraphIndexed): string {
  const size = `${countOf(entities, 'entity', 'entities')}, ${countOf(edges, 'edge')}`;
  if (mutation !== null) return `${style.green('Wrote')} ${path}: ${size}.\n`;
  return isCurrent
    ? `${path} is up to date: ${size}.\n`
    : `${path} is out of date; \`mneme graph index\` writes it again.\n`;
}
