import type { ProcedureSummary } from './list.ts';
import type { MatchedProcedure } from './match.ts';
import type { ShownProcedure } from './show.ts';
import type { ProcedureStats, StatsResult } from './stats.ts';
import { renderDecisionTree, renderStep } from '../../workspace/formats/procedure.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

export function renderProcedures({ style }: View, procedures: readonly ProcedureSummary[]): string {
  if (procedures.length === 0) {
    return 'No procedures yet. Write one under memory/procedures/, or let `mneme procedure learn` look for some.\n';
  }
  return table(
    procedures.map((one) => [
      style.bold(one.name),
      one.kind,
      one.status === 'active' ? '' : style.yellow(one.status),
      one.kind === 'skill' || one.kind === 'workflow' ? counted(one.steps, 'step') : '',
      runsOf(one),
      one.damage === null ? style.dim(one.path) : style.red(`${one.path}: ${one.damage}`),
    ]),
  );
}

function runsOf({ executions, successRate }: Pick<ProcedureSummary, 'executions' | 'successRate'>): string {
  if (executions === 0) return '';
  return `${counted(executions, 'run')}${successRate === null ? '' : `, ${percent(successRate)} ok`}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function renderMatches({ style }: View, matches: readonly MatchedProcedure[]): string {
  if (matches.length === 0) return 'Nothing the memory knows how to do is called for.\n';
  return table(matches.map(({ name, score, why, path }) => [score.toFixed(2), style.bold(name), why, style.dim(path)]));
}

export function renderProcedure({ style, timeZone }: View, shown: ShownProcedure): string {
  const about = [shown.kind, `version ${shown.version}`, shown.status, `priority ${shown.priority}`, runsOf(shown)];
  const lines = [
    `${style.bold(shown.name)}  ${style.dim(about.filter((part) => part !== '').join(' · '))}`,
    style.dim(shown.path),
    ...section(
      style,
      'When',
      [shown.trigger, ...triggersOf(shown)].filter((text) => text !== ''),
    ),
    ...section(style, 'Before', shown.preconditions),
    ...section(style, 'Steps', shown.stepList.map(renderStep)),
    ...section(style, 'Decision', shown.tree === null ? [] : [renderDecisionTree(shown.tree)]),
    ...section(style, 'Observation', shown.observation === '' ? [] : [shown.observation]),
    ...section(style, 'Adaptation', shown.adaptation === '' ? [] : [shown.adaptation]),
    ...section(style, 'After', shown.postconditions),
    ...section(style, 'Errors', shown.errorHandling),
    ...section(style, 'Notes', shown.notes),
    ...section(style, 'Learned from', shown.learnedFrom),
    ...section(
      style,
      'Refined',
      shown.refinements.map(
        ({ time, type, description, after, successRateChange }) =>
          `${showTime(Date.parse(time), timeZone)} ${type}: ${description ?? after}${successRateChange === null ? '' : ` (success rate ${signed(successRateChange)})`}`,
      ),
    ),
    ...shown.findings.map(({ severity, line, message, hint }) => {
      const word = severity === 'error' ? style.red(severity) : style.yellow(severity);
      return `${word} ${line === undefined ? '' : `line ${line}: `}${message}. ${style.dim(hint)}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function triggersOf({ keywords, cron }: ShownProcedure): string[] {
  return [
    ...(keywords.length === 0 ? [] : [`keywords: ${keywords.join(', ')}`]),
    ...(cron === null ? [] : [`schedule: ${cron}`]),
  ];
}

function section(style: Style, title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return ['', style.bold(title), ...texts.flatMap((text) => text.split('\n')).map((text) => `  ${text}`)];
}

function signed(change: number): string {
  return `${change >= 0 ? '+' : '−'}${Math.abs(Math.round(change * 100))} points`;
}

export function renderStats(view: View, { procedures }: StatsResult): string {
  if (procedures.length === 0) return 'Nothing was run yet.\n';
  return procedures.map((one) => renderOneStats(view, one)).join('\n');
}

function renderOneStats({ style, timeZone }: View, one: ProcedureStats): string {
  const { name, executions, successRate, averageMs, cancelled, lastExecuted, versions, steps } = one;
  const facts = [
    counted(executions, 'run'),
    ...(successRate === null ? [] : [`${percent(successRate)} succeeded`]),
    ...(averageMs === null ? [] : [`${averageMs} ms on average`]),
    ...(cancelled === 0 ? [] : [`${cancelled} cancelled`]),
    ...(lastExecuted === null ? [] : [`last ${showTime(Date.parse(lastExecuted), timeZone)}`]),
  ];
  const byVersion = versions.map(({ version, executions: runs, successRate: rate }) => [
    `version ${version}`,
    counted(runs, 'run'),
    rate === null ? '' : percent(rate),
  ]);
  const byStep = steps.map(({ step, what, runs, failures, averageMs: ms, lastError }) => [
    step,
    what,
    counted(runs, 'run'),
    failures === 0 ? '' : style.red(counted(failures, 'failure')),
    `${ms} ms`,
    style.dim(lastError ?? ''),
  ]);
  const head = `${style.bold(name)}  ${facts.join(' · ')}\n`;
  return head + (versions.length > 1 ? table(byVersion, '  ') : '') + table(byStep, '  ');
}
