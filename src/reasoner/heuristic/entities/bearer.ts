import { propertyOf } from './properties.ts';

/** Only people have these: "the sessions moved to Redis" says nothing about where anybody lives. */
export const OF_PEOPLE: ReadonlySet<string> = new Set([
  'residence',
  'employer',
  'role',
  'birthday',
  'phone',
  'email',
  'school',
]);

/**
 * What a property belongs to by the words that state it, folded. "The crane-api database listens on port 4100" stands in the
 * file of whoever said it as long as nothing has the name, and so does the port of everything else they run. Undefined for
 * what only people have: they have files of their own.
 */
export function bearerOf(statement: string, attribute: string | undefined): string | undefined {
  if (attribute === undefined || OF_PEOPLE.has(attribute)) return undefined;
  const found = propertyOf(statement);
  return found?.attribute === attribute ? foldBearer(found.subject) : undefined;
}

/** Under one form whatever article and capitals it was said with. */
export function foldBearer(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the|an?|our|my|this|that|new) (?=\S)/u, '');
}
