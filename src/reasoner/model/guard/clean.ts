import type { Certainty, EntityMention, KnowledgeKind, RelationMention } from '../../../model/knowledge.ts';
import { KNOWLEDGE_KINDS } from '../../../model/knowledge.ts';
import type { MentionedEntity, MentionedRelation } from '../schemas.ts';
import { foldWords, holdsWords } from './words.ts';

/** Bringing single values of an answer into the form the stores rely on; undefined for what cannot be. */

const MAX_NAME_CHARACTERS = 80;
const MAX_ENTITIES = 12;
const MAX_TAGS = 5;
const MAX_TAG_CHARACTERS = 30;

/** Controls, what turns the direction of writing, and what is invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu;

export function cleanLine(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim();
}

/** A line of at most so many characters; undefined when it is empty or longer. */
export function cleanUpTo(text: string, maxCharacters: number): string | undefined {
  const line = cleanLine(text);
  return line === '' || line.length > maxCharacters ? undefined : line;
}

const LEADS_OUT = /(?:^|[\\/])\.{1,2}(?:[\\/]|$)|^[\\/~]|^[a-z]:[\\/]/iu;
/** Signs that links, tags and tables are made of. */
const MARKUP = /[[\]<>|`#^{}]/gu;

/** A name that may become a file's; undefined for one that could lead out of its folder. */
export function cleanName(text: string): string | undefined {
  const name = cleanUpTo(text.replaceAll(MARKUP, ' '), MAX_NAME_CHARACTERS);
  return name === undefined || LEADS_OUT.test(name) || !/[\p{L}\p{N}]/u.test(name) ? undefined : name;
}

/** A calendar day, month or year that exists. */
export function cleanDay(text: string): string | undefined {
  const {
    year,
    month = '01',
    day = '01',
  } = /^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2}))?)?$/u.exec(text.trim())?.groups ?? {};
  if (year === undefined) return undefined;
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(`${year}-${month}-${day}`);
  return exists ? text.trim() : undefined;
}

export function cleanKind(text: string): KnowledgeKind | undefined {
  return KNOWLEDGE_KINDS.find((kind) => kind === text.trim().toLowerCase());
}

export function cleanCertainty(text: string): Certainty {
  return text === 'high' || text === 'medium' ? text : 'low';
}

/** A word of the ontology: `works-for`. */
export function cleanWord(text: string, maxCharacters = 40): string | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, '-');
  return /^[a-z][a-z0-9-]*$/u.test(word) && word.length <= maxCharacters ? word : undefined;
}

export function cleanTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) =>
    cleanLine(tag)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-'),
  );
  const trimmed = clean.map((tag) => tag.replaceAll(/^-+|-+$/gu, ''));
  return [...new Set(trimmed)].filter((tag) => tag !== '' && tag.length <= MAX_TAG_CHARACTERS).slice(0, MAX_TAGS);
}

/** The permitted sources of names: the conversation, and the memory. */
export interface NameSources {
  /** Folded. */
  readonly said: string;
  readonly known: readonly EntityMention[];
  readonly user: string | undefined;
}

const USER_WORDS: ReadonlySet<string> = new Set(['user', 'the user']);

export function cleanEntity({ name, type }: MentionedEntity, sources: NameSources): EntityMention | undefined {
  const clean = cleanName(name);
  if (clean === undefined) return undefined;
  const folded = foldWords(clean);
  if (USER_WORDS.has(folded) || (sources.user !== undefined && foldWords(sources.user) === folded)) {
    return { name: sources.user ?? 'The user', type: 'person', isUser: true };
  }
  const known = sources.known.find((entity) => foldWords(entity.name) === folded);
  if (known !== undefined) return known;
  return holdsWords(sources.said, folded) ? { name: clean, type: cleanWord(type, 30) ?? 'concept' } : undefined;
}

export function cleanEntities(entities: readonly MentionedEntity[], sources: NameSources): EntityMention[] {
  const byName = new Map<string, EntityMention>();
  for (const given of entities) {
    const entity = cleanEntity(given, sources);
    if (entity !== undefined && !byName.has(entity.name)) byName.set(entity.name, entity);
  }
  return [...byName.values()].slice(0, MAX_ENTITIES);
}

/** Only between entities that were kept. */
export function cleanRelations(
  relations: readonly MentionedRelation[],
  entities: readonly EntityMention[],
  sources: NameSources,
): RelationMention[] {
  const find = (name: string): EntityMention | undefined => {
    const entity = cleanEntity({ name, type: '' }, sources);
    return entities.find((kept) => kept.name === entity?.name);
  };
  return relations.slice(0, MAX_ENTITIES).flatMap((given) => {
    const [subject, object, relation] = [find(given.subject), find(given.object), cleanWord(given.relation)];
    if (subject === undefined || object === undefined || relation === undefined || subject === object) return [];
    return [{ subject, relation, object }];
  });
}
