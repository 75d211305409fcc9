import type { CallToolResult } from '@modelcontextprotocol/client';

export type Call = readonly [tool: string, args: Record<string, unknown>];

const zoe = { name: 'Zoe', entityType: 'person', observations: ['Likes tea', 'Lives in Bern'] };
const orbit = { name: 'Orbit', entityType: 'project', observations: [] };
const shop = { name: 'Web Shop', entityType: 'customer_account', observations: ['First line\nsecond line'] };
const relations = [
  { from: 'Zoe', to: 'Orbit', relationType: 'works_on' },
  { from: 'Zoe', to: 'Orbit', relationType: 'maintains' },
  { from: 'Orbit', to: 'Web Shop', relationType: 'runs in' },
];

const rust = {
  name: 'Rust',
  entityType: 'programming language',
  observations: ['  Has <b>marks</b> | and "quotes"  ', 'Has'],
};
const spellings = [
  { from: 'Orbit', to: 'Rust', relationType: 'USES' },
  { from: 'Orbit', to: 'Rust', relationType: 'uses' },
  { from: 'Orbit', to: 'Rust', relationType: 'written, mostly, in' },
];

/** Calls as clients of that server make them: everything it has, twice, with names it does not know, and with what was taken away. */
export const CALLS: readonly Call[] = [
  ['read_graph', {}],
  ['create_entities', { entities: [zoe, orbit, shop] }],
  ['create_entities', { entities: [zoe] }],
  ['create_relations', { relations }],
  ['create_relations', { relations: [relations[0]] }],
  ['add_observations', { observations: [{ entityName: 'Orbit', contents: ['Is written in Rust', 'Is fast'] }] }],
  ['add_observations', { observations: [{ entityName: 'Orbit', contents: ['Is fast'] }] }],
  [
    'add_observations',
    {
      observations: [
        { entityName: 'Orbit', contents: ['Never written'] },
        { entityName: 'Nobody', contents: ['x'] },
      ],
    },
  ],
  ['read_graph', {}],
  ['search_nodes', { query: 'rust' }],
  ['search_nodes', { query: 'nothing like this' }],
  ['open_nodes', { names: ['Zoe'] }],
  ['open_nodes', { names: ['Nobody'] }],
  ['delete_observations', { deletions: [{ entityName: 'Zoe', observations: ['Likes tea', 'Never said'] }] }],
  ['delete_relations', { relations: [relations[1]] }],
  ['read_graph', {}],
  ['delete_entities', { entityNames: ['Web Shop', 'Nobody'] }],
  ['read_graph', {}],
  ['create_entities', { entities: [] }],
  ['create_entities', { entities: [rust] }],
  ['create_relations', { relations: spellings }],
  ['create_relations', { relations: [spellings[1]] }],
  ['open_nodes', { names: ['Rust', 'Zoe'] }],
  ['open_nodes', { names: [] }],
  ['search_nodes', { query: 'PROGRAMMING' }],
  ['search_nodes', { query: 'es lan' }],
  ['search_nodes', { query: 'zzqqxx' }],
  ['delete_relations', { relations: [{ ...spellings[0], relationType: 'never said' }] }],
  ['delete_relations', { relations: [spellings[0]] }],
  ['read_graph', {}],
];

/**
 * All that a client reads. Entities and relations are compared without their order, because pages are dated to the second; observations
 * with it. The notice that remembered words are no instructions is ours, and stays.
 */
export function readAnswer(result: CallToolResult): unknown {
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  const structured = { ...(result.structuredContent as Record<string, unknown>) };
  delete structured['notice'];
  const read: unknown = /^[[{]/u.test(text) ? sorted(JSON.parse(text)) : text;
  return { isError: result.isError === true, text: read, structured: sorted(structured) };
}

/** Lists of objects have no order; lists of texts have one. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    if (items.every((item) => typeof item === 'string')) return items;
    return items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
