import type { Explanation, RecallResult } from './recall.ts';
import type { Hit, ScoreParts } from '../../retrieve/hit.ts';
import { showTime, table } from '../command-line/style.ts';
import type { View } from '../command-line/view.ts';

const INTENTS: Readonly<Record<Explanation['understood']['intent'], string>> = {
  when: 'when something was',
  about: 'what somebody or something is like',
  'how-to': 'how to do something',
  latest: 'how things stand now',
  general: 'anything that fits',
};

/** How the question was understood, and how it was searched. */
export function renderExplanation(view: View, explanation: Explanation, result: RecallResult): string {
  const { style } = view;
  const { understood, scored } = explanation;
  const past = understood.isAboutThePast ? '; about the past, so age does not count against a memory' : '';
  const rows: [string, string][] = [
    ['asked for', `${INTENTS[understood.intent]}${past}`],
    ['time', rangeOf(view, understood.timeRange)],
    ['people', understood.people.join(', ')],
    ['about', understood.entities.map(({ id, phrase }) => `${id} (“${phrase}”)`).join(', ')],
    ['exactly', understood.phrases.map((phrase) => `“${phrase}”`).join(', ')],
    ['words', few(understood.terms.map(({ term, weight }) => (weight === 1 ? term : `${term} ×${weight.toFixed(2)}`)))],
    ['also', few(understood.expansions.map(({ term, of, reason }) => `${term} (${reason} of ${of})`))],
    ['searched', `${scored} scored, ${result.mode}, ${result.tookMs} ms`],
  ];
  const filled = rows.filter(([, text]) => text !== '').map(([name, text]) => [style.dim(name), text]);
  return `${style.bold('Understood as')}\n${table(filled, '  ')}`;
}

/** A question of 100 KB has thousands of words; the first say what it is about. */
const MAX_WORDS = 24;

function few(words: readonly string[]): string {
  const more = words.length - MAX_WORDS;
  return words.slice(0, MAX_WORDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function rangeOf({ timeZone }: View, range: Explanation['understood']['timeRange']): string {
  if (range === undefined) return '';
  const since = range.sinceMs === undefined ? '' : showTime(range.sinceMs, timeZone);
  const until = range.untilMs === undefined ? '' : showTime(range.untilMs, timeZone);
  return `${since} … ${until} (“${range.phrase}”)`.trimStart();
}

const FACTORS: readonly (readonly [keyof ScoreParts, string])[] = [
  ['semantic', 'meaning'],
  ['lexical', 'words'],
  ['temporal', 'time'],
  ['importance', 'weight'],
  ['access', 'use'],
];

const BAR_WIDTH = 8;

/** The five factors as bars, and the reasons in words. */
export function explainHit({ style }: View, { scores, why }: Hit): string[] {
  const bars = FACTORS.map(
    ([key, name]) => `${style.dim(name)} ${style.cyan(bar(scores[key]))} ${scores[key].toFixed(2)}`,
  );
  return [bars.join('  '), ...(why === '' ? [] : [style.dim(why)])];
}

/** Eighths of a block make a short bar fine enough. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

function bar(share: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH * 8);
  return ('█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')).padEnd(BAR_WIDTH, '░');
}
