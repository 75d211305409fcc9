import type { GateDecisions } from './gate-log.ts';
import type { ChangedActivation } from './activate.ts';
import type { ListedTopic, ShownTopic } from './list.ts';
import type { NewTopic } from './new.ts';
import type { TestedTopic, TestedTopics } from './test.ts';
import type { TuneResult } from './tune.ts';
import { plainLine } from '../command-line/plain.ts';
import { type View, indented, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

export function renderTopics({ style }: View, { topics }: { readonly topics: readonly ListedTopic[] }): string {
  if (topics.length === 0) return 'There are no topics yet. Make one: mneme topics new NAME\n';
  const rows = topics.map(({ name, isEnabled, activation, priority, triggers, active, description }) => [
    active === null ? ' ' : style.green('●'),
    isEnabled ? style.bold(plainLine(name)) : style.dim(plainLine(name)),
    isEnabled ? activation : 'off',
    priority,
    triggers.join(', '),
    style.dim(plainLine(active?.reason ?? description).slice(0, 100)),
  ]);
  return `${table(rows)}${findings(
    style,
    topics.flatMap((topic) => topic.findings),
  )}`;
}

export function renderTopic({ style, timeZone }: View, topic: ShownTopic): string {
  const { activation, priority, similarityThreshold, maxContextKb, decisions } = topic;
  const facts = [
    ['file', topic.path],
    ['for', plainLine(topic.description)],
    ['activation', `${activation}, ${priority} priority, threshold ${similarityThreshold}, at most ${maxContextKb} KB`],
    ...topic.triggers.map((trigger) => ['trigger', plainLine(describeTrigger(trigger))]),
    ...topic.subscriptions.map((subscription) => ['brings', plainLine(JSON.stringify(subscription))]),
  ].map(([name = '', value = '']) => [style.dim(name), value]);
  const rows = decisions.map(({ timestamp, outcome, score, reason, wasUseful }) => [
    showTime(Date.parse(timestamp), timeZone),
    outcome === 'active' ? style.green('in ') : style.yellow('out'),
    score.toFixed(2),
    usefulness(wasUseful),
    style.dim(reason),
  ]);
  const past = rows.length === 0 ? '' : `\n${style.bold('Last decisions')}\n${table(rows, '  ')}`;
  return `${style.bold(plainLine(topic.title))}\n${table(facts)}\n${indented(topic.body)}\n${past}${findings(style, topic.findings)}`;
}

export function renderDecisions({ style, timeZone }: View, { decisions, hasMore }: GateDecisions): string {
  if (decisions.length === 0) return `${style.dim('No message has called for a topic yet.')}\n`;
  const rows = decisions.map(({ timestamp, topic, outcome, score, reason, wasUseful, session }) => [
    showTime(Date.parse(timestamp), timeZone),
    outcome === 'active' ? style.green('in ') : style.yellow('out'),
    style.bold(plainLine(topic)),
    score.toFixed(2),
    usefulness(wasUseful),
    `${plainLine(reason)}${session === null ? '' : ` ${style.dim(session)}`}`,
  ]);
  const last = decisions.at(-1)?.timestamp ?? '';
  return `${table(rows)}${hasMore ? `${style.dim(`Earlier: mneme topics log --before ${last}`)}\n` : ''}`;
}

function usefulness(wasUseful: boolean | null): string {
  if (wasUseful === null) return '';
  return wasUseful ? 'useful' : 'not used';
}

function describeTrigger(trigger: ShownTopic['triggers'][number]): string {
  const { type, scope, correction_hint: hint, ...rest } = trigger;
  const what = Object.entries(rest).map(([key, value]) =>
    key === 'match' ? [value].flat().join(', ') : `${key} ${String(value)}`,
  );
  return [type, ...what, scope === undefined ? '' : `(${scope})`, hint === undefined ? '' : `→ “${hint}”`]
    .filter((part) => part !== '')
    .join(' ');
}

export function renderTested(view: View, { topics, fires }: TestedTopics): string {
  const { style } = view;
  if (topics.length === 0) return 'No topic is meant; none comes close.\n';
  const head =
    fires.length === 0 ? 'No topic is activated.' : `Activates ${fires.map((name) => style.bold(name)).join(', ')}.`;
  return `${head}\n\n${topics.map((topic) => renderOne(view, topic)).join('\n')}`;
}

const MAX_PARTS = 5;

function renderOne({ style }: View, topic: TestedTopic): string {
  const { tier1, tier2, tier3, isActive, verdict, reason, corrections } = topic;
  const mark = isActive ? style.green('in ') : style.yellow('out');
  const found = tier1.map(
    ({ trigger, found: what, isLoose }) => `${trigger} “${plainLine(what)}”${isLoose ? ' (nearly)' : ''}`,
  );
  const parts = tier2.parts
    .slice(0, MAX_PARTS)
    .map(({ name, weight }) => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(1)} ${name}`);
  const asked = tier3 === null ? 'not asked' : `${tier3.isYes ? 'yes' : 'no'}, says ${tier3.by}`;
  const rows = [
    [style.dim('tier 1'), found.length === 0 ? 'no trigger' : found.join(', ')],
    [style.dim('tier 2'), `${tier2.score.toFixed(2)}  ${style.dim(parts.join(', '))}`],
    [style.dim('tier 3'), verdict === 'ask' ? asked : `${asked}: ${reason}`],
    ...corrections.map((hint) => [style.dim('next turn'), plainLine(hint)]),
  ];
  return `${mark} ${style.bold(plainLine(topic.name))}\n${table(rows, '    ')}`;
}

export function renderChanged({ style }: View, { name, session, isActive, isChanged }: ChangedActivation): string {
  const state = isActive ? style.green('on') : style.yellow('off');
  return `${plainLine(name)} is ${state} in ${plainLine(session)}${isChanged ? '' : ', as it was'}.\n`;
}

export function renderEvent(_view: View, { activated }: { readonly activated: readonly string[] }): string {
  return activated.length === 0 ? 'No topic waits for that.\n' : `Activated: ${activated.map(plainLine).join(', ')}.\n`;
}

export function renderNew({ style }: View, { path, outcome, proposal }: NewTopic): string {
  if (outcome === 'written') return `${style.green('Made')} ${path}. Say in it what to do: mneme edit ${path}\n`;
  if (outcome === 'proposed')
    return `${style.yellow('Proposed')} ${path}; a person decides: mneme approve ${proposal ?? ''}\n`;
  return outcome === 'already-open'
    ? `The same is proposed already: ${proposal}\n`
    : `The same was rejected before: ${proposal}\n`;
}

export function renderTuned({ style }: View, { decisions, proposals, advice }: TuneResult): string {
  const looked = `Looked at ${counted(decisions, 'decision')}.`;
  if (proposals.length === 0 && advice.length === 0) return `${looked} Nothing to propose yet.\n`;
  const lines = proposals.map((each) => {
    const what =
      each.kind === 'threshold'
        ? `similarity_threshold ${each.from} → ${each.to}`
        : `without trigger ${each.trigger + 1}`;
    const next = each.proposal === null ? each.outcome : `${each.outcome}: mneme approve ${each.proposal}`;
    return `${style.bold(plainLine(each.path))}  ${what}\n    ${each.evidence}\n    ${style.dim(next)}\n`;
  });
  const settings = advice.map(
    ({ setting, from, to, evidence, command }) =>
      `${style.bold(setting)}  ${from} → ${to}\n    ${evidence}\n    ${style.dim(command)}\n`,
  );
  return `${looked}\n${[...lines, ...settings].join('')}`;
}

function findings(style: View['style'], all: readonly string[]): string {
  return all.length === 0
    ? ''
    : `\n${all.map((finding) => `${style.yellow('note')}  ${plainLine(finding)}\n`).join('')}`;
}
