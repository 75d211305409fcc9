import { MnemeError } from '../../../model/errors.ts';
import type { Change } from '../../../workspace/door/request.ts';
import { parseEntity, type Entity } from '../../../workspace/formats/entity.ts';
import { blockLineRanges } from '../../../workspace/markdown/blocks.ts';
import { itemIds } from '../../../workspace/markdown/identity.ts';
import type { MarkdownDocument } from '../../../workspace/markdown/document.ts';
import { type StoreParts, editText, refuseDamaged, timestamp } from '../plan.ts';
import type { EntityRecord } from '../registry/entity-record.ts';

/** The entity a change is made to: a record of the registry, or one that `planAdd` has just planned. */
export type EntityRef = Pick<EntityRecord, 'path' | 'id' | 'name' | 'type'> & {
  readonly damage?: string | undefined;
};

/** A change of one entity's file. The file must be there by then: made earlier, or by an earlier change of the group. */
export function changeEntity(
  parts: StoreParts,
  entity: EntityRef,
  change: (document: MarkdownDocument) => MarkdownDocument,
): Change {
  refuseDamaged(entity.path, entity.damage);
  return {
    path: entity.path,
    edit: (current) => {
      if (current === undefined) {
        throw new MnemeError('not-found', `${entity.name} has no file ${entity.path} any more.`, {
          hint: 'It was removed or renamed meanwhile; look it up again.',
        });
      }
      return editText(entity.path, current, timestamp(parts), change);
    },
  };
}

/** Thrown by edits whose item is not there any more. */
export function missingItem(entity: EntityRef, id: string): MnemeError {
  return new MnemeError('not-found', `There is no item ^${id} in ${entity.path}.`, {
    hint: 'It was removed or moved meanwhile; look it up again.',
  });
}

type Listed = 'facts' | 'timeline' | 'questions' | 'tasks' | 'decisions' | 'relations';

/** As `parseEntity`, with an id for every bullet: those without an anchor go by the id that the index knows them by. */
export function parseEntityWithIds(document: MarkdownDocument, path: string): Entity {
  const entity = parseEntity(document, path);
  const ids = itemIds(path, document);
  const ranges = blockLineRanges(document);
  const idByLine = new Map(ranges.map((range, index) => [range.startLine, ids[index]]));
  const withId = <T extends { readonly id: string | undefined; readonly startLine: number }>(item: T): T =>
    item.id === undefined ? Object.assign({}, item, { id: idByLine.get(item.startLine) }) : item;
  const lists: Pick<Entity, Listed> = {
    facts: entity.facts.map(withId),
    timeline: entity.timeline.map(withId),
    questions: entity.questions.map(withId),
    tasks: entity.tasks.map(withId),
    decisions: entity.decisions.map(withId),
    relations: entity.relations.map(withId),
  };
  return { ...entity, ...lists };
}
