import { isCommonWord } from './common-words.ts';
import { findNames, type FoundName, type SpeakerTable } from './names.ts';
import { startsSentence, type Word } from './words.ts';

/** The most people a question is expected to name. */
const MAX_PEOPLE = 16;

interface NamedPeople {
  readonly speakers: readonly string[];
  readonly places: readonly FoundName[];
}

/** Speakers named in the question. "Will the build pass?" does not name Will; "Did Will pass?" does. */
export function findPeople(table: SpeakerTable, text: string, words: readonly Word[]): NamedPeople {
  const places = findNames(table, text, words).filter((place) => !isOrdinaryUse(text, place));
  const speakers = [...new Set(places.flatMap(({ ids }) => ids))].slice(0, MAX_PEOPLE);
  return { speakers, places };
}

function isOrdinaryUse(text: string, { start, end }: FoundName): boolean {
  const written = text.slice(start, end);
  if (!isCommonWord(written.toLowerCase()) || /^['’]s\b/u.test(text.slice(end))) return false;
  return startsSentence(text, start) && written.length < text.trim().length;
}
