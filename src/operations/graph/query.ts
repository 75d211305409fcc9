import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import { canonicalRelation, type Triple } from '../../memory/graph/triples.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { fitRelation } from '../../memory/stores/entities/relation-words.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { momentOf, momentShape, nameOf, scopeField, type EntityName } from './open-graph.ts';
import { roundTo } from '../../model/text.ts';
import { judgeAnswer } from '../../retrieve/chance.ts';

const input = z.strictObject({
  text: z.string().trim().min(1).max(1000).optional().describe('A name, roughly, or what it means.'),
  by: z.enum(['name', 'meaning', 'both']).default('both'),
  type: z.string().trim().min(1).max(40).optional(),
  from: z.string().trim().min(1).optional().describe('Edges that start from this entity.'),
  relation: z.string().trim().min(1).max(80).optional().describe('Edges of this relation.'),
  to: z.string().trim().min(1).optional().describe('Edges that lead to this entity.'),
  limit: z.number().int().min(1).max(1000).default(10),
  ...momentShape,
  scope: scopeField,
});

export type GraphQueryInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export interface FoundEntity extends EntityName {
  /** From 0 to 1: how much of the name matches, or the chance that what is known of it answers. */
  readonly score: number;
  readonly by: 'name' | 'meaning';
  /** The name, or the words, it was found by. */
  readonly matched: string;
}

export interface FoundRelation {
  readonly id: string;
  readonly from: EntityName;
  readonly relation: string;
  readonly to: EntityName;
  readonly since: string | null;
  readonly until: string | null;
  readonly isInferred: boolean;
}

export interface QueryResult {
  readonly entities: readonly FoundEntity[];
  readonly relations: readonly FoundRelation[];
  readonly isCut: boolean;
  readonly notes: readonly string[];
}

export const graphQuery = defineVerb({
  name: 'graph query',
  summary: 'Find entities by name or meaning, and relations by their ends.',
  examples: ['mneme graph query "who knows about databases"', 'mneme graph query --relation works-at --to Acme'],
  input,
  effect: 'read',
  async run(context, given): Promise<QueryResult> {
    const isPattern = given.from !== undefined || given.relation !== undefined || given.to !== undefined;
    if (given.text === undefined && !isPattern) {
      throw new MnemeError('usage', 'What should be found?', {
        hint: 'Give a name or words, or --from, --relation, --to.',
      });
    }
    const { graph } = await context.parts.graph();
    const named = given.text === undefined || given.by === 'meaning' ? [] : byName(graph, given, given.text);
    const meant =
      given.text === undefined || given.by === 'name' || isCertain(named)
        ? { entities: [], notes: [] }
        : await byMeaning(context, graph, given, given.text);
    const known = new Set(named.map(({ path }) => path));
    const entities = [...named, ...meant.entities.filter(({ path }) => !known.has(path))].slice(0, given.limit);
    const { relations, isCut } = isPattern ? byPattern(context, graph, given) : { relations: [], isCut: false };
    return { entities, relations, isCut, notes: meant.notes };
  },
  http: { method: 'POST' },
  cli: {
    args: ['text...'],
    options: {
      by: { value: 'what' },
      type: { value: 'type' },
      from: { value: 'name' },
      relation: { value: 'relation' },
      to: { value: 'name' },
      at: { value: 'date' },
      knownAt: { value: 'date' },
      scope: { value: 'scope' },
    },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderQuery(view, output),
});

function byName(graph: Graph, { type, scope, limit }: Given, text: string): FoundEntity[] {
  return graph.findByName(text, { type, scope, limit }).flatMap(({ path, score, by }) => {
    const record = graph.network.record(path);
    return record === undefined
      ? []
      : [{ ...nameOf(record), score: roundTo(score, 3), by: 'name' as const, matched: by }];
  });
}

/** The name matches exactly: other meanings are not considered. */
function isCertain([first]: readonly FoundEntity[]): boolean {
  return first !== undefined && first.score === 1;
}

async function byMeaning(
  context: OperationContext,
  graph: Graph,
  { type, scope, limit }: Given,
  text: string,
): Promise<{ readonly entities: readonly FoundEntity[]; readonly notes: readonly string[] }> {
  const scopes = scope === 'shared' ? (['shared'] as const) : (['shared', scope] as const);
  // Several hits may be of one entity.
  const request = { text, filter: { scopes, stores: ['semantic'] as const }, limit: limit * 4, tokens: undefined };
  const { hits, answer, notes } = await context.search.ask({ ...request, models: 'all' });
  // Something is always nearest, also to words that nothing here is about.
  const { isAnswered, hits: chances } = judgeAnswer(text, answer);
  if (!isAnswered) return { entities: [], notes };
  const found = new Map<string, FoundEntity>();
  for (const [at, hit] of hits.entries()) {
    const record = graph.network.record(hit.path);
    if (record === undefined || found.has(hit.path) || (type !== undefined && record.type !== type.toLowerCase()))
      continue;
    found.set(hit.path, {
      ...nameOf(record),
      score: roundTo(chances[at] ?? 0, 3),
      by: 'meaning',
      matched: hit.snippet,
    });
  }
  return { entities: [...found.values()].slice(0, limit), notes };
}

function byPattern(
  context: OperationContext,
  graph: Graph,
  { from, relation, to, scope, limit, at, knownAt, type }: Given,
): { readonly relations: readonly FoundRelation[]; readonly isCut: boolean } {
  const { ontology } = graph.vocabularyFor(scope);
  const [start, end] = [from, to].map((name) => (name === undefined ? undefined : graph.get(name, { scope }).path));
  const wanted =
    relation === undefined
      ? undefined
      : canonicalRelation(ontology, fitRelation(ontology, relation, '', undefined).named);
  const isReversed = wanted?.isReversed === true;
  const isSymmetric = wanted !== undefined && ontology.relations.get(wanted.name)?.isSymmetric === true;
  const matches = (triple: Triple): boolean => {
    const fits = (first: string, second: string): boolean =>
      (start === undefined || first === start) && (end === undefined || second === end);
    const forward = isReversed ? fits(triple.to, triple.from) : fits(triple.from, triple.to);
    // Without a relation, or with one that reads both ways, an edge counts from either end.
    return forward || ((wanted === undefined || isSymmetric) && fits(triple.to, triple.from));
  };
  const found: FoundRelation[] = [];
  for (const triple of graph.triples(momentOf(context, { at, knownAt }))) {
    if ((wanted !== undefined && triple.relation !== wanted.name) || !matches(triple)) continue;
    const [first, second] = [graph.network.record(triple.from), graph.network.record(triple.to)];
    if (first === undefined || second === undefined) continue;
    if (![first, second].every((record) => scopeCanSee(scope, record.scope))) continue;
    if (type !== undefined && ![first.type, second.type].includes(type.toLowerCase())) continue;
    if (found.length >= limit) return { relations: found, isCut: true };
    const { id, meta, source } = triple.edge;
    found.push({
      id,
      from: nameOf(first),
      relation: triple.relation,
      to: nameOf(second),
      since: meta.from ?? null,
      until: meta.until ?? null,
      isInferred: source === 'inferred',
    });
  }
  return { relations: found, isCut: false };
}
