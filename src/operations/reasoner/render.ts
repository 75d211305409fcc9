import type { Costs } from './costs.ts';
import type { ReasonerStatus } from './reasoner-status.ts';
import type { ReasonerTrial } from './reasoner-try.ts';
import type { CostRow, Forecast } from '../../reasoner/ledger/cost-report.ts';
import { countOf, plainLine, showCount, showSeconds } from '../command-line/plain.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';

export function renderCosts({ style }: View, result: Costs): string {
  const { rows, total, forecast, notes } = result;
  const since = result.since === null ? '' : ` since ${result.since.slice(0, 10)}`;
  const parts = [
    rows.length === 0 ? `No language model has been asked${since}.\n` : renderRows(style, rows, total, result.by),
    rows.length === 0 ? '' : renderComparison(style, result),
    forecast === null ? '' : renderForecast(style, forecast),
    renderNotes(style, notes),
    style.dim(`Prices of ${result.pricesAsOf}; your own go into reasoner.prices_usd_per_million.\n`),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderRows(style: Style, rows: readonly CostRow[], total: CostRow, by: string): string {
  const cells = ({ name, calls, failed, tokensIn, tokensOut, usd, averageMs }: CostRow): string[] => [
    plainLine(name),
    showCount(calls),
    failed === 0 ? '' : style.yellow(showCount(failed)),
    showCount(tokensIn),
    showCount(tokensOut),
    showSeconds(averageMs),
    showUsd(usd),
  ];
  const head = [by, 'calls', 'failed', 'tokens in', 'out', 'each', 'US dollars'].map((title) => style.dim(title));
  return table([head, ...rows.map(cells), cells(total).map((cell) => style.bold(cell))]);
}

/** Renders the costs expected at design time (S0 §12), beside the actual ones. */
function renderComparison(style: Style, { comparison }: Costs): string {
  const head = ['on average', 'tokens in', 'out', 'US dollars', 'expected: in', 'out', 'US dollars'];
  const rows = comparison.flatMap(({ what, per, expected, measured }) => {
    if (measured === null) return [];
    const numbers = [measured, expected].flatMap(({ tokensIn, tokensOut, usd }) => [
      showCount(Math.round(tokensIn)),
      showCount(Math.round(tokensOut)),
      showUsd(usd),
    ]);
    return [[`${what}, per ${per}`, ...numbers]];
  });
  return rows.length === 0 ? '' : table([head.map((title) => style.dim(title)), ...rows]);
}

function renderForecast(style: Style, forecast: Forecast): string {
  const { basisDays, usdPerMonth, sessionsPerDay, maxUsdPerMonth, tokensPerSession, scenarios } = forecast;
  const days = Math.round(basisDays);
  const basis = days > 1 ? `${days} days` : 'day';
  const lately =
    basisDays === 0
      ? 'Nothing has been spent in the last 30 days.'
      : `A month like the last ${basis}: ${showUsd(usdPerMonth)}, at ${sessionsPerDay.toFixed(1)} sessions a day.`;
  const [tokensIn, tokensOut] = [tokensPerSession.in, tokensPerSession.out].map((count) =>
    showCount(Math.round(count)),
  );
  const tokens = `${tokensIn} tokens in and ${tokensOut} out a session, as ${tokensPerSession.isMeasured ? 'measured' : 'expected'}`;
  const rows = scenarios.map(({ usage, sessionsPerDay: sessions, usd, expectedUsd }) => [
    `${usage}, ${sessions} sessions a day`,
    usd === null ? 'no price known' : showUsd(usd),
    showUsd(expectedUsd),
  ]);
  const head = ['extraction a month', 'US dollars', 'expected'].map((title) => style.dim(title));
  return `${lately} The caps allow ${showUsd(maxUsdPerMonth)}.\n\n${table([head, ...rows])}${style.dim(`(${tokens})`)}\n`;
}

export function renderReasonerStatus({ style, timeZone }: View, status: ReasonerStatus): string {
  const { provider, answers, problem, hint, address, key, today, left } = status;
  const isModel = provider !== 'heuristic';
  const who = answers === 'model' ? style.green(provider) : 'the heuristic: local, free, no key';
  const lines = [
    [
      'answers',
      isModel && answers === 'heuristic'
        ? `${style.yellow('the heuristic')}, because ${provider} cannot be asked`
        : who,
    ],
    ...(problem === null ? [] : [['problem', [problem, hint].filter((part) => part !== null).join(' ')]]),
    ...(address === null ? [] : [['address', address]]),
    ...(key === null ? [] : [['key', `${key.variable} ${key.isSet ? 'is set' : style.yellow('is not set')}`]]),
    ...(isModel
      ? [['today', `${countOf(today.calls, 'call')}, ${countOf(today.tokens, 'token')}, ${showUsd(today.usd)}`]]
      : []),
    ...(isModel
      ? [['left', `${countOf(left.calls, 'call')}, ${countOf(left.tokens, 'token')}, ${showUsd(left.usd)}`]]
      : []),
    ...Object.entries(status.purposesLeftUsd).map(([purpose, usd]) => [`left for ${purpose}`, showUsd(usd)]),
    ...(isModel ? [['known answers', showCount(status.cachedAnswers)]] : []),
  ];
  const models = status.purposes.map(({ purpose, model, price, promptVersion }) => [
    purpose,
    model ?? 'none',
    price === null ? 'no price known' : `$${price.input} in, $${price.output} out per million tokens`,
    style.dim(`prompt ${promptVersion}`),
  ]);
  const failures = status.failures.map(({ time, purpose, model, outcome, reason }) => [
    showTime(Date.parse(time), timeZone),
    purpose,
    model,
    style.yellow(outcome),
    plainLine(reason ?? ''),
  ]);
  return [
    table(lines),
    ...(isModel ? [table(models, '  ')] : []),
    ...(failures.length === 0 ? [] : [`${style.bold('Last failures')}\n${table(failures, '  ')}`]),
  ].join('\n');
}

export function renderTrial({ style }: View, { route, extract, calls, usd }: ReasonerTrial): string {
  const { output: filed } = route;
  const about = [filed.kind, ...filed.tags].filter((part) => part !== undefined).join(', ');
  const found = extract.output.map(({ kind, statement, confidence, importance }) => [
    style.cyan(kind),
    plainLine(statement),
    style.dim(`${confidence}, ${importance.toFixed(2)}`),
  ]);
  const cost = calls.map(({ purpose, model, outcome, tokensIn, tokensOut, ms, usd: each }) => [
    purpose,
    model,
    outcome,
    `${showCount(tokensIn)} + ${showCount(tokensOut)} tokens`,
    showSeconds(ms),
    each === undefined ? 'no price known' : showUsd(each),
  ]);
  return [
    `${style.bold('Asked to remember it')} ${style.dim(`by ${route.by}`)}\n` +
      table([[style.cyan(filed.store), plainLine(filed.summary), style.dim(about)]], '  '),
    `${style.bold('Said in a conversation')} ${style.dim(`by ${extract.by}`)}\n` +
      (found.length === 0 ? '  nothing worth keeping\n' : table(found, '  ')),
    renderNotes(style, [...new Set([...route.notes, ...extract.notes])]),
    calls.length === 0 ? 'No model was asked; this cost nothing.\n' : `${table(cost, '  ')}${showUsd(usd)} in all.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function renderNotes(style: Style, notes: readonly string[]): string {
  return notes.map((note) => `${style.yellow('note')}  ${plainLine(note)}\n`).join('');
}

/** Cents where they are enough, and two digits that say something where they are not. */
function showUsd(usd: number): string {
  if (usd === 0) return '$0';
  return usd >= 0.1 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}
