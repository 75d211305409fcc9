import type { BackgroundStatus } from './background/describe.ts';
import { countOf } from './command-line/plain.ts';
import { type Style, type View, indented, paintDiff, showTime, table } from './command-line/style.ts';
import type { Status } from './status.ts';
import { counted } from '../model/text.ts';
import { showEstimate } from '../model/time.ts';

export function renderStatus({ style, timeZone }: View, result: Status): string {
  const { workspace, git } = result;
  const parts = [
    table([
      ['home', style.bold(result.home)],
      ['workspace', `${workspace.path} (${counted(workspace.files, 'file')}, ${workspace.layout} layout)`],
      [
        'git',
        git.branch === null
          ? style.yellow('HEAD is detached')
          : `${git.branch} at ${git.lastCommit?.slice(0, 9) ?? 'nothing'}`,
      ],
      ['index', indexLine(style, result)],
    ]),
    ...git.waiting.map((line) => `${style.yellow('waiting')} ${line}\n`),
    renderBackground(style, result, timeZone),
    renderWaiting(style, result),
    renderPrivate(style, result),
    renderCore(style, result),
    renderAlerts(style, result, timeZone),
    renderExternal(style, result, timeZone),
    renderProposals(style, result),
  ];
  const isQuiet = result.alerts.length + result.externalEdits.length + result.proposals.length === 0;
  if (isQuiet && git.waiting.length === 0) parts.push(style.green('Nothing waits for you.\n'));
  return parts.filter((part) => part !== '').join('\n');
}

/** Shows the searchable share, the models, and how fresh the index is. */
function indexLine(style: Style, { index }: Status): string {
  if (index.problem !== null) return style.red(index.problem);
  const models = index.models.map(({ model, coverage }) =>
    coverage >= 1 ? model : `${model} for ${Math.floor(coverage * 100)} %`,
  );
  const meaning =
    models.length === 0
      ? index.provider === 'none'
        ? 'words alone'
        : `${index.provider}, no vectors yet`
      : models.join(', ');
  const state = index.isFresh ? 'up to date' : 'the next question brings it up to date';
  return `${countOf(index.passages, 'passage')} of ${countOf(index.documents, 'file')}, ${meaning}, ${state}`;
}

/** Shows the background work, and how long it takes. */
function renderBackground(style: Style, { background }: Status, timeZone: string): string {
  const { state, reason, pausedUntil, left, done, secondsLeft, lastProblem } = background;
  const isLeft = left.conversations + left.passages > 0;
  if (!isLeft && lastProblem === null && (state === 'idle' || state === 'working')) return '';
  const until = pausedUntil === null ? reason : `until ${showTime(Date.parse(pausedUntil), timeZone)}`;
  const why = until === null ? '' : ` (${until})`;
  const amounts = (amount: BackgroundStatus['left']): string =>
    `${countOf(amount.conversations, 'conversation')}, ${countOf(amount.passages, 'passage')}`;
  const estimate = secondsLeft === null || !isLeft ? '' : `, about ${showEstimate(secondsLeft)}`;
  const title = `background work: ${state}`;
  const lines = [
    `${state === 'working' ? style.green(title) : style.yellow(title)}${why}`,
    `  left: ${amounts(left)}${estimate}${state === 'working' ? `; done so far: ${amounts(done)}` : ''}`,
    ...(lastProblem === null ? [] : [`  ${style.red(lastProblem.message)}`]),
    ...(typeof lastProblem?.hint === 'string' ? [style.dim(`  ${lastProblem.hint}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Shows the input of `mneme learn extract` that is not processed automatically. */
function renderWaiting(style: Style, { waiting: { own, imported }, background }: Status): string {
  if (own + imported === 0 || background.left.conversations > 0) return '';
  const parts = [
    ...(own === 0 ? [] : [countOf(own, 'conversation')]),
    ...(imported === 0 ? [] : [`${countOf(imported, 'imported conversation')}`]),
  ];
  return `${style.yellow('waiting')} ${parts.join(' and ')} to learn from: mneme learn extract\n`;
}

/** Their content is nobody's to show. */
function renderPrivate(style: Style, { privateSessions }: Status): string {
  if (privateSessions.length === 0) return '';
  return `${style.yellow('private')} ${privateSessions.join(', ')}: nothing said there is kept\n`;
}

/** From this share on the user should make room before writes are refused. */
const NEARLY_FULL = 0.9;

function renderCore(style: Style, { core }: Status): string {
  if (core === null || core.share < NEARLY_FULL) return '';
  const amount = `${core.tokens} of ${core.maxTokens} tokens, ${core.lines} of ${core.maxLines} lines`;
  const title =
    core.share > 1
      ? style.red(`MEMORY.md is over its cap (${Math.round(core.share * 100)} %)`)
      : style.yellow(`MEMORY.md is nearly full (${Math.round(core.share * 100)} %)`);
  return `${title}: ${amount}.\n${style.dim('  Shorten something or move it to memory/reference/: mneme edit MEMORY.md')}\n`;
}

function renderAlerts(style: Style, { alerts }: Status, timeZone: string): string {
  return alerts
    .map((alert) => {
      const who = alert.isUnauthorized ? style.red(`${alert.actor}, without approval`) : alert.actor;
      const title = `${style.red('⚠')} ${style.bold(alert.path)} was changed on ${showTime(alert.timeMs, timeZone)} by ${who}: ${alert.summary}`;
      const diff = alert.diff === undefined ? '' : `${indented(paintDiff(style, alert.diff.trimEnd()))}\n`;
      return `${title}\n${diff}  Was this intended? mneme audit ack ${alert.path}   or   mneme rollback ${alert.references[0] ?? ''}\n`;
    })
    .join('\n');
}

function renderExternal(style: Style, { externalEdits }: Status, timeZone: string): string {
  if (externalEdits.length === 0) return '';
  const rows = externalEdits.map((edit) => [
    `  ${edit.path}`,
    `${style.green(`+${edit.addedLines ?? '?'}`)} ${style.red(`-${edit.removedLines ?? '?'}`)}`,
    style.dim(showTime(edit.lastMs, timeZone)),
  ]);
  return [
    `${style.yellow('Edited outside Mneme')}: were these yours?`,
    table(rows).trimEnd(),
    style.dim('  yes: mneme audit ack    no: mneme audit ack --not-mine, then mneme rollback'),
    '',
  ].join('\n');
}

function renderProposals(style: Style, { proposals }: Status): string {
  if (proposals.length === 0) return '';
  const rows = proposals.map(({ id, title, from }) => [`  ${id}`, title, style.dim(from)]);
  return [
    `${style.yellow(counted(proposals.length, 'proposal'))} waiting for your decision:`,
    table(rows).trimEnd(),
    style.dim('  look: mneme proposals show ID    decide: mneme approve ID · mneme reject ID --why "…"'),
    '',
  ].join('\n');
}
