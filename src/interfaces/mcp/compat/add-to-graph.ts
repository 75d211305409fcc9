import { MnemeError } from '../../../model/errors.ts';
import { graphAdd } from '../../../operations/graph/add.ts';
import { graphFact } from '../../../operations/graph/fact.ts';
import { graphLink } from '../../../operations/graph/link.ts';
import { runOperation } from '../../../operations/operation.ts';
import { writingScope } from '../access.ts';
import type { ToolCall } from '../tool.ts';
import {
  findEntity,
  GENERAL_RELATION,
  RELATION_CATEGORY,
  relationFact,
  wordsOfRelation,
  type KnownEntity,
  type KnownRelation,
} from './known-graph.ts';

interface Added {
  readonly notes: readonly string[];
}

export async function createEntities(
  call: ToolCall,
  entities: readonly KnownEntity[],
): Promise<Added & { readonly created: readonly KnownEntity[] }> {
  const created: KnownEntity[] = [];
  const notes: string[] = [];
  for (const entity of entities) {
    if ((await findEntity(call, entity.name)) !== undefined) continue;
    const { name, entityType: type } = entity;
    const added = await runOperation(graphAdd, call.context, { name, type, scope: scopeOf(call) });
    notes.push(...added.warnings.map(call.conceal));
    const { results } = await addObservations(call, [{ entityName: added.entity.id, contents: entity.observations }]);
    created.push({ ...entity, observations: results.flatMap(({ addedObservations }) => addedObservations) });
  }
  return { created, notes: [...new Set(notes)] };
}

export async function addObservations(
  call: ToolCall,
  observations: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
): Promise<
  Added & {
    readonly results: readonly { readonly entityName: string; readonly addedObservations: readonly string[] }[];
  }
> {
  // Before anything is written: the other server adds all of a call or nothing.
  for (const { entityName } of observations) {
    if ((await findEntity(call, entityName)) === undefined) {
      // To the letter as the other server puts it: clients look for it.
      throw new MnemeError('not-found', `Entity with name ${entityName} not found`);
    }
  }
  const results: { entityName: string; addedObservations: string[] }[] = [];
  const notes: string[] = [];
  for (const { entityName, contents } of observations) {
    const addedObservations: string[] = [];
    for (const text of contents.filter((words) => words.trim() !== '')) {
      const stated = await runOperation(graphFact, call.context, {
        entity: entityName,
        text,
        exact: true,
        scope: scopeOf(call),
      });
      if (stated.outcome === 'added' || stated.outcome === 'superseded') addedObservations.push(text);
      if (stated.outcome === 'proposed') notes.push(`"${text}" waits for the user as ${stated.id}.`);
      notes.push(...stated.warnings.map(call.conceal));
    }
    results.push({ entityName, addedObservations });
  }
  return { results, notes: [...new Set(notes)] };
}

export async function createRelations(
  call: ToolCall,
  relations: readonly KnownRelation[],
): Promise<Added & { readonly created: readonly KnownRelation[] }> {
  const created: KnownRelation[] = [];
  const notes: string[] = [];
  await refuseLoose(call, relations);
  for (const relation of relations) {
    const { from, to, relationType } = relation;
    if (await isRelated(call, relation)) continue;
    const scope = scopeOf(call);
    const linked = await runOperation(graphLink, call.context, {
      from,
      to,
      relation: relationType,
      loose: true,
      exact: true,
      scope,
    });
    created.push(relation);
    notes.push(...linked.warnings.map(call.conceal));
    // Kept in words as well: a general connection would no longer say how they are connected.
    if (linked.relation === GENERAL_RELATION && !/^relate[sd]?[\s_-]to$/iu.test(relationType)) {
      await runOperation(graphFact, call.context, {
        entity: linked.from.id,
        text: relationFact(linked.from.name, relationType, linked.to.name),
        category: RELATION_CATEGORY,
        scope,
      });
    }
  }
  return { created, notes: [...new Set(notes)] };
}

/** Before anything is written. A page leads only to another page, so both ends must be there. */
async function refuseLoose(call: ToolCall, relations: readonly KnownRelation[]): Promise<void> {
  for (const { from, to } of relations) {
    if (from === to) throw new MnemeError('usage', `No relation was added: ${from} cannot be connected with itself.`);
    for (const name of [from, to]) {
      if ((await findEntity(call, name)) !== undefined) continue;
      throw new MnemeError('not-found', `No relation was added: entity with name ${name} not found`, {
        hint: 'Create it with create_entities first.',
      });
    }
  }
}

async function isRelated(call: ToolCall, { from, to, relationType }: KnownRelation): Promise<boolean> {
  const [start, end] = [await findEntity(call, from), await findEntity(call, to)];
  return (start?.relations ?? []).some(
    (edge) =>
      edge.direction === 'out' && edge.other.id === end?.entity.id && wordsOfRelation(edge).includes(relationType),
  );
}

function scopeOf({ access }: ToolCall): string | undefined {
  return writingScope(access, undefined);
}
