import { extractTerms, splitWords } from '../../search-index/text/terms.ts';
import { STOP_WORDS } from '../../search-index/text/terms.ts';
import type { IndexView } from '../../search-index/port.ts';
import type { Expansion, Understanding } from './understanding.ts';

/** One letter begins everything. */
const MIN_LETTERS = 2;
/** Further words that begin alike count too, but less than the most used one. */
const MAX_COMPLETIONS = 6;
const OTHER_WEIGHT = 0.5;
/** "stagi" begins no stem, since "staging" is indexed as "stage": half-typed endings are taken off. */
const ENDINGS = ['ing', 'ied', 'ies', 'ed', 'es', 'er', 'ation', 'ment', 'ness', 'ity', 'ly'];

export interface Completed {
  readonly understanding: Understanding;
  /** The question without its unfinished word, whose letters mean nothing to a model; undefined where nothing was completed. */
  readonly finished: string | undefined;
}

/** Puts the words that begin like the last one in its place where no passage has that: the user is still typing. */
export async function completeLastWord(
  text: string,
  understanding: Understanding,
  view: Pick<IndexView, 'completeTerm'>,
): Promise<Completed> {
  const unchanged = { understanding, finished: undefined };
  const word = /[\p{L}\p{N}_]+$/u.exec(text)?.[0] ?? '';
  const letters = splitWords(word).at(-1)?.toLowerCase() ?? '';
  const [term] = extractTerms(letters);
  if (term === undefined || letters.length < MIN_LETTERS || STOP_WORDS.has(letters)) return unchanged;
  const [best, ...others] = await findCompletions(letters, term, view);
  if (best === undefined || best === term) return unchanged;
  const without = understanding.terms.filter((one) => one.term !== term && one.term !== best);
  const completed = { term: best, weight: 1, isPerson: false, isTime: false };
  const further = others.map((other): Expansion => ({
    term: other,
    weight: OTHER_WEIGHT,
    of: best,
    reason: 'beginning',
  }));
  const kept = understanding.expansions.filter(({ of }) => of !== term);
  return {
    understanding: { ...understanding, terms: [...without, completed], expansions: [...further, ...kept] },
    finished: text.slice(0, text.length - word.length).trim(),
  };
}

/** The term itself where a passage has it; otherwise the terms that begin like it. */
async function findCompletions(
  letters: string,
  term: string,
  view: Pick<IndexView, 'completeTerm'>,
): Promise<readonly string[]> {
  if (await isUsed(term, view)) return [term];
  const found = await view.completeTerm(letters, MAX_COMPLETIONS);
  if (found.length > 0) return found;
  for (let length = letters.length - 1; length > MIN_LETTERS; length -= 1) {
    if (!ENDINGS.some((ending) => ending.startsWith(letters.slice(length)))) continue;
    const stems = await view.completeTerm(letters.slice(0, length), MAX_COMPLETIONS);
    // A stem may end in one letter that its forms do not have; a longer word is another one.
    const stem = stems.find((one) => one.length <= length + 1);
    if (stem !== undefined) return [stem];
  }
  return [];
}

async function isUsed(term: string, view: Pick<IndexView, 'completeTerm'>): Promise<boolean> {
  return (await view.completeTerm(term, Infinity)).includes(term);
}
