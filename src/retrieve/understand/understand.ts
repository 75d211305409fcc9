import { extractQueryTerms, extractTerms } from '../../search-index/text/terms.ts';
import { expandTerms } from './expand.ts';
import { asksAboutThePast, guessIntent } from './intent.ts';
import { guessLanguage, guessScript, isFunctionWord } from './language.ts';
import { findNames, findPeople } from './names.ts';
import { findTimeRange } from './time/time-range.ts';
import type { FoundEntity, Language, UnderstandContext, Understanding, WeightedTerm } from './understanding.ts';
import { type Word, findPhrases, foldInPlace, splitWords } from './words.ts';

/** Names, times and intent stand near the beginning; the rest of a pasted log is only searched for its words. */
const MAX_PARSED_LENGTH = 4096;
const MAX_SEARCHED_LENGTH = 16_384;
const MAX_ENTITIES = 32;
const CONFIDENCE_LOST_PER_EDIT = 0.3;

/**
 * Analyses a question, by its words alone. Asynchronous only because the date parser is loaded when a question
 * first seems to name a time.
 */
export async function understandQuery(text: string, context: UnderstandContext): Promise<Understanding> {
  const question = cut(text, MAX_PARSED_LENGTH).normalize('NFKC');
  const words = splitWords(question);
  const folded = foldInPlace(question);
  const language = guessLanguage(question, words);
  const people = findPeople(context.speakers, question, words);
  const timeRange = await findTimeRange(question, { ...context, language, people: people.places });
  const intent = guessIntent(folded);
  const entities = findEntities(question, words, context);
  const terms = weighTerms(cut(text, MAX_SEARCHED_LENGTH), words, language, {
    personText: people.places.map(({ start, end }) => question.slice(start, end)),
    timeText: timeRange?.phrase ?? '',
  });
  return {
    intent,
    isAboutThePast: asksAboutThePast(folded, intent, timeRange, context.nowMs),
    timeRange,
    people: people.speakers,
    entities,
    phrases: findPhrases(question),
    terms,
    expansions: expandTerms(terms, entities, context.aliases),
    language,
    script: guessScript(question),
  };
}

function findEntities(
  question: string,
  words: ReturnType<typeof splitWords>,
  { aliases }: UnderstandContext,
): FoundEntity[] {
  const byId = new Map<string, FoundEntity>();
  for (const { ids, start, end, edits } of findNames(aliases, question, words)) {
    const confidence = 1 - CONFIDENCE_LOST_PER_EDIT * edits;
    for (const id of ids) {
      if (confidence > (byId.get(id)?.confidence ?? 0))
        byId.set(id, { id, phrase: question.slice(start, end), confidence });
    }
  }
  return [...byId.values()].slice(0, MAX_ENTITIES);
}

/** Never between the two halves of a character. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? maxLength - 1 : maxLength);
}

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

function weighTerms(text: string, words: readonly Word[], language: Language, marked: MarkedSpans): WeightedTerm[] {
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
