import type { Picture, PictureEntity, PictureRelation } from './picture.ts';

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
