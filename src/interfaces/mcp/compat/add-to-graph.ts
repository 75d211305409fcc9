import { MnemeError } from '../../../model/errors.ts';
import { graphAdd } from '../../../operations/graph/add.ts';
import { graphFact } from '../../../operations/graph/fact.ts';
import { graphLink } from '../../../operations/graph/link.ts';
import { runOperation } from '../../../operations/operation.ts';
import { writingScope } from '../access.ts';
import type { ToolCall } from '../tool.ts';
import { findEntity, GENERAL_RELATION, relationFact, type KnownEntity, type KnownRelation } from './known-graph.ts';

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
      throw new MnemeError('not-found', `Nobody and nothing is called "${entityName}".`, {
        hint: 'Nothing was added. Create it with create_entities first.',
      });
    }
  }
  const results: { entityName: string; addedObservations: string[] }[] = [];
  const notes: string[] = [];
  for (const { entityName, contents } of observations) {
    const addedObservations: string[] = [];
    for (const text of contents.filter((words) => words.trim() !== '')) {
      const stated = await runOperation(graphFact, call.context, { entity: entityName, text, scope: scopeOf(call) });
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
  for (const relation of relations) {
    const { from, to, relationType } = relation;
    if (from === to) throw new MnemeError('usage', `${from} cannot be connected with itself.`);
    const scope = scopeOf(call);
    const linked = await runOperation(graphLink, call.context, {
      from,
      to,
      relation: relationType,
      loose: true,
      scope,
    });
    if (linked.outcome === 'added') created.push(relation);
    notes.push(...linked.warnings.map(call.conceal));
    // Kept in words as well: a general connection would no longer say how they are connected.
    if (linked.relation === GENERAL_RELATION && !/^relate[sd]?[\s_-]to$/iu.test(relationType)) {
      await runOperation(graphFact, call.context, {
        entity: linked.from.id,
        text: relationFact(linked.from.name, relationType, linked.to.name),
        scope,
      });
    }
  }
  return { created, notes: [...new Set(notes)] };
}

function scopeOf({ access }: ToolCall): string | undefined {
  return writingScope(access, undefined);
}
