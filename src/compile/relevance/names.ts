import { foldText, splitWords } from '../../retrieve/understand/words.ts';
import { isPublicName } from './vocabulary.ts';

/** A capital letter inside a sentence. */
const NAME = /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\p{N}]+/gu;
const ORDINARY = /(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}]+/gu;
/** A word is a name when it is written as one so much more often than not. */
const MOSTLY = 2;
const MIN_LENGTH = 3;
/** A log names everything. */
const MAX_WORDS = 60;

/**
 * Words of a message that the texts found write as names, however the message writes them: "femke" is one where
 * somebody wrote "with Femke". Names that all the world knows are left out.
 */
export function findKnownNames(message: string, texts: readonly string[]): string[] {
  const asName = new Map<string, number>();
  const asWord = new Map<string, number>();
  for (const text of texts) {
    count(asName, text.match(NAME) ?? []);
    count(asWord, text.match(ORDINARY) ?? []);
  }
  const words = new Set(
    splitWords(message)
      .slice(0, MAX_WORDS)
      .map(({ folded }) => folded),
  );
  return [...words].filter(
    (word) =>
      word.length >= MIN_LENGTH && !isPublicName(word) && (asName.get(word) ?? 0) > MOSTLY * (asWord.get(word) ?? 0),
  );
}

function count(counts: Map<string, number>, words: readonly string[]): void {
  for (const word of words) {
    const folded = foldText(word);
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
}
