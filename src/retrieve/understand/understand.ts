import { expandTerms } from './expand.ts';
import { asksAboutThePast, guessIntent } from './intent.ts';
import { guessLanguage, guessScript } from './language.ts';
import { findNames } from './names.ts';
import { findPeople } from './people.ts';
import { findPhrases } from './phrases.ts';
import { findTimeRange } from './time/time-range.ts';
import type { FoundEntity, UnderstandContext, Understanding } from './understanding.ts';
import { foldInPlace, splitWords } from './words.ts';
import { weighTerms } from './weigh-terms.ts';

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
