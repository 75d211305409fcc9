import { quoteText } from '../../../compile/fence.ts';
import { isMnemeError } from '../../../model/errors.ts';
import { graphList } from '../../../operations/graph/list.ts';
import type { EntityName } from '../../../operations/graph/open-graph.ts';
import { graphQuery } from '../../../operations/graph/query.ts';
import { graphShow, type ShownEntity } from '../../../operations/graph/show.ts';
import { runOperation } from '../../../operations/operation.ts';
import { scopeFor } from '../access.ts';
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

export async function readWholeGraph(call: ToolCall): Promise<KnownGraph> {
  const list = await runOperation(graphList, call.context, {
    limit: MAX_ENTITIES,
    scope: scopeFor(call.access, undefined),
  });
  return showGraph(call, list.entities);
}

export async function searchGraph(call: ToolCall, text: string): Promise<KnownGraph> {
  const scope = scopeFor(call.access, undefined);
  const { entities } = await runOperation(graphQuery, call.context, { text, limit: MAX_FOUND, scope });
  return showGraph(call, entities);
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
  const ids = new Set(shown.map(({ entity }) => entity.id));
  const relations = shown.flatMap(({ entity, facts, relations: edges }) =>
    edges
      // One that comes from an entity that is shown as well is there already.
      .filter(({ direction, other }) => direction === 'out' || !ids.has(other.id))
      .map(({ direction, written, other }) => {
        const [from, to] = direction === 'out' ? [entity, other] : [other, entity];
        const relationType = said(relationInWords(from, written, to, facts) ?? written);
        return { from: said(from.name), to: said(to.name), relationType };
      }),
  );
  return { entities: shown.map(toKnown), relations };
}

function toKnown({ entity, summary, facts, relations }: ShownEntity): KnownEntity {
  const inWords = new Set(
    relations.flatMap(({ written, other }) => {
      const word = relationInWords(entity, written, other, facts);
      return word === undefined ? [] : [relationFact(entity.name, word, other.name)];
    }),
  );
  const known = facts.map(({ text }) => text).filter((text) => !inWords.has(text));
  const observations = [...(summary === '' ? [] : [summary]), ...known];
  return { name: said(entity.name), entityType: entity.type, observations: observations.map(said) };
}

/** The word for a connection that the vocabulary has no better one for. */
export const GENERAL_RELATION = 'relates-to';

/** The sentence that records a connection where the vocabulary has only the general one. */
export function relationFact(from: string, relation: string, to: string): string {
  return `${from} ${relation.replaceAll(/[_-]+/gu, ' ').trim()} ${to}`;
}

/** The word a client gave for a general connection; undefined where it gave none. */
function relationInWords(
  from: EntityName,
  written: string,
  to: EntityName,
  facts: ShownEntity['facts'],
): string | undefined {
  if (written !== GENERAL_RELATION) return undefined;
  const [head, tail] = [`${from.name} `, ` ${to.name}`];
  const fact = facts.find(
    ({ text }) => text.startsWith(head) && text.endsWith(tail) && text.length > head.length + tail.length - 1,
  );
  return fact?.text.slice(head.length, -tail.length).replaceAll(' ', '_');
}

/** Without marks that our own answers use: what is remembered cannot pass for them. */
function said(text: string): string {
  return quoteText(text);
}
