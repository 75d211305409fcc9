import type { Scope } from '../../model/provenance.ts';

/** A part of the graph, as exporters take it. */
export interface Picture {
  readonly entities: readonly PictureEntity[];
  readonly relations: readonly PictureRelation[];
}

export interface PictureEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly status: string | undefined;
  readonly scope: Scope;
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** The current facts, in words. */
  readonly facts: readonly string[];
}

export interface PictureRelation {
  readonly id: string;
  /** Ids of the entities. */
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly isInferred: boolean;
}

export const EXPORT_FORMATS = ['mermaid', 'dot', 'graphml', 'json-ld'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Graphviz. */
export function toDot({ entities, relations }: Picture): string {
  const nodes = entities.map(
    ({ id, name, type }) => `  ${quoted(id)} [label=${quoted(`${name}\n(${type})`)}, class=${quoted(type)}];`,
  );
  const edges = relations.map(
    ({ from, to, relation, isInferred }) =>
      `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(relation)}${isInferred ? ', style=dashed' : ''}];`,
  );
  return `${['digraph memory {', '  rankdir=LR;', '  node [shape=box];', ...nodes, ...edges, '}'].join('\n')}\n`;
}

function quoted(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}]/gu, (letter) => (letter === '\n' ? '\n' : ' '));
  return `"${clean
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`;
}

/** A Mermaid flow chart: Obsidian and most forges draw it as it stands. */
export function toMermaid({ entities, relations }: Picture): string {
  const names = new Map(entities.map(({ id }, index) => [id, `n${index + 1}`]));
  const nodes = entities.map(
    ({ id, name, type }) => `  ${names.get(id)}["${label(name)}<br/><small>${label(type)}</small>"]`,
  );
  const edges = relations.map(({ from, to, relation, isInferred }) => {
    const arrow = isInferred ? `-. "${label(relation)}" .->` : `-- "${label(relation)}" -->`;
    return `  ${names.get(from)} ${arrow} ${names.get(to)}`;
  });
  return `${['graph LR', ...nodes, ...edges].join('\n')}\n`;
}

/** Quotes and everything that Mermaid or HTML would take for syntax, as character references. */
function label(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,:_\-/]/gu, (letter) => `#${letter.codePointAt(0)};`);
}

const NODE_KEYS = ['name', 'type', 'aliases', 'status', 'scope', 'path', 'facts'] as const;
const EDGE_KEYS = ['relation', 'since', 'until', 'inferred'] as const;

/** GraphML, which Gephi, yEd and most graph libraries read. */
export function toGraphml({ entities, relations }: Picture): string {
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...NODE_KEYS.map((key) => `  <key id="${key}" for="node" attr.name="${key}" attr.type="string"/>`),
    ...EDGE_KEYS.map((key) => `  <key id="${key}" for="edge" attr.name="${key}" attr.type="string"/>`),
    '  <graph id="memory" edgedefault="directed">',
    ...entities.flatMap(nodeLines),
    ...relations.flatMap(edgeLines),
    '  </graph>',
    '</graphml>',
  ].join('\n')}\n`;
}

function nodeLines(entity: PictureEntity): string[] {
  const values: Record<(typeof NODE_KEYS)[number], string | undefined> = {
    name: entity.name,
    type: entity.type,
    aliases: entity.aliases.join('; '),
    status: entity.status,
    scope: entity.scope,
    path: entity.path,
    facts: entity.facts.join('\n'),
  };
  return [`    <node id="${escaped(entity.id)}">`, ...dataLines(values), '    </node>'];
}

function edgeLines({ from, to, relation, since, until, isInferred }: PictureRelation, index: number): string[] {
  const values = { relation, since, until, inferred: isInferred ? 'true' : undefined };
  return [
    `    <edge id="e${index + 1}" source="${escaped(from)}" target="${escaped(to)}">`,
    ...dataLines(values),
    '    </edge>',
  ];
}

function dataLines(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`      <data key="${key}">${escaped(value)}</data>`],
  );
}

/** Control characters have no place in XML, not even escaped. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Types that schema.org has a word for. */
const SCHEMA_TYPES: Readonly<Record<string, string>> = {
  person: 'Person',
  organization: 'Organization',
  project: 'Project',
  place: 'Place',
  tool: 'SoftwareApplication',
  service: 'Service',
  concept: 'DefinedTerm',
  event: 'Event',
  document: 'CreativeWork',
};

const ENTITY = 'urn:mneme:entity:';

/**
 * JSON-LD: names and types in schema.org's words, relations and properties in this home's own. What is known of a relation
 * itself – since when, whether inferred – stands in a statement about it: at its end it would be said of the other entity.
 */
export function toJsonLd({ entities, relations }: Picture): string {
  const outgoing = new Map<string, Map<string, object[]>>();
  for (const { from, to, relation } of relations) {
    const own = outgoing.get(from) ?? new Map<string, object[]>();
    outgoing.set(from, own);
    const key = `rel:${encodeURIComponent(relation)}`;
    own.set(key, [...(own.get(key) ?? []), { '@id': iri(to) }]);
  }
  const graph = entities.map((entity) => ({
    ...describe(entity),
    ...Object.fromEntries(outgoing.get(entity.id) ?? []),
  }));
  const statements = relations.flatMap((relation) => aboutRelation(relation) ?? []);
  return `${JSON.stringify({ '@context': CONTEXT, '@graph': [...graph, ...statements] }, null, 2)}\n`;
}

const CONTEXT = {
  '@vocab': 'https://schema.org/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rel: 'urn:mneme:relation:',
  property: 'urn:mneme:property:',
};

function aboutRelation({ id, from, to, relation, since, until, isInferred }: PictureRelation): object | undefined {
  if (since === undefined && until === undefined && !isInferred) return undefined;
  return {
    '@id': `urn:mneme:item:${encodeURIComponent(id)}`,
    '@type': 'rdf:Statement',
    'rdf:subject': { '@id': iri(from) },
    'rdf:predicate': { '@id': `rel:${encodeURIComponent(relation)}` },
    'rdf:object': { '@id': iri(to) },
    ...(since === undefined ? {} : { startDate: since }),
    ...(until === undefined ? {} : { endDate: until }),
    ...(isInferred ? { 'property:inferred': true } : {}),
  };
}

function describe(entity: PictureEntity): Record<string, unknown> {
  const { id, type, name, aliases, status, facts, created, updated, properties } = entity;
  const own = Object.entries(properties).map(([key, value]) => [`property:${encodeURIComponent(key)}`, value] as const);
  return {
    '@id': iri(id),
    '@type': (Object.hasOwn(SCHEMA_TYPES, type) ? SCHEMA_TYPES[type] : undefined) ?? 'Thing',
    name,
    ...(aliases.length === 0 ? {} : { alternateName: aliases }),
    ...(status === undefined ? {} : { 'property:status': status }),
    ...(facts.length === 0 ? {} : { description: facts.join(' ') }),
    ...(created === undefined ? {} : { dateCreated: created }),
    ...(updated === undefined ? {} : { dateModified: updated }),
    ...Object.fromEntries(own),
  };
}

function iri(id: string): string {
  return ENTITY + encodeURIComponent(id);
}
