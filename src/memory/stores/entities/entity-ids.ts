import { parseEntity, type Entity } from '../../../workspace/formats/entity.ts';
import { blockLineRanges } from '../../../workspace/markdown/blocks.ts';
import { itemIds } from '../../../workspace/markdown/identity.ts';
import type { MarkdownDocument } from '../../../workspace/markdown/types.ts';

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
