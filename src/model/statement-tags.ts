import { contentWords, stemOf } from './content-words.ts';

const COMMON = new Set(
  'new old good bad first last next time day week month year today tomorrow yesterday morning evening people way need needs keep keeps use uses take takes wants decided agreed said before after always never every about asked user team agent monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);
const MAX_TAGS = 5;

/**
 * Two to five words a person would file it under: names and the longer content words, in the order they stand. Depends on
 * nothing but its arguments, so that files need not repeat the tags of a statement.
 */
export function tagsOf(text: string, project: string | undefined): string[] {
  const tags: string[] = project === undefined || project === '' ? [] : [toTag(project)];
  const plain = text.replaceAll(/\([^)]*\)|\[[^\]]*\]/gu, ' ');
  const words = contentWords(plain).filter((word) => /^\p{L}[\p{L}-]{3,}$/u.test(word) && !COMMON.has(word));
  const names = namesIn(plain);
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

/** Words with a capital that do not begin a sentence. */
function namesIn(text: string): ReadonlySet<string> {
  const found = text.matchAll(/(?<=[\p{L}\p{N},;)"”’] ["“‘(]?)\p{Lu}[\p{L}-]+/gu);
  return new Set([...found].map(([name]) => name.toLowerCase()));
}

function weightOf(word: string, names: ReadonlySet<string>): number {
  return Math.min(word.length, 10) + (names.has(word) ? 5 : 0) - (/(?:ing|ed|ly)$/u.test(word) ? 3 : 0);
}

function toTag(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}
