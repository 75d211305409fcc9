import { contentWords, stemOf } from '../text/words.ts';

const COMMON = new Set(
  'new old good bad first last next time day week month year today tomorrow yesterday morning evening people way need needs keep keeps use uses take takes wants decided agreed said before after always never every about asked user team agent monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);
const MAX_TAGS = 5;

/** Two to five words a person would file it under: the longer and rarer content words, in the order they stand. */
export function tagsOf(text: string, project: string | undefined, names: readonly string[] = []): string[] {
  const tags: string[] = project === undefined || project === '' ? [] : [toTag(project)];
  const words = contentWords(text.replaceAll(/\([^)]*\)|\[[^\]]*\]/gu, ' ')).filter(
    (word) => /^\p{L}[\p{L}-]{3,}$/u.test(word) && !COMMON.has(word),
  );
  const byWeight = [...words].sort((one, other) => weightOf(other, names) - weightOf(one, names));
  const ranked = new Set(byWeight.slice(0, MAX_TAGS));
  const seen = new Set(tags.map(stemOf));
  for (const word of words) {
    if (tags.length >= MAX_TAGS) break;
    if (!ranked.has(word) || seen.has(stemOf(word))) continue;
    seen.add(stemOf(word));
    tags.push(toTag(word));
  }
  return tags;
}

function weightOf(word: string, names: readonly string[]): number {
  const isName = names.some((name) => name.toLowerCase() === word);
  return Math.min(word.length, 10) + (isName ? 5 : 0) - (/(?:ing|ed|ly)$/u.test(word) ? 3 : 0);
}

function toTag(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}
