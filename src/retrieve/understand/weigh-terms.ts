import { extractQueryTerms, extractTerms } from '../../search-index/text/terms.ts';
import { isFunctionWord } from './language.ts';
import type { Language, WeightedTerm } from './understanding.ts';
import type { Word } from './words.ts';

/** A pasted log has thousands of terms; those it repeats most say what it is about. */
const MAX_TERMS = 128;

/** Words that frame a question and do not say what it asks. */
const FRAMING = new Set(
  extractTerms(
    'tell know remember recall please show give find explain describe mention anything everything kind thing',
  ),
);
const FRAMING_WEIGHT = 0.5;

/** Function words of languages other than English are in the index and nearly everywhere in such texts. */
const FUNCTION_WORD_WEIGHT = 0.2;

interface MarkedSpans {
  readonly personText: readonly string[];
  readonly timeText: string;
}

export function weighTerms(
  text: string,
  words: readonly Word[],
  language: Language,
  marked: MarkedSpans,
): WeightedTerm[] {
  const counts = new Map<string, number>();
  for (const term of extractQueryTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const people = new Set(marked.personText.flatMap((name) => extractTerms(name)));
  const time = new Set(extractTerms(marked.timeText));
  const light = lightTerms(words, language);
  const hasContent = [...counts.keys()].some((term) => !light.has(term));
  const kept = [...counts].length <= MAX_TERMS ? [...counts] : mostFrequent(counts);
  return kept.map(([term]) => ({
    term,
    weight: hasContent && !people.has(term) ? (light.get(term) ?? 1) : 1,
    isPerson: people.has(term),
    isTime: time.has(term) && !people.has(term),
  }));
}

function lightTerms(words: readonly Word[], language: Language): Map<string, number> {
  const light = new Map<string, number>();
  for (const term of FRAMING) light.set(term, FRAMING_WEIGHT);
  for (const { folded } of words) {
    if (!isFunctionWord(folded, language)) continue;
    for (const term of extractTerms(folded)) light.set(term, FUNCTION_WORD_WEIGHT);
  }
  return light;
}

function mostFrequent(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_TERMS);
}
