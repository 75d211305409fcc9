import type { EntityMention } from '../../../model/knowledge.ts';
import { parseEntity } from '../../../workspace/formats/entity.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { type EntityRecord, formsOf } from './entity-record.ts';
import { tellingWords } from './names.ts';
import type { Follower, TableChanges } from './record-table.ts';

/** The name of one entity, in all its forms. */
interface Names {
  readonly whole: readonly EntityMention[];
  /** Parts by their folded form: they count where nobody else has them. */
  readonly parts: ReadonlyMap<string, EntityMention>;
  /** Every folded form, parts included. */
  readonly forms: readonly string[];
}

/** Every name the shared memory knows, kept while the process lives: a write changes one entity's, not all. */
export class KnownNames implements Follower {
  readonly #byPath = new Map<string, Names>();
  #mentions: readonly EntityMention[] | undefined;

  reset(): void {
    this.#byPath.clear();
    this.#mentions = undefined;
  }

  apply({ records, gone }: TableChanges): void {
    for (const path of gone) this.#remove(path);
    for (const record of records) this.#put(record);
  }

  #put(record: EntityRecord): void {
    this.#remove(record.path);
    if (record.scope !== 'shared' || record.mergedInto !== undefined) return;
    const forms = formsOf(record).filter(({ kind }) => kind !== 'id');
    const mention = (name: string): EntityMention =>
      record.isUser ? { name, type: record.type, isUser: true } : { name, type: record.type };
    const parts = forms.filter(({ kind }) => kind === 'part');
    this.#byPath.set(record.path, {
      whole: forms.filter(({ kind }) => kind !== 'part').map(({ spelled }) => mention(spelled)),
      parts: new Map(parts.map(({ form, spelled }) => [form, mention(spelled)])),
      forms: forms.map(({ form }) => form),
    });
  }

  #remove(path: string): void {
    this.#byPath.delete(path);
    this.#mentions = undefined;
  }

  all(): readonly EntityMention[] {
    this.#mentions ??= this.#collect();
    return this.#mentions;
  }

  #collect(): EntityMention[] {
    const bearers = new Map<string, number>();
    for (const { forms } of this.#byPath.values()) {
      for (const form of forms) bearers.set(form, (bearers.get(form) ?? 0) + 1);
    }
    const mentions: EntityMention[] = [];
    for (const { whole, parts } of this.#byPath.values()) {
      mentions.push(...whole);
      for (const [form, mention] of parts) if (bearers.get(form) === 1) mentions.push(mention);
    }
    return mentions;
  }
}

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
