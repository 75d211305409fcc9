import type { EntityMention } from '../../../model/knowledge.ts';
import type { Scene } from '../kinds/finding.ts';
import { isFirstName } from './lexicon.ts';
import { RELATION_NOUN } from './people.ts';
import { ownPropertyOf, propertyOf } from './properties.ts';
import { foldWords } from '../../../model/text.ts';

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

/** A property with whom or what it is one of. */
export interface PropertyMention {
  readonly subject: EntityMention;
  readonly attribute: string;
  readonly value: string;
}

const NAMED = new Set(['residence', 'employer']);
const RELATIVE = new RegExp(`\\b${RELATION_NOUN}(?: \\p{L}+)?$`, 'iu');
/** "Ines's sister Anna" is Anna; "Ines's sister" is nobody whose name is known. */
const OF_SOMEBODY = /^.+['’]s? .*?(?<name>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*)$/u;

/**
 * The property a statement gives, in the third person or in the user's own words; `said` is empty where the words are
 * not the user's, and "I" is somebody else.
 */
export function propertyIn(statement: string, said: string, scene: Scene): PropertyMention | undefined {
  const user: EntityMention = { name: scene.user, type: 'person', isUser: true };
  const found = propertyOf(statement);
  if (found === undefined) {
    const own = ownPropertyOf(said);
    return own === undefined ? undefined : { subject: user, ...own };
  }
  const { subject: words, attribute, value } = found;
  // "in fear", "at home": a place or firm has a name, and a name begins with a capital or is one already known.
  if (NAMED.has(attribute) && !/^[\p{Lu}\d]/u.test(value)) return undefined;
  if (words.toLowerCase() === 'i') return said === '' ? undefined : { subject: user, attribute, value };
  if (words.toLowerCase() === scene.user.toLowerCase()) return { subject: user, attribute, value };
  const bearer = /['’]s? /u.test(words) ? OF_SOMEBODY.exec(words)?.groups?.['name'] : words;
  if (bearer === undefined) return undefined;
  const subject = bearer === words ? namedBy(words, scene) : { name: bearer, type: 'person' };
  if (OF_PEOPLE.has(attribute) && subject.type !== 'person') return undefined;
  return { subject, attribute, value };
}

function namedBy(words: string, scene: Scene): EntityMention {
  const key = words.toLowerCase();
  const known = scene.conversation.known?.find(({ name }) => name.toLowerCase() === key);
  if (known !== undefined) return known;
  const [first = '', ...more] = words.split(' ');
  const isPerson =
    (more.length <= 1 && (scene.people.nameOf(first) !== undefined || isFirstName(scene.lexicon, first))) ||
    RELATIVE.test(words);
  if (isPerson) return { name: words, type: 'person' };
  return { name: words, type: key === scene.conversation.project?.toLowerCase() ? 'project' : 'concept' };
}
