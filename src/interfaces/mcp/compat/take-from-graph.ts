import { isMnemeError } from '../../../model/errors.ts';
import { changeFiles, type ChangedFiles, type ChangeFilesInput } from '../../../operations/files/change-files.ts';
import { graphUnlink } from '../../../operations/graph/link.ts';
import type { EntityName } from '../../../operations/graph/open-graph.ts';
import type { ShownEntity } from '../../../operations/graph/show.ts';
import { runOperation } from '../../../operations/operation.ts';
import { writingScope } from '../access.ts';
import type { ToolCall } from '../tool.ts';
import { readVisible } from '../uris.ts';
import { findEntity, relationFact, wordsOfRelation, type KnownRelation } from './known-graph.ts';

/** Reports deletions that the user has to decide on, instead of server-memory's "successfully". */
export async function deleteEntities(call: ToolCall, names: readonly string[]): Promise<string[]> {
  const notes: string[] = [];
  for (const name of names) {
    const shown = await findEntity(call, name);
    if (shown === undefined) continue;
    for (const edge of shown.relations) {
      const [from, to] = edge.direction === 'out' ? [shown.entity, edge.other] : [edge.other, shown.entity];
      notes.push(...(await unlink(call, { from: from.id, to: to.id })));
      if (edge.direction === 'out') continue;
      for (const word of wordsOfRelation(edge)) notes.push(...(await deleteSentence(call, from, word, to)));
    }
    const changes = [{ kind: 'delete' as const, path: shown.entity.path }];
    notes.push(...waiting(await change(call, changes, `deleted ${shown.entity.name}`), name));
  }
  return notes;
}

export async function deleteObservations(
  call: ToolCall,
  deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const { entityName, observations } of deletions) {
    const shown = await findEntity(call, entityName);
    if (shown === undefined) continue;
    for (const words of observations) {
      const done = await deleteFact(call, shown, words);
      if (done !== undefined) notes.push(...waiting(done, words));
    }
  }
  return notes;
}

async function deleteFact(
  call: ToolCall,
  { entity, facts }: ShownEntity,
  words: string,
): Promise<ChangedFiles | undefined> {
  const fact = facts.find(({ text, said }) => (said ?? text).trim() === words.trim());
  if (fact?.id === undefined || fact.id === null) return undefined;
  const { text } = await readVisible(call, { target: fact.id });
  const changes = [{ kind: 'replace' as const, path: entity.path, find: `${text}\n`, with: '' }];
  return change(call, changes, `deleted a fact of ${entity.name}`);
}

export async function deleteRelations(call: ToolCall, relations: readonly KnownRelation[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { from, to, relationType } of relations) {
    const [start, end] = [await findEntity(call, from), await findEntity(call, to)];
    if (start === undefined || end === undefined) continue;
    const edge = start.relations.find(
      (one) => one.direction === 'out' && one.other.id === end.entity.id && wordsOfRelation(one).includes(relationType),
    );
    if (edge === undefined) continue;
    notes.push(
      ...(await unlink(call, { from, to, relationType })),
      ...(await deleteSentence(call, start.entity, relationType, end.entity)),
    );
  }
  return notes;
}

/** A connection that the vocabulary had no word for stands there in words as well. */
async function deleteSentence(call: ToolCall, from: EntityName, word: string, to: EntityName): Promise<string[]> {
  const shown = await findEntity(call, from.id);
  const words = relationFact(from.name, word, to.name);
  const done = shown === undefined ? undefined : await deleteFact(call, shown, words);
  return done === undefined ? [] : waiting(done, words);
}

/** Removes a connection; a missing one is no error. */
async function unlink(
  call: ToolCall,
  {
    from,
    to,
    relationType,
  }: { readonly from: string; readonly to: string; readonly relationType?: string | undefined },
): Promise<string[]> {
  const { context, access } = call;
  const scope = writingScope(access, undefined);
  try {
    const ended = await runOperation(graphUnlink, context, { from, to, relation: relationType, mistake: true, scope });
    return 'proposal' in ended ? [`${from} – ${to} waits for the user as ${String(ended.proposal)}.`] : [];
  } catch (error) {
    if (isMnemeError(error, 'not-found')) return [];
    throw error;
  }
}

function change({ context }: ToolCall, changes: ChangeFilesInput['changes'], summary: string): Promise<ChangedFiles> {
  return runOperation(changeFiles, context, { changes, summary, trigger: 'server-memory' });
}

function waiting({ proposal, waitsBecause }: ChangedFiles, what: string): string[] {
  return waitsBecause === null ? [] : [`"${what}" waits for the user as ${proposal ?? ''}: ${waitsBecause}.`];
}
