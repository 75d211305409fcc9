import { foldWords } from '../text/words.ts';
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

/** Words for the subject of a page that do not name it. */
const ANYTHING = /^(?:user|service|server|app|application|project|product|system|site|team|company|it)$/u;

/**
 * The owner of a property by the words that state it, folded, where that is not the subject of the page. "The crane-api
 * database listens on port 4100" stands in the file of whoever said it as long as nothing has the name, and so does the port of
 * everything else they run. Undefined for what only people have: they have files of their own.
 */
export function bearerBeside(
  names: readonly string[],
  statement: string,
  attribute: string | undefined,
): string | undefined {
  if (attribute === undefined || OF_PEOPLE.has(attribute)) return undefined;
  const found = propertyOf(statement);
  const bearer = found?.attribute === attribute ? foldBearer(found.subject) : undefined;
  return bearer === undefined || ANYTHING.test(bearer) || names.some((name) => isNamed(bearer, name))
    ? undefined
    : bearer;
}

/** "Marta" on the page of Marta Silva, "Ines's sister Anna" on Anna's. */
function isNamed(bearer: string, name: string): boolean {
  const folded = foldBearer(name);
  return bearer === folded || bearer.endsWith(` ${folded}`) || folded.split(' ').includes(bearer);
}

/** Under one form whatever article and capitals it was said with. */
export function foldBearer(words: string): string {
  return foldWords(words)
    .replace(/^(?:the|our|my) (?=\S)/u, '')
    .replace(/ s$/u, '');
}
