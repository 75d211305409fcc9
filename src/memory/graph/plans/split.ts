import { MnemeError } from '../../../model/errors.ts';
import { newEntityFile } from '../../../workspace/formats/entity.ts';
import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { refuseDamaged } from '../../stores/edit-file.ts';
import type { EntityRecord } from '../../stores/registry/entity-record.ts';
import type { FileDraft } from './merge.ts';
import { movableItems, moveItems } from './move-items.ts';

export interface Splitting {
  readonly entity: EntityRecord;
  readonly text: string;
  /** The new entity, under a name and file nobody else has. */
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** The facts, tasks, decisions and relations that are the other's. */
  readonly items: readonly string[];
  readonly now: string;
}

/** Two entities instead of one: the chosen lines go to a file of their own, with their ids and their history. */
export function draftSplit(splitting: Splitting): { readonly files: readonly FileDraft[]; readonly moved: number } {
  const { entity, text, id, path, type, name, aliases, items, now } = splitting;
  refuseDamaged(entity.path, entity.damage);
  const document = parseDocument(text);
  const known = new Set(movableItems(document, entity.path).map((item) => item.id));
  const missing = items.filter((item) => !known.has(item));
  if (missing.length > 0) {
    throw new MnemeError('not-found', `${entity.path} has no item ${missing.join(', ')}.`, {
      hint: `\`mneme graph show ${entity.id}\` lists the ids of its facts, tasks, decisions and relations.`,
    });
  }
  const made = newEntityFile({ id, type, name, aliases: [...aliases], created: now, updated: now }, '');
  const wanted = new Set(items);
  const { from, to, count } = moveItems(
    { document, path: entity.path },
    { document: parseDocument(made), path },
    (item) => wanted.has(item.id),
  );
  const rest = from.frontmatter === undefined ? from : setFrontmatterValue(from, 'updated', now);
  return {
    files: [
      { path: entity.path, before: text, after: serializeDocument(rest) },
      { path, before: undefined, after: serializeDocument(to) },
    ],
    moved: count,
  };
}
