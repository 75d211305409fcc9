import { lowestTrust, type Trust } from '../../../model/provenance.ts';
import { extractTerms } from '../../../search-index/text/terms.ts';
import type { Sequence } from './sequences.ts';
import { capitalise } from '../../../model/text.ts';

/** A procedure that conversations suggest. */
export interface LearnedDraft {
  readonly name: string;
  readonly trigger: string;
  readonly steps: readonly string[];
  readonly learnedFrom: readonly string[];
  readonly notes: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly trust: Trust;
  readonly signs: readonly string[];
}

const MAX_NAME_WORDS = 8;
const MAX_SOURCES = 12;
/** Everybody says so, whatever they ask for. */
const POLITE = new Set([
  'please',
  'now',
  'today',
  'again',
  'hi',
  'hey',
  'hello',
  'thanks',
  'bitte',
  'need',
  'want',
  'like',
]);

export function draftProcedure(sequence: Sequence): LearnedDraft {
  const { good, bad, signs } = sequence;
  const asked = commonWords(good.map(({ attempt }) => attempt.request));
  const parameters = new Parameters();
  const steps = signs.map((_sign, index) =>
    commonText(
      good.map((occurrence) => occurrence.steps[index]?.text ?? ''),
      parameters,
    ),
  );
  const name = asked === '' ? steps.slice(0, 3).join(', ').replaceAll('`', '') : capitalise(asked);
  const notes = [
    ...parameters.notes(),
    ...(bad.length === 0 ? [] : [`Went wrong in ${bad.length} of ${good.length + bad.length} conversations.`]),
  ];
  return {
    name,
    trigger: asked === '' ? '' : `When the user asks to ${asked}.`,
    steps,
    notes,
    learnedFrom: good.slice(-MAX_SOURCES).map(({ attempt }) => attempt.source),
    // With one success and one failure imagined, so that few conversations never make it certain.
    confidence: Math.round(((good.length + 1) / (good.length + bad.length + 2)) * 100) / 100,
    trust: lowestTrust(good.map(({ attempt }) => attempt.trust)),
    signs,
  };
}

/** Counts something that changes from run to run, and says nothing without it. */
const COUNTER = /^(?:versions?|v|no|nr|number|tickets?|issues?|build|tag|numero|nummer)$/iu;
/** Joins words, and neither begins nor ends a name. */
const JOINS =
  /^(?:a|an|the|of|for|to|on|in|at|with|and|or|from|new|next|this|that|my|our|der|die|das|von|für|de|la|el|du)$/iu;
const FIGURE = /\d/u;

/**
 * The words of a request that most of the others share, in its order: what changes from run to run is left out with the word that
 * counts it, so that "release version 1.1 of the tile service" is called "Release the tile service".
 */
function commonWords(requests: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const request of requests) {
    for (const term of new Set(extractTerms(request))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const needed = Math.max(2, Math.ceil(requests.length * 0.6));
  const isShared = (word: string): boolean =>
    !FIGURE.test(word) &&
    !POLITE.has(word.toLowerCase()) &&
    extractTerms(word).some((term) => (counts.get(term) ?? 0) >= needed);
  const lines = requests.map((request) => nameIn(wordsIn(request), isShared));
  const weigh = (line: readonly string[]): number => line.filter(isShared).length;
  const most = Math.max(0, ...lines.map(weigh));
  // The shortest of the wordings that say what all have in common, or all but a word of it.
  const [best = []] = lines
    .filter((line) => weigh(line) >= Math.min(most, Math.max(2, most - 1)))
    .toSorted((left, right) => left.join(' ').length - right.join(' ').length);
  return best.slice(0, MAX_NAME_WORDS).join(' ').toLowerCase();
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.:/-]*/gu)?.map((word) => word.replace(/[.:/-]+$/u, '')) ?? [];
}

/** Keeps shared words and the words that join them; a counter goes with its figure, and what joined that goes too. */
function nameIn(words: readonly string[], isShared: (word: string) => boolean): string[] {
  const kept: string[] = [];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    const counts = COUNTER.test(word) && (FIGURE.test(next) || (next !== '' && !isShared(next) && !JOINS.test(next)));
    if (counts) continue;
    if (isShared(word)) kept.push(word);
    else if (JOINS.test(word) && kept.length > 0 && !isJoin(kept.at(-1))) kept.push(word);
    else if (JOINS.test(word) && /^of$/iu.test(kept.at(-1) ?? '')) kept[kept.length - 1] = word;
  }
  while (isJoin(kept.at(-1))) kept.pop();
  return kept;
}

function isJoin(word: string | undefined): boolean {
  return word !== undefined && JOINS.test(word);
}

/** The text all have in common, with a parameter for what differs. */
function commonText(texts: readonly string[], parameters: Parameters): string {
  const [first = '', ...others] = texts;
  const isCode = first.startsWith('`');
  const runs = [first, ...others].map((text) => text.replaceAll('`', '').split(' '));
  const isAligned = runs.every((words) => words.length === runs[0]?.length);
  const rest = runs.slice(1).map((words) => new Set(words));
  const words = runs[0] ?? [];
  const kept = words.map((word, at) => {
    if (rest.every((other) => other.has(word))) return word;
    return isAligned ? parameters.nameOf(runs.map((run) => run[at] ?? '')) : '…';
  });
  const text = kept.filter((word, index) => word !== '…' || kept[index - 1] !== '…').join(' ');
  return isCode ? `\`${text}\`` : text;
}

/** Names of the kinds of values. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['date', /^\d{4}-\d{2}-\d{2}$/u],
  ['version', /^v?\d+(?:\.\d+)*$/u],
  ['url', /^https?:/u],
  ['file', /\/|\.\p{L}{1,5}$/u],
];

/** Names for what differs from run to run; what changes in the same way everywhere is one parameter. */
class Parameters {
  readonly #named = new Map<string, { readonly name: string; readonly values: readonly string[] }>();

  nameOf(values: readonly string[]): string {
    const bare = values.map((value) => value.replaceAll(/^["'v]+(?=\d)|["']+/gu, ''));
    const known = this.#named.get(bare.join('\n'));
    if (known !== undefined) return `{{${known.name}}}`;
    const kind = KINDS.find(([, shape]) => bare.every((value) => shape.test(value)))?.[0] ?? 'value';
    const count = [...this.#named.values()].filter(({ name }) => name.startsWith(kind)).length;
    const name = count === 0 ? kind : `${kind}${count + 1}`;
    this.#named.set(bare.join('\n'), { name, values: bare });
    return `{{${name}}}`;
  }

  /** Such as `version: 1, 2, 3`. */
  notes(): string[] {
    return [...this.#named.values()].map(
      ({ name, values }) => `{{${name}}} was ${[...new Set(values)].slice(-MAX_EXAMPLES).join(', ')}.`,
    );
  }
}

const MAX_EXAMPLES = 3;
