import { parseEntity } from '../../../workspace/formats/entity.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import type { EntityRecord } from './entity-record.ts';
import { tellingWords } from './names.ts';

/** Facts that say who somebody is. What they like or did says little: anybody in the sentence may like coffee. */
const TELLING_FACTS: ReadonlySet<string> = new Set([
  'employer',
  'family',
  'identity',
  'profession',
  'relation',
  'residence',
  'role',
  'school',
  'team',
  'title',
  'work',
]);

/** The words by which an entity is told from a namesake: names, properties, tags, role and work, and what it belongs to. */
export function wordsOfEntity(record: EntityRecord, text: string): ReadonlySet<string> {
  const { frontmatter, facts, relations } = parseEntity(parseDocument(text), record.path);
  const telling = facts.filter(({ isSuperseded, meta }) => {
    const about = [meta.category, meta['attribute']].map((word) => String(word).toLowerCase());
    return !isSuperseded && about.some((word) => TELLING_FACTS.has(word));
  });
  const sources = [
    record.name,
    ...record.aliases,
    ...Object.values(frontmatter.properties ?? {}).map(String),
    ...(frontmatter.tags ?? []),
    ...telling.map((fact) => fact.text),
    ...relations.filter(({ isSuperseded }) => !isSuperseded).map(({ target }) => target.replace(/^.*?--/u, '')),
  ];
  return tellingWords(sources.join(' \n '));
}
