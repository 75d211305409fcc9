import type { ForgetMatch, ForgetPlan } from '../forget.ts';
import type { Forgotten } from './plan-file.ts';
import { type Style, type View, showTime } from '../command-line/style.ts';
import { counted, shorten } from '../../model/text.ts';

/** Longer texts are recognised by their beginning. */
const MAX_TEXT = 300;
const MAX_TOUCHED = 30;

/** The memories to be forgotten and the question about them, without the ways to answer it. */
export function renderQuestion(view: View, plan: ForgetPlan): string {
  return `${renderFound(view, plan).join('\n')}\n\n${questionOf(view.style, plan)}`;
}

export function renderPlan(view: View, plan: ForgetPlan): string {
  const { matches, code, answered } = plan;
  if (answered === null) return 'Nothing was changed.\n';
  if (answered !== undefined) return renderForgotten(view, answered);
  const { style } = view;
  const lines = renderFound(view, plan);
  if (code === null) {
    const end =
      matches.length === 0
        ? 'Nothing that can be forgotten was found.'
        : style.dim('Nothing was changed, and no code given.');
    return `${[...lines, end].join('\n')}\n`;
  }
  const ways = [`  mneme forget --confirm ${style.bold(code)}`];
  if (matches.length > 1) ways.push(`  mneme forget --confirm ${code} --only 1,2     (only some of them)`);
  lines.push('', questionOf(view.style, plan), ...ways);
  lines.push(style.dim(`The code holds until ${showTime(Date.parse(plan.expires ?? ''), view.timeZone)}.`));
  return `${lines.join('\n')}\n`;
}

function renderFound(view: View, plan: ForgetPlan): string[] {
  const { style } = view;
  const { matches, kept, permanently, code } = plan;
  return [
    ...matches.flatMap((match) => renderMatch(view, match)),
    ...kept.map(
      ({ path, text, reason }) =>
        `${style.yellow('left')} ${style.dim(path)} ${shorten(text, MAX_TEXT)}\n     ${reason}`,
    ),
    ...(permanently && code !== null ? renderReach(style, plan) : []),
    ...plan.notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
}

function questionOf(style: Style, { matches, permanently }: ForgetPlan): string {
  const what = counted(matches.length, 'memory', 'memories');
  return permanently
    ? `${style.red('Erase')} ${what} for good? That cannot be undone.`
    : `Archive ${what}? Nothing is changed yet, and it can be undone.`;
}

function renderMatch({ style, timeZone }: View, { number, kind, text, path, store, time, why }: ForgetMatch): string[] {
  const when = time === null ? '' : ` · ${showTime(Date.parse(time), timeZone)}`;
  const whole = kind === 'file' ? ' · the whole file' : '';
  return [
    `${style.bold(`${number}.`)} ${shorten(text, MAX_TEXT)}`,
    style.dim(`   ${path} · ${store}${whole}${when} · ${why}`),
  ];
}

function renderReach(style: Style, { touches = [], unreachable = [] }: ForgetPlan): string[] {
  const shown = touches.slice(0, MAX_TOUCHED).map(({ path, line, text }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `  ${place}  ${style.dim(shorten(text, MAX_TEXT))}`;
  });
  const more = touches.length - shown.length;
  return [
    '',
    'These places lose the words, and so do all histories, the journal and the index:',
    ...shown,
    ...(more > 0 ? [`  … and ${more} more (--json lists them all)`] : []),
    ...unreachable.map((copy) => `${style.red('out of reach')} ${copy}: see to it yourself`),
  ];
}

export function renderForgotten({ style }: View, done: Forgotten): string {
  return `${[...renderOutcome(style, done), ...done.warnings.map((warning) => `${style.yellow('note')} ${warning}`)].join('\n')}\n`;
}

function renderOutcome(style: Style, { outcome, archived, mutation, proposal, erased }: Forgotten): string[] {
  if (outcome === 'proposed') {
    return [`${style.green('Proposed')} ${proposal ?? ''}; a person decides: mneme approve ${proposal ?? ''}`];
  }
  if (outcome === 'archived') {
    return [
      ...archived.map(({ from, path }) => `${style.green('Archived')} from ${from} to ${path}`),
      style.dim(`undo: mneme rollback ${mutation ?? ''}`),
    ];
  }
  const { unreachable = [], left = [], notes = [] } = erased ?? {};
  return [
    outcome === 'erased' ? `${style.green('Erased')} for good.` : style.red('Not everything could be erased. Left:'),
    ...left.map(({ what }) => `  ${what}`),
    ...unreachable.map((copy) => `${style.red('out of reach')} ${copy}: see to it yourself`),
    ...notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
}
