import { MnemeError } from '../../../model/errors.ts';
import type { Scope } from '../../../model/provenance.ts';
import type { Change } from '../../../workspace/door/request.ts';
import { entityId } from '../../../workspace/formats/entity.ts';
import { fileStem, scopeOfPath } from '../../../workspace/formats/layout.ts';
import { headingText } from '../../../workspace/markdown/blocks.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { replaceBlock } from '../../../workspace/markdown/edit.ts';
import { setFrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { addAliases, cleanName } from '../../stores/entities/add.ts';
import { changeEntity } from '../../stores/entities/entity-edit.ts';
import type { StoreParts } from '../../stores/plan.ts';
import type { EntityRecord } from '../../stores/registry/entity-record.ts';
import { foldName } from '../../stores/registry/names.ts';
import type { Network } from '../network.ts';
import { relink, type Relink } from '../wikilinks.ts';

export interface Renaming {
  readonly entity: EntityRecord;
  readonly name: string;
  /** Leave id and file as they are: only what it is called changes. */
  readonly isNameOnly?: boolean | undefined;
  /** Do not keep the old name as an alias. */
  readonly dropsOldName?: boolean | undefined;
}

export interface RenamePlan {
  readonly changes: readonly Change[];
  readonly id: string;
  readonly path: string;
  readonly relink: Relink;
  /** Whether the old name means this entity in a scope; taken before anything changes. */
  readonly isSeenFrom: (scope: Scope) => boolean;
  /** Notes for a person. */
  readonly notes: readonly string[];
}

const MAX_NAMESAKES = 99;

/** Plans the rename in the entity's own file, and the change of links to it; the files with links come on top. */
export function planRename(parts: StoreParts, network: Network, renaming: Renaming): RenamePlan {
  const { entity, isNameOnly = false, dropsOldName = false } = renaming;
  const name = cleanName(renaming.name);
  const oldStem = fileStem(entity.path);
  const id = isNameOnly ? entity.id : freeId(network, entity, name);
  const path = isNameOnly ? entity.path : entity.path.replace(/[^/]+$/u, `${id}.md`);
  const change = linkChange(entity, id);
  const keepsOld = !dropsOldName && foldName(entity.name) !== foldName(name);
  const own = changeEntity(parts, entity, (document) => {
    let next = withTitle(document, entity.name, name);
    if (next.frontmatter !== undefined || path !== entity.path) {
      next = setFrontmatterValue(next, 'name', name);
      if (path !== entity.path || next.frontmatter?.values?.['id'] !== undefined) {
        next = setFrontmatterValue(next, 'id', id);
      }
      if (keepsOld) next = addAliases(next, name, [entity.name]);
      next = withoutAlias(next, name);
    }
    return isNameOnly ? next : parseDocument(relink(serializeDocument(next), change));
  });
  const others = network
    .records()
    .filter(
      (other) =>
        other.path !== entity.path &&
        [other.name, ...other.aliases].some((known) => foldName(known) === foldName(name)),
    );
  const scopes = new Set(network.records().map(({ scope }) => scope));
  const seenFrom = new Set([...scopes].filter((scope) => network.target(entity.id, scope)?.path === entity.path));
  return {
    changes: path === entity.path ? [own] : moved(own, path),
    id,
    path,
    relink: change,
    isSeenFrom: (scope) => seenFrom.has(scope) || (entity.scope === 'shared' && !scopes.has(scope)),
    notes: [
      ...others.map((other) => `${other.name} (${other.id}) is called "${name}" too.`),
      ...(oldStem === entity.id
        ? []
        : [`Its file was called ${oldStem}.md and its id ${entity.id}; both are ${id} now.`]),
    ],
  };
}

/** Under its new name at once: between two steps the id would not be the file's name, and somebody would be told so. */
function moved(change: Change, to: string): Change[] {
  let text: string | undefined;
  return [
    {
      path: change.path,
      edit: (current) => {
        text = 'edit' in change ? change.edit(current) : current;
        return undefined;
      },
    },
    {
      path: to,
      edit: (current) => {
        if (current === undefined) return text;
        throw new MnemeError('conflict', `${to} was made meanwhile.`, {
          hint: 'Rename it again: it will get a name of its own.',
        });
      },
    },
  ];
}

function linkChange(entity: EntityRecord, id: string): Relink {
  return { leadsThere: (target) => leadsTo(entity, target), stem: id, ids: { old: entity.id, new: id } };
}

/** Another file's text with its links following. */
export function relinkFile(plan: RenamePlan, file: string, text: string): string {
  const isSeen = plan.isSeenFrom(scopeOfPath(file));
  const { leadsThere, ids } = plan.relink;
  return relink(text, {
    ...plan.relink,
    // A path is exact; a name alone means whoever of that name the file's scope sees.
    leadsThere: (target) => leadsThere(target) && (isSeen || target.includes('/')),
    ids: isSeen ? ids : undefined,
  });
}

function leadsTo(entity: EntityRecord, target: string): boolean {
  const wanted = target.replace(/\.md$/iu, '').replaceAll('\\', '/').toLowerCase();
  const own = entity.path.replace(/\.md$/iu, '').toLowerCase();
  if (wanted === entity.id.toLowerCase()) return true;
  // With a folder it is a path, whole or its end, or relative to a neighbour.
  return own === wanted || own.endsWith(`/${wanted.replace(/^(?:\.{1,2}\/)+/u, '')}`);
}

function freeId(network: Network, entity: EntityRecord, name: string): string {
  const base = entityId(entity.type, name);
  for (let count = 1; count <= MAX_NAMESAKES; count += 1) {
    const id = count === 1 ? base : `${base}-${count}`;
    const path = entity.path.replace(/[^/]+$/u, `${id}.md`);
    const there = network.record(path) ?? network.target(id, entity.scope);
    if (there === undefined || there.path === entity.path) return id;
  }
  throw new MnemeError('refused', `There are ${MAX_NAMESAKES} files for ${base} already.`, {
    hint: 'Give it a name that tells it from the others.',
  });
}

/** The title follows when it was the name. */
function withTitle(document: MarkdownDocument, old: string, name: string): MarkdownDocument {
  const at = document.blocks.findIndex(
    (block) => block.kind === 'heading' && block.level === 1 && foldName(headingText(block)) === foldName(old),
  );
  return at === -1 ? document : replaceBlock(document, at, `# ${name}`);
}

/** Removes an alias that is the name now. */
function withoutAlias(document: MarkdownDocument, name: string): MarkdownDocument {
  const aliases = document.frontmatter?.values?.['aliases'];
  if (!Array.isArray(aliases)) return document;
  const left = aliases.map(String).filter((alias) => foldName(alias) !== foldName(name));
  return left.length === aliases.length ? document : setFrontmatterValue(document, 'aliases', left);
}
