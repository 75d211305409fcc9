import type { RecallResult, Explanation } from './recall.ts';
import type { Hit, ScoreParts } from '../../retrieve/hit.ts';
import type { SimilarResult } from '../../retrieve/search.ts';
import { pathText } from './graph-answers.ts';
import { plainLine } from '../command-line/plain.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';

const INDENT = '  ';
/** Longer lines are hard to read, however wide the window. */
const MAX_WIDTH = 100;
/** In a narrower window than this the terminal may break the lines itself. */
const MIN_WIDTH = 40;
/** Where nothing limits it, a paragraph stays a line. */
const UNWRAPPED = 10_000;
const MAX_LINES = 6;

export function renderRecall(view: View, query: string, result: RecallResult, isFiltered: boolean): string {
  const { style } = view;
  const { hits, graph = [], notes, explanation } = result;
  const parts = [
    ...(explanation === undefined ? [] : [renderExplanation(view, explanation, result)]),
    graph.map((each) => `${style.bold(plainLine(each.answer.name))}  ${plainLine(pathText(each))}\n`).join(''),
    hits.length === 0 && graph.length > 0
      ? ''
      : hits.length === 0
        ? nothingFound(view, query, isFiltered)
        : renderHits(view, hits, explanation !== undefined),
    ...(explanation === undefined ? [] : [renderLeftOut(view, explanation.leftOut)]),
    notes.map((note) => `${style.yellow('note')}  ${note}\n`).join(''),
    footer(view, hits),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export function renderHits(view: View, hits: readonly Hit[], isExplained = false): string {
  return hits.map((hit) => renderHit(view, hit, isExplained)).join('\n');
}

function renderHit(view: View, hit: Hit, isExplained: boolean): string {
  const { style, columns } = view;
  const width = columns === undefined ? UNWRAPPED : Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH)) - INDENT.length;
  const lines = snippetLines(style, hit.snippet, hit.highlights, { width, maxLines: MAX_LINES });
  const why = isExplained ? explainHit(view, hit) : [];
  const places = (hit.sources ?? []).map(({ path, startLine }) => `${plainLine(path)}:${startLine}`);
  const also = places.length === 0 ? [] : [style.dim(`also in ${places.join(', ')}`)];
  return [headline(view, hit), ...[...lines, ...also, ...why].map((line) => `${INDENT}${line}`), ''].join('\n');
}

/** When, what, where, how good; the turn and the session in the file's name make up the id. */
function headline({ style, timeZone }: View, hit: Hit): string {
  const { time, store, provenance, score } = hit;
  const when = time === null ? 'undated' : showTime(Date.parse(time), timeZone);
  const what = [store, ...[hit.speaker, provenance.turn].filter((part) => part !== null).map(plainLine)].join('/');
  const trust = hit.trust === 'user' || hit.trust === 'agent' ? [] : [style.yellow(hit.trust)];
  const replaced = hit.superseded === true ? [style.yellow('superseded')] : [];
  const where = style.dim(`${plainLine(hit.path)}:${hit.startLine}`);
  return [style.bold(when), style.cyan(what), ...replaced, ...trust, where, style.green(score.toFixed(2))].join(
    style.dim(' · '),
  );
}

function nothingFound({ style }: View, query: string, isFiltered: boolean): string {
  const asked = query.trim().replaceAll(/\s+/gu, ' ');
  const about = asked === '' ? '' : ` about “${asked.length > 60 ? `${asked.slice(0, 59)}…` : asked}”`;
  const hint = isFiltered
    ? 'Something may be there outside the filters: try it without them.'
    : 'Try other words, or see what there is: mneme status · mneme import claude-code.';
  return `Nothing remembered${about}.\n${style.dim(hint)}\n`;
}

function renderLeftOut(
  { style }: View,
  leftOut: readonly { readonly id: string; readonly path: string; readonly score: number }[],
): string {
  if (leftOut.length === 0) return '';
  const lines = leftOut.map(
    ({ id, path, score }) => `${INDENT}${score.toFixed(2)}  ${plainLine(id)}  ${style.dim(plainLine(path))}`,
  );
  return [style.bold('Left out, the best first'), ...lines, ''].join('\n');
}

function footer({ style, columns }: View, [first]: readonly Hit[]): string {
  // A file or a pipe gets the answer alone.
  if (first === undefined || columns === undefined) return '';
  const id = plainLine(first.id);
  return style.dim(`read it: mneme read ${id} · like it: mneme memory similar ${id}\n`);
}

/** Enough to see that it is the right one. */
const MAX_SOURCE_CHARS = 160;

export function renderSimilar(view: View, { to, hits, notes }: SimilarResult): string {
  const { style } = view;
  const line = plainLine(to.text.replaceAll(/\s+/gu, ' '));
  const text = line.length > MAX_SOURCE_CHARS ? `${line.slice(0, MAX_SOURCE_CHARS - 1)}…` : line;
  const parts = [
    `${style.dim('like')} ${style.bold(plainLine(to.id))} ${text}\n`,
    hits.length === 0 ? 'Nothing else is like it.\n' : renderHits(view, hits),
    notes.map((note) => `${style.yellow('note')}  ${note}\n`).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const INTENTS: Readonly<Record<Explanation['understood']['intent'], string>> = {
  when: 'when something was',
  about: 'what somebody or something is like',
  'how-to': 'how to do something',
  latest: 'how things stand now',
  general: 'anything that fits',
};

/** Renders the interpretation of the question, and the way it was searched. */
function renderExplanation(view: View, explanation: Explanation, result: RecallResult): string {
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
function explainHit({ style }: View, { scores, why }: Hit): string[] {
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

type Range = readonly [number, number];

interface SnippetShape {
  /** Columns a line may take. */
  readonly width: number;
  readonly maxLines: number;
}

interface Line {
  readonly text: string;
  readonly marks: readonly Range[];
}

/** A hit's best part as lines: the question's words stand out, and of a long part only what is around them is shown. */
export function snippetLines(
  style: Style,
  snippet: string,
  highlights: readonly Range[],
  { width, maxLines }: SnippetShape,
): string[] {
  const lines = splitLines(snippet, highlights).flatMap((line) => wrap(line, width));
  const first = chooseFirst(lines, maxLines);
  const shown = lines.slice(first, first + maxLines).map((line) => paint(style, line));
  const isCut = first + maxLines < lines.length;
  return shown.map((text, index) => {
    const before = index === 0 && first > 0 ? '… ' : '';
    return `${before}${text}${index === shown.length - 1 && isCut ? ' …' : ''}`;
  });
}

/** A day that stands above the words says what the hit's own line says already. */
const DAY = /^…?\d{1,2} \p{L}+ \d{4}$/u;

function splitLines(snippet: string, highlights: readonly Range[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const raw of snippet.split('\n')) {
    const indent = raw.length - raw.trimStart().length;
    const text = raw.trim().replaceAll(/\s/gu, ' ');
    const from = start + indent;
    if (text !== '' && !(lines.length === 0 && DAY.test(text))) {
      lines.push({ text, marks: within(highlights, from, from + text.length) });
    }
    start += raw.length + 1;
  }
  return lines;
}

/** The ranges inside a span, counted from its beginning. */
function within(ranges: readonly Range[], from: number, to: number): Range[] {
  return ranges.flatMap(([start, end]): Range[] =>
    end <= from || start >= to ? [] : [[Math.max(start, from) - from, Math.min(end, to) - from]],
  );
}

/** Cuts at spaces where there are some, and between characters where there are none. */
function wrap({ text, marks }: Line, width: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const fitting = fittingEnd(text, start, width);
    const space = fitting < text.length ? text.lastIndexOf(' ', fitting) : -1;
    const end = space > start ? space : fitting;
    lines.push({ text: text.slice(start, end), marks: within(marks, start, end) });
    start = text[end] === ' ' ? end + 1 : end;
  }
  return lines;
}

/** Takes two columns on a terminal: the scripts of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

function fittingEnd(text: string, start: number, width: number): number {
  let columns = 0;
  let end = start;
  for (const character of text.slice(start, start + width * 2)) {
    columns += WIDE.test(character) ? 2 : 1;
    if (columns > width && end > start) return end;
    end += character.length;
  }
  return end;
}

/** Lines that lead up to the first mark. */
const LEAD_LINES = 1;

/** Where to begin so that most of the marks are shown, the first of them near the top. */
function chooseFirst(lines: readonly Line[], maxLines: number): number {
  const last = Math.max(0, lines.length - maxLines);
  let best = 0;
  let bestMarks = 0;
  for (const [number, { marks }] of lines.entries()) {
    if (marks.length === 0) continue;
    const first = Math.min(last, Math.max(0, number - LEAD_LINES));
    const shown = lines.slice(first, first + maxLines).reduce((sum, line) => sum + line.marks.length, 0);
    if (shown > bestMarks) [best, bestMarks] = [first, shown];
  }
  return best;
}

function paint(style: Style, { text, marks }: Line): string {
  let painted = '';
  let end = 0;
  for (const [from, to] of marks) {
    painted += text.slice(end, from) + style.bold(style.yellow(text.slice(from, to)));
    end = to;
  }
  return painted + text.slice(end);
}
