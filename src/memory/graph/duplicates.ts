import { setImmediate } from 'node:timers/promises';
import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import { currentFacts, type Moment } from '../stores/entities/current-facts.ts';
import type { EntityRecord } from '../stores/registry/entity-record.ts';
import { shortFormsOf } from './likeness/given-names.ts';
import { compareBearers, type Bearer, type Sameness } from './likeness/sameness.ts';
import type { Graph } from './graph.ts';
import { edgeHolds } from './triples.ts';

export interface LikelyPair extends Sameness {
  readonly a: EntityRecord;
  readonly b: EntityRecord;
}

export interface DuplicateSearch {
  readonly scope: Scope;
  readonly type?: string | undefined;
  readonly moment: Moment;
  /** Pairs of which nothing was written since this day were compared before. */
  readonly since?: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Per entity; those whose names are less alike are hardly ever one. */
const MAX_CANDIDATES = 8;
const BATCH = 100;

/** Finds possible duplicates: entities of like names, judged by names and by their statements. */
export async function findDuplicates(
  graph: Graph,
  search: DuplicateSearch,
): Promise<{ readonly pairs: readonly LikelyPair[]; readonly compared: number }> {
  const { scope, type } = search;
  const records = graph.network
    .records()
    .filter((record) => scopeCanSee(scope, record.scope) && record.mergedInto === undefined)
    .filter((record) => type === undefined || record.type === type.toLowerCase());
  const { since = '' } = search;
  const fresh = records.filter(({ created, updated = created }) => updated === undefined || updated >= since);
  const seen = new Set<string>();
  const found: LikelyPair[] = [];
  for (let start = 0; start < fresh.length; start += BATCH) {
    const likely: (readonly [EntityRecord, EntityRecord])[] = [];
    for (const record of fresh.slice(start, start + BATCH)) {
      for (const other of candidatesFor(graph, record, scope)) {
        const key = [record.path, other.path].sort().join('\n');
        if (seen.has(key) || other.scope !== record.scope) continue;
        seen.add(key);
        likely.push(record.path < other.path ? [record, other] : [other, record]);
      }
    }
    found.push(...(await judge(graph, likely, search)));
    search.onProgress?.(Math.min(start + BATCH, fresh.length), fresh.length);
    await setImmediate();
  }
  found.sort((x, y) => y.score - x.score || (x.a.path < y.a.path ? -1 : 1));
  return { pairs: found, compared: seen.size };
}

function candidatesFor(graph: Graph, record: EntityRecord, scope: Scope): EntityRecord[] {
  const paths = new Set<string>();
  for (const name of [record.name, ...record.aliases]) {
    for (const { path } of graph.findByName(name, { scope, limit: MAX_CANDIDATES })) paths.add(path);
    for (const other of otherForms(record.type, name)) {
      for (const { path } of graph.registry.sharingName(other)) paths.add(path);
    }
  }
  return [...paths]
    .filter((path) => path !== record.path)
    .flatMap((path) => graph.network.record(path) ?? [])
    .filter((other) => other.mergedInto === undefined && areComparable(record, other));
}

/** Names that share few letters: short forms of the first name, and first letters of the whole. */
function otherForms(type: string, name: string): string[] {
  const words = name.split(/[\s-]+/u);
  const letters = words.length > 1 ? [words.map((word) => word.charAt(0)).join('')] : [];
  if (type !== 'person') return letters;
  const [given = '', ...rest] = words;
  return [...letters, ...shortFormsOf(given).flatMap((form) => [form, [form, ...rest].join(' ')])];
}

/** A person is never a thing, and the user is nobody else. */
function areComparable(a: EntityRecord, b: EntityRecord): boolean {
  if (a.isUser && b.isUser) return true;
  return (a.type === 'person') === (b.type === 'person');
}

async function judge(
  graph: Graph,
  pairs: readonly (readonly [EntityRecord, EntityRecord])[],
  { moment, scope }: DuplicateSearch,
): Promise<LikelyPair[]> {
  const found: LikelyPair[] = [];
  for (const [a, b] of pairs) {
    const sameness = await compareBearers(bearerOf(graph, a, { moment, scope }), bearerOf(graph, b, { moment, scope }));
    if (sameness.verdict !== 'different') found.push({ a, b, ...sameness });
    // The model takes milliseconds and waits for nothing: without a pause no other work would get through.
    await setImmediate();
  }
  return found;
}

/** A few sentences tell somebody from a namesake; more would only dilute them. */
const MAX_FACTS = 12;

/** The scope's view of an entity: a private scope's statements about a shared one must not show in a verdict outside. */
function bearerOf(
  graph: Graph,
  record: EntityRecord,
  { moment, scope }: Pick<DuplicateSearch, 'moment' | 'scope'>,
): Bearer {
  const facts = currentFacts(graph.facts(record.path), moment).slice(0, MAX_FACTS);
  const relations = graph.network.links(record.path).flatMap(({ edge, other, direction }) => {
    const { name, scope: otherScope = 'shared' } = graph.network.record(other) ?? {};
    const stated = graph.network.record(edge.path)?.scope ?? 'shared';
    if (!scopeCanSee(scope, otherScope) || !scopeCanSee(scope, stated)) return [];
    if (name === undefined || !edgeHolds(graph.network, edge, moment)) return [];
    return [direction === 'out' ? `${edge.relation} ${name}` : `${name} ${edge.relation}`];
  });
  const properties = Object.values(record.properties).map(String);
  const context = [...facts.map(({ text }) => text), ...properties, ...relations.slice(0, MAX_FACTS)].join('. ');
  return { name: record.name, type: record.type, aliases: record.aliases, context };
}
