import type { z } from 'zod';
import type { entityTypeSchema, PropertyType, relationTypeSchema } from '../../model/schemas/graph.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { itemText } from './item.ts';
import { splitTrailingMetadata } from './metadata.ts';

/**
 * `relations.md`: the vocabulary of the graph. Entity types stand in the frontmatter, relations as bullets a person can
 * read: "- `part-of` / `contains` (transitive) — project → organization: one thing sits inside another". Relations in
 * the frontmatter are understood too, and count over a bullet of the same name.
 */

export interface RelationType {
  readonly name: string;
  readonly inverse: string | undefined;
  /** Entity types it may start from and lead to; empty means any. */
  readonly domain: readonly string[];
  readonly range: readonly string[];
  readonly isTransitive: boolean;
  readonly isSymmetric: boolean;
  readonly description: string;
}

export interface EntityType {
  readonly name: string;
  readonly description: string;
  /** The types of its properties; undefined for a property of any type. Empty means any property. */
  readonly properties: ReadonlyMap<string, PropertyType | undefined>;
  /** Relations it may start; empty means any. */
  readonly relations: readonly string[];
}

export interface Ontology {
  readonly entityTypes: ReadonlyMap<string, EntityType>;
  readonly relations: ReadonlyMap<string, RelationType>;
}

export function parseOntology(document: MarkdownDocument): Ontology {
  const frontmatter = readFrontmatter('relations', document.frontmatter?.values);
  const relations = new Map<string, RelationType>();
  for (const block of document.blocks) {
    const relation = block.kind === 'item' ? parseRelationBullet(itemText(block)) : undefined;
    if (relation !== undefined) relations.set(relation.name, relation);
  }
  for (const [name, stated] of Object.entries(frontmatter.relations ?? {})) {
    relations.set(name, { ...(relations.get(name) ?? anyRelation(name)), ...statedRelation(stated) });
  }
  addInverses(relations);
  const types = Object.entries(frontmatter.entity_types ?? {});
  return {
    relations,
    entityTypes: new Map(types.map(([name, stated]) => [name.toLowerCase(), entityType(name, stated)])),
  };
}

function anyRelation(name: string): RelationType {
  return { name, inverse: undefined, domain: [], range: [], isTransitive: false, isSymmetric: false, description: '' };
}

function statedRelation(stated: z.infer<typeof relationTypeSchema>): Partial<RelationType> {
  return {
    ...(stated.inverse === undefined ? {} : { inverse: stated.inverse }),
    ...(stated.domain === undefined ? {} : { domain: stated.domain.map((type) => type.toLowerCase()) }),
    ...(stated.range === undefined ? {} : { range: stated.range.map((type) => type.toLowerCase()) }),
    ...(stated.transitive === undefined ? {} : { isTransitive: stated.transitive }),
    ...(stated.symmetric === undefined ? {} : { isSymmetric: stated.symmetric }),
    ...(stated.description === undefined ? {} : { description: stated.description }),
  };
}

function entityType(name: string, stated: z.infer<typeof entityTypeSchema>): EntityType {
  const properties: [string, PropertyType | undefined][] = Array.isArray(stated.properties)
    ? stated.properties.map((property) => [property, undefined])
    : Object.entries(stated.properties ?? {});
  return {
    name: name.toLowerCase(),
    description: stated.description ?? '',
    properties: new Map(properties),
    relations: stated.relations ?? [],
  };
}

const BULLET = /^`([^`]+)`(?:\s*\/\s*`([^`]+)`)?(?:\s*\(([^)]*)\))?(?:\s*[—–-]\s*([\s\S]*))?$/u;
const ENDS = /^([^:→↔]*)[→↔]([^:]*)(?::\s*([\s\S]*))?$/u;

function parseRelationBullet(text: string): RelationType | undefined {
  const match = BULLET.exec(splitTrailingMetadata(text).text.trim());
  if (match === null) return undefined;
  const [, name = '', inverse, flags = '', rest = ''] = match;
  const ends = ENDS.exec(rest);
  return {
    name,
    inverse,
    domain: parseTypes(ends?.[1]),
    range: parseTypes(ends?.[2]),
    isTransitive: /\btransitive\b/iu.test(flags),
    isSymmetric: /\bsymmetric\b/iu.test(flags),
    description: (ends === null ? rest : (ends[3] ?? '')).trim(),
  };
}

function parseTypes(list: string | undefined): string[] {
  const names = (list ?? '').split(/[,/|]|\bor\b/u).map((name) => name.trim().toLowerCase());
  return names.includes('any') ? [] : names.filter((name) => name !== '');
}

/** `used-by` exists because `uses` says so: it is the same edge read from its other end. */
function addInverses(relations: Map<string, RelationType>): void {
  for (const relation of relations.values()) {
    const { inverse } = relation;
    if (inverse === undefined || relations.has(inverse)) continue;
    relations.set(inverse, {
      ...relation,
      name: inverse,
      inverse: relation.name,
      domain: relation.range,
      range: relation.domain,
    });
  }
}

/** Why an edge does not fit the ontology, as a sentence; undefined when it does. */
export function relationProblem(
  ontology: Ontology,
  relation: string,
  fromType: string,
  toType: string | undefined,
): string | undefined {
  const known = ontology.relations.get(relation);
  if (known === undefined) return `relations.md does not define "${relation}".`;
  const starts = ontology.entityTypes.get(fromType)?.relations ?? [];
  if (starts.length > 0 && !starts.includes(relation)) return `A ${fromType} does not have the relation "${relation}".`;
  if (!allows(known.domain, fromType))
    return `"${relation}" starts from ${known.domain.join(' or ')}, not from ${fromType}.`;
  if (toType !== undefined && !allows(known.range, toType)) {
    return `"${relation}" leads to ${known.range.join(' or ')}, not to ${toType}.`;
  }
  return undefined;
}

export function allows(types: readonly string[], type: string): boolean {
  return types.length === 0 || types.includes(type);
}

/** Lists the problems of an entity's properties, one sentence each. */
export function propertyProblems(
  ontology: Ontology,
  type: string,
  properties: Readonly<Record<string, unknown>>,
): string[] {
  const known = ontology.entityTypes.get(type.toLowerCase());
  if (known === undefined || known.properties.size === 0) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    if (!known.properties.has(name)) return [`A ${type} has no property "${name}".`];
    const wanted = known.properties.get(name);
    return wanted === undefined || fits(value, wanted)
      ? []
      : [`The property "${name}" of a ${type} must be a ${wanted}.`];
  });
}

function fits(value: unknown, wanted: PropertyType): boolean {
  switch (wanted) {
    case 'text':
      return typeof value === 'string' || typeof value === 'number';
    case 'number':
      return typeof value === 'number';
    case 'date':
      return /^\d{4}(?:-\d{2}){0,2}(?:T|$)/u.test(String(value));
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'link':
      return /^(?:\[\[)?[^\s[\]]+--[^\s[\]]+(?:\]\])?$/u.test(String(value));
  }
}
