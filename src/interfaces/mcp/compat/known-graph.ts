import { quoteText } from '../../../compile/fence.ts';
import { isMnemeError } from '../../../model/errors.ts';
import { graphList } from '../../../operations/graph/list.ts';
import type { EntityName } from '../../../operations/graph/open-graph.ts';
import { graphQuery } from '../../../operations/graph/query.ts';
import { graphShow, type ShownEntity, type ShownFact, type ShownRelation } from '../../../operations/graph/show.ts';
import { runOperation } from '../../../operations/operation.ts';
import { scopeFor } from '../access.ts';
import { compareTexts, oneLine } from '../../../model/text.ts';
import type { ToolCall } from '../tool.ts';

/** As server-memory shows it. */
export interface KnownEntity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

export interface KnownRelation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

export interface KnownGraph {
  readonly entities: readonly KnownEntity[];
  readonly relations: readonly KnownRelation[];
}

/** A whole graph is put into one answer: beyond this nobody could read it, and `search_nodes` is the way. */
const MAX_ENTITIES = 2000;
const MAX_FOUND = 50;
/** Clients take an empty answer for "unknown", so what answers less likely than not is left out. */
const LIKELY = 0.5;

export async function readWholeGraph(call: ToolCall): Promise<KnownGraph> {
  const list = await runOperation(graphList, call.context, {
    limit: MAX_ENTITIES,
    scope: scopeFor(call.access, undefined),
  });
  return showGraph(call, list.entities);
}

/** Finds entities that contain the words, as the other server does; those that mean the same only where none does. */
export async function searchGraph(call: ToolCall, text: string): Promise<KnownGraph> {
  const scope = scopeFor(call.access, undefined);
  const words = text.toLowerCase();
  const whole = await readWholeGraph(call);
  const holding = whole.entities.filter(({ name, entityType, observations }) =>
    [name, entityType, ...observations].some((said) => said.toLowerCase().includes(words)),
  );
  if (holding.length > 0 || words.trim() === '') {
    const names = new Set(holding.map(({ name }) => name));
    return { entities: holding, relations: whole.relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
  }
  const { entities } = await runOperation(graphQuery, call.context, { text, limit: MAX_FOUND, scope });
  return showGraph(
    call,
    entities.filter(({ score }) => score >= LIKELY),
  );
}

export async function openGraphNodes(call: ToolCall, names: readonly string[]): Promise<KnownGraph> {
  const found = await Promise.all(names.map((name) => findEntity(call, name)));
  return showGraph(
    call,
    found.flatMap((shown) => (shown === undefined ? [] : [shown.entity])),
  );
}

/** Undefined for whom nobody knows: server-memory passes over a name that is none. */
export async function findEntity({ context, access }: ToolCall, name: string): Promise<ShownEntity | undefined> {
  try {
    return await runOperation(graphShow, context, { entity: name, scope: scopeFor(access, undefined) });
  } catch (error) {
    if (isMnemeError(error, 'not-found')) return undefined;
    throw error;
  }
}

async function showGraph(call: ToolCall, entities: readonly EntityName[]): Promise<KnownGraph> {
  const scope = scopeFor(call.access, undefined);
  const shown: ShownEntity[] = [];
  for (const { id } of new Map(entities.map((entity) => [entity.id, entity])).values()) {
    shown.push(await runOperation(graphShow, call.context, { entity: id, scope }));
  }
  // The other server answers in the order in which things were created.
  shown.sort((one, other) => compareTexts(one.created ?? '', other.created ?? ''));
  const ids = new Set(shown.map(({ entity }) => entity.id));
  const relations = shown.flatMap(({ entity, relations: edges }) =>
    edges
      // One that comes from an entity that is shown as well is there already.
      .filter(({ direction, other }) => direction === 'out' || !ids.has(other.id))
      .flatMap((edge) => {
        const [from, to] = edge.direction === 'out' ? [entity, edge.other] : [edge.other, entity];
        const [start, end] = [quoteText(from.name), quoteText(to.name)];
        return wordsOfRelation(edge).map((word) => ({ from: start, to: end, relationType: quoteText(word) }));
      }),
  );
  return { entities: shown.map(toKnown), relations };
}

function toKnown({ entity, summary, facts, relations }: ShownEntity): KnownEntity {
  const inWords = new Set(
    relations
      .filter(({ direction }) => direction === 'out')
      .flatMap((edge) =>
        wordsOfRelation(edge).map((word) => plainWords(relationFact(entity.name, word, edge.other.name))),
      ),
  );
  const isSentence = ({ category, text }: ShownFact): boolean =>
    category === RELATION_CATEGORY && inWords.has(plainWords(text));
  const known = facts.filter((fact) => !isSentence(fact)).map(({ text, said }) => said ?? text);
  const observations = [...(summary === '' ? [] : [summary]), ...known];
  return { name: quoteText(entity.name), entityType: entity.type, observations: observations.map(quoteText) };
}

/** The word for a connection that the vocabulary has no better one for. */
export const GENERAL_RELATION = 'relates-to';

/** Marks a sentence that only says in words what a connection says. */
export const RELATION_CATEGORY = 'relation';

/** The sentence that records a connection where the vocabulary has only the general one: search reads it. */
export function relationFact(from: string, relation: string, to: string): string {
  return oneLine(`${from} ${plainWords(relation)} ${to}`);
}

function plainWords(text: string): string {
  return oneLine(text.replaceAll(/[_-]+/gu, ' '));
}

/** The words in which a connection was stated. */
export function wordsOfRelation({ written, said = [] }: ShownRelation): readonly string[] {
  return said.length === 0 ? [written] : said;
}
