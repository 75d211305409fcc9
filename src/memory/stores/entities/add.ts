import { MnemeError } from '../../../model/errors.ts';
import { scopeFolder, type Scope } from '../../../model/provenance.ts';
import type { EntityFrontmatter } from '../../../model/schemas/graph.ts';
import { entityId, newEntityFile } from '../../../workspace/formats/entity.ts';
import { appendInOrder, findSection, sectionsOf, textOf } from '../../../workspace/formats/sections.ts';
import { ENTITY_SECTIONS } from '../../../workspace/formats/entity.ts';
import { type MarkdownDocument, parseDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { type Plan, type StoreParts, Told, editText, findDamage, refuseDamaged, timestamp } from '../plan.ts';
import { readRecord, USER_TAG, type EntityRecord } from '../registry/entity-record.ts';
import { foldName } from '../registry/names.ts';
import type { EntityRegistry } from '../registry/registry.ts';
import { changeEntity, type EntityRef } from './entity-edit.ts';
import { oneLine } from '../../../model/text.ts';

export interface NewEntity {
  readonly type: string;
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  readonly status?: EntityFrontmatter['status'];
  readonly confidence?: EntityFrontmatter['confidence'];
  readonly properties?: Readonly<Record<string, FrontmatterValue>> | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly summary?: string | undefined;
  readonly scope?: Scope | undefined;
  /** The person whose memory this is. */
  readonly isUser?: boolean | undefined;
  /** True for a different entity than the one that has this name already. */
  readonly isDistinct?: boolean | undefined;
}

export interface EntityAdded {
  readonly outcome: 'added' | 'merged' | 'present';
}

export interface EntityPlan extends Plan<EntityAdded> {
  /** To plan further changes with, in the same group. */
  readonly entity: EntityRecord;
}

/** Longer than any name; what goes beyond it is a sentence that was taken for one. */
const MAX_NAME_CHARS = 300;
const MAX_NAMESAKES = 99;

/**
 * A file for somebody or something new. Two processes that add the same at once make one file: the second finds the
 * first's under the lock and adds what it lacks. Nothing that stands there is overwritten.
 */
export function planAdd(parts: StoreParts, registry: EntityRegistry, given: NewEntity): EntityPlan {
  const entity = { ...given, name: cleanName(given.name), type: oneLine(given.type).toLowerCase() || 'thing' };
  const { path, id, known } = findPlace(registry, entity);
  refuseDamaged(path, known?.damage);
  const told = new Told<EntityAdded>();
  const frontmatter = frontmatterOf(entity, id, timestamp(parts));
  const edit = (current: string | undefined): string => {
    if (current === undefined) {
      told.set({ outcome: 'added' });
      return newEntityFile(frontmatter, entity.summary ?? '');
    }
    refuseOther(path, current, entity);
    const text = editText(path, current, timestamp(parts), (document) => fillIn(document, entity));
    told.set({ outcome: text === current ? 'present' : 'merged' });
    return text;
  };
  const record = known ?? readRecord(path, newEntityFile(frontmatter, ''));
  return { changes: [{ path, edit }], notes: [], outcome: () => told.get(), entity: record };
}

export function cleanName(name: string): string {
  const clean = oneLine(name.toWellFormed().replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' '));
  if (clean === '') throw new MnemeError('usage', 'An entity needs a name.');
  if (clean.length > MAX_NAME_CHARS) {
    throw new MnemeError('usage', `"${clean.slice(0, 60)}…" is too long for a name (${MAX_NAME_CHARS} characters).`);
  }
  return clean;
}

/** Its own file if there is one, else a file name nobody else with such a name has. */
function findPlace(
  registry: EntityRegistry,
  entity: NewEntity,
): { readonly path: string; readonly id: string; readonly known: EntityRecord | undefined } {
  const { name, type, scope = 'shared', isDistinct = false } = entity;
  const namesakes = isDistinct ? [] : registry.sharingName(name);
  const [known, ...more] = namesakes.filter((record) => record.type === type && record.scope === scope);
  // Under whatever file name: a person may have called it otherwise, or renamed them since.
  if (known !== undefined && more.length === 0) return { path: known.path, id: known.id, known };
  const base = entityId(type, name);
  const folder = `${scopeFolder(scope)}memory/graph/entities/`;
  for (let count = 1; count <= MAX_NAMESAKES; count += 1) {
    const id = count === 1 ? base : `${base}-${count}`;
    const path = `${folder}${id}.md`;
    const there = registry.findByPath(path);
    if (there === undefined || (!isDistinct && isCalled(there, name))) return { path, id, known: there };
  }
  throw new MnemeError('refused', `There are ${MAX_NAMESAKES} files for ${base} already.`, {
    hint: 'Give it a name that tells it from the others.',
  });
}

function isCalled(record: Pick<EntityRecord, 'name' | 'aliases' | 'id'>, name: string): boolean {
  const form = foldName(name);
  return [record.name, record.id, ...record.aliases].some((known) => foldName(known) === form);
}

/** Fails when the file was created for another entity after planning. */
function refuseOther(path: string, current: string, entity: NewEntity): void {
  const there = readRecord(path, current);
  refuseDamaged(path, findDamage(current, parseDocument(current).frontmatter));
  if (entity.isDistinct !== true && isCalled(there, entity.name)) return;
  throw new MnemeError('conflict', `${path} was made meanwhile, for ${there.name}.`, {
    hint: 'Plan it again: it will get a file name of its own.',
  });
}

function frontmatterOf(entity: NewEntity, id: string, now: string): EntityFrontmatter & { readonly name: string } {
  const tags = tagsOf(entity);
  return {
    id,
    type: entity.type,
    name: entity.name,
    aliases: newAliases(entity.name, [], entity.aliases ?? []),
    ...(entity.status === undefined ? {} : { status: entity.status }),
    ...(entity.confidence === undefined ? {} : { confidence: entity.confidence }),
    ...(entity.properties === undefined ? {} : { properties: { ...entity.properties } }),
    ...(tags.length === 0 ? {} : { tags }),
    created: now,
    updated: now,
  };
}

function tagsOf({ tags = [], isUser }: NewEntity): string[] {
  return [...new Set(isUser === true ? [...tags, USER_TAG] : tags)];
}

/** Adds what the file does not say; what it says stays. */
function fillIn(document: MarkdownDocument, entity: NewEntity): MarkdownDocument {
  const values = document.frontmatter?.values ?? {};
  let filled = addAliases(document, entity.name, entity.aliases ?? []);
  const tags = textsOf(values['tags']);
  const newTags = tagsOf(entity).filter((tag) => !tags.includes(tag));
  if (newTags.length > 0) filled = setFrontmatterValue(filled, 'tags', [...tags, ...newTags]);
  if (entity.status !== undefined && values['status'] === undefined) {
    filled = setFrontmatterValue(filled, 'status', entity.status);
  }
  const properties = (values['properties'] ?? {}) as Readonly<Record<string, FrontmatterValue>>;
  const missing = Object.entries(entity.properties ?? {}).filter(([name]) => !Object.hasOwn(properties, name));
  if (missing.length > 0) {
    filled = setFrontmatterValue(filled, 'properties', { ...properties, ...Object.fromEntries(missing) });
  }
  return addSummary(filled, entity.summary ?? '');
}

function addSummary(document: MarkdownDocument, summary: string): MarkdownDocument {
  const section = findSection(sectionsOf(document), 'Summary');
  if (summary.trim() === '' || (section !== undefined && textOf(section.blocks) !== '')) return document;
  return appendInOrder(document, 'Summary', ENTITY_SECTIONS, oneLine(summary));
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function newAliases(name: string, known: readonly string[], given: readonly string[]): string[] {
  const seen = new Set([name, ...known].map(foldName));
  return given
    .map((alias) => oneLine(alias.toWellFormed()))
    .filter((alias) => {
      const form = foldName(alias);
      const isNew = form !== '' && !seen.has(form) && alias.length <= MAX_NAME_CHARS;
      seen.add(form);
      return isNew;
    });
}

export function addAliases(document: MarkdownDocument, calledSo: string, given: readonly string[]): MarkdownDocument {
  const values = document.frontmatter?.values ?? {};
  const known = textsOf(values['aliases']);
  const name = textsOf(values['name'])[0] ?? calledSo;
  const added = newAliases(name, known, given);
  return added.length === 0 ? document : setFrontmatterValue(document, 'aliases', [...known, ...added]);
}

/** Another name for somebody. Names that others have too are kept and told: from now on they mean two. */
export function planAlias(parts: StoreParts, registry: EntityRegistry, entity: EntityRef, alias: string): Plan {
  const name = cleanName(alias);
  const others = registry.sharingName(name).filter(({ path }) => path !== entity.path);
  const notes = others.map((other) => `${other.name} (${other.id}) is called "${name}" too.`);
  const change = changeEntity(parts, entity, (document) => addAliases(document, entity.name, [name]));
  return { changes: [change], notes, outcome: () => undefined };
}
