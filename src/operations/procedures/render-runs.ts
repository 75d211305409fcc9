import type { Decision } from '../../memory/procedures/decision/decide.ts';
import { jsonText } from '../../memory/procedures/expression/evaluate.ts';
import type { Question } from '../../memory/procedures/workflow/state.ts';
import type { DueRuns } from './run-due.ts';
import type { RunResult, RunStep } from './run-result.ts';
import type { RunList } from './runs.ts';
import type { StoppedRun } from './stop.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';

const SIGNS: Readonly<Record<RunStep['outcome'], string>> = {
  ok: '✓',
  'not-needed': '·',
  skipped: '–',
  failed: '✗',
  'fell-back': '↪',
  'under-way': '…',
};

export function renderRun(style: Style, result: RunResult): string {
  if (result.decision !== null) return renderDecision(style, result.name, result.decision);
  const { run, name, status, steps, said, question, error, assumed, ms } = result;
  const lines = [
    ...said,
    ...(steps.length === 0 ? [] : [renderSteps(style, steps).trimEnd()]),
    ...assumed.map((text) => style.dim(`taken for met: ${text}`)),
    `${statusWord(style, status)} ${style.bold(name)}${error === null ? '' : `: ${error}`}  ${style.dim(`${ms} ms · ${run}`)}`,
    ...nextLines(style, run, status, question),
  ];
  return `${lines.join('\n')}\n`;
}

function renderSteps(style: Style, steps: readonly RunStep[]): string {
  return table(
    steps.map(({ step, what, outcome, attempts, error }) => [
      paintOutcome(style, outcome),
      step,
      what,
      outcome === 'ok' ? '' : outcome.replace('-', ' '),
      attempts > 1 ? `${attempts} attempts` : '',
      style.dim(error ?? ''),
    ]),
    '  ',
  );
}

function paintOutcome(style: Style, outcome: RunStep['outcome']): string {
  const sign = SIGNS[outcome];
  if (outcome === 'ok') return style.green(sign);
  return outcome === 'failed' ? style.red(sign) : style.yellow(sign);
}

function statusWord(style: Style, status: RunResult['status']): string {
  const word = status.charAt(0).toUpperCase() + status.slice(1);
  if (status === 'succeeded') return style.green(word);
  return status === 'failed' || status === 'cancelled' ? style.red(word) : style.yellow(word);
}

const ANSWERS: Readonly<Record<Question['kind'], string>> = {
  condition: '--answer yes|no',
  yes: '--answer yes|no|skip',
  'by-hand': '--answer done|failed|skip',
  text: '--answer yes --text "…"',
  unknown: '--answer yes|again|skip',
};

function nextLines(style: Style, run: string, status: RunResult['status'], question: Question | null): string[] {
  if (question !== null) {
    const what = question.kind === 'by-hand' ? `Do this: ${question.text}` : question.text;
    return [style.bold(what), style.dim(`then: mneme procedure resume ${run} ${ANSWERS[question.kind]}`)];
  }
  if (status === 'paused' || status === 'interrupted') return [style.dim(`go on: mneme procedure resume ${run}`)];
  return [];
}

function renderDecision(style: Style, name: string, { path, outcome, open }: Decision): string {
  const way = path.map(({ question, value, answer }) => {
    const said = jsonText(value).toLowerCase();
    const given = said === answer.toLowerCase() || typeof value === 'boolean' ? '' : style.dim(` (${jsonText(value)})`);
    return `  ${question} ${style.cyan(answer)}${given}`;
  });
  if (outcome !== null) return `${[...way, `${style.bold(name)} → ${style.green(outcome)}`].join('\n')}\n`;
  const { question = '', answers = [], field = null, problem = null } = open ?? {};
  const lines = [
    ...way,
    ...(problem === null ? [] : [style.yellow(`${problem}.`)]),
    `${style.bold(question)} ${answers.join(', ')}`,
    style.dim(`answer with --set ${/^\w+$/u.test(field ?? '') ? `${field ?? ''}=…` : `"${question}=…"`}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderRuns(view: View, { runs }: RunList, isOne: boolean): string {
  const { style, timeZone } = view;
  if (runs.length === 0) return 'Nothing was run yet.\n';
  const [first] = runs;
  if (isOne && first !== undefined) {
    return `${style.dim(`started ${showTime(Date.parse(first.started), timeZone)}`)}\n${renderRun(style, first)}`;
  }
  return table(
    runs.map(({ run, name, status, started, ms, error, question }) => [
      style.dim(run),
      statusWord(style, status),
      style.bold(name),
      showTime(Date.parse(started), timeZone),
      `${ms} ms`,
      style.dim(question?.text ?? error ?? ''),
    ]),
  );
}

export function renderDue(style: Style, { runs, problems }: DueRuns): string {
  if (runs.length === 0) return problems.length === 0 ? 'Nothing is due.\n' : 'Nothing that is due could be run.\n';
  return runs.map((result) => renderRun(style, result)).join('\n');
}

export function renderStopped({ style }: View, { run, name, outcome, note }: StoppedRun): string {
  const about = style.bold(name ?? run);
  const words: Readonly<Record<StoppedRun['outcome'], string>> = {
    paused: `${style.yellow('Paused')} ${about}. ${style.dim(`go on: mneme procedure resume ${run}`)}`,
    cancelled: `${style.red('Cancelled')} ${about}; what it did stays done.`,
    asked: `${about} was told and will stop when it can.`,
    'was-over': `${about} was over already. ${style.dim(`mneme procedure runs ${run}`)}`,
    'set-aside': `${style.yellow('Given up')} ${about}.`,
  };
  return `${words[outcome]}${note === null ? '' : ` ${note}`}\n`;
}
