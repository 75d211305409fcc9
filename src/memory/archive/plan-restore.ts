import { MnemeError } from '../../model/errors.ts';
import type { Change } from '../../workspace/door/request.ts';
import {
  type Block,
  type MarkdownDocument,
  parseDocument,
  serializeDocument,
  serializeWithBody,
} from '../../workspace/markdown/document.ts';
import { Told, type Plan } from '../stores/plan.ts';
import { readItemSource } from './item-file.ts';
import { type ArchiveRecord, isArchivePath, readRecord, withoutRecord } from './record.ts';
import { sectionRange } from '../../workspace/markdown/blocks.ts';
import { appendToSection, insertBlocks } from '../../workspace/markdown/edit.ts';
import { countLines } from '../../workspace/markdown/lines.ts';
import { isContent, neighbourKey, rawOf, type CutPlace, keyAt } from './cut.ts';

export interface Restored {
  /** Where it was kept. */
  readonly path: string;
  readonly item: string | undefined;
  /** Where it is again. */
  readonly to: string;
}

export interface ArchivedText {
  readonly path: string;
  /** As it was read; what it says under the write lock is what counts. */
  readonly text: string;
  /** Where it is kept packed: the file and its bytes, which must not have changed. */
  readonly packed?: { readonly path: string; readonly bytes: Uint8Array } | undefined;
}

/**
 * Puts files of the archive back where they came from. What was archived last goes back first, so that neighbours which
 * went one after the other find each other again.
 */
export function planRestore(files: readonly ArchivedText[]): Plan<readonly Restored[]> {
  const told = new Told<readonly Restored[]>();
  const sources = new Map<string, { readonly record: ArchiveRecord; readonly content: string }>();
  const ordered = files.map(({ path, text }) => ({ path, record: getRecord(path, text) })).reverse();
  const taking = files.toReversed().map(({ path, text, packed }): Change => {
    if (packed !== undefined) {
      sources.set(path, readArchived(path, text));
      return { path: packed.path, content: undefined, base: packed.bytes };
    }
    return {
      path,
      edit: (current) => {
        if (current === undefined) throw missing(path, 'is not in the archive any more');
        sources.set(path, readArchived(path, current));
        return undefined;
      },
    };
  });
  const putting = [...Map.groupBy(ordered, ({ record }) => record.from)].map(([to, members]): Change => ({
    path: to,
    edit: (current) => {
      let text = current;
      for (const { path } of members) {
        const source = sources.get(path);
        if (source === undefined) throw missing(path, 'was not read');
        text = returnTo(to, text, source.record, source.content);
      }
      told.set(ordered.map(({ path, record }) => ({ path, item: record.item, to: record.from })));
      return text;
    },
  }));
  return { changes: [...taking, ...putting], notes: [], outcome: () => told.get() };
}

function readArchived(path: string, text: string): { readonly record: ArchiveRecord; readonly content: string } {
  const record = getRecord(path, text);
  const document = parseDocument(text);
  const content = record.item === undefined ? withoutRecord(document, record) : readItemSource(document, record);
  return { record, content };
}

function returnTo(to: string, current: string | undefined, record: ArchiveRecord, content: string): string {
  if (record.item === undefined) {
    if (current === undefined) return content;
    throw new MnemeError('conflict', `${to} exists again; what was archived is not put over it.`, {
      hint: 'Rename one of the two first.',
    });
  }
  if (current !== undefined) return putBack(current, content, record);
  throw new MnemeError('conflict', `${to}, which it was taken from, is not there any more.`, {
    hint: 'Bring that file back first; `mneme history log` says where it went.',
  });
}

function getRecord(path: string, text: string): ArchiveRecord {
  const record = isArchivePath(path) ? readRecord(parseDocument(text)) : undefined;
  if (record !== undefined) return record;
  throw new MnemeError('not-found', `${path} does not say where it was archived from.`, {
    hint: 'Only what `mneme forget` and archiving put under memory/archive/ can be put back; move other files by hand.',
  });
}

function missing(path: string, how: string): MnemeError {
  return new MnemeError('conflict', `${path} ${how}.`, { hint: 'Somebody restored or removed it meanwhile.' });
}

/**
 * The text with `source` where it was cut from: to the byte while its neighbours still stand beside each other, else
 * beside the one that is left, else below its heading, else at the end.
 */
function putBack(text: string, source: string, place: CutPlace): string {
  const document = parseDocument(text);
  const { blocks } = document;
  const exact = findSeam(blocks, place);
  if (exact !== undefined) return insertAt(document, exact, (place.lead ?? '') + source + (place.tail ?? '\n'));
  const before = findBlock(blocks, place.before);
  if (before !== undefined) return serializeDocument(insertBlocks(document, before, [source]));
  const after = findBlock(blocks, place.after);
  if (after !== undefined) {
    // Where a blank line stood before it, it stands behind the one that is there now.
    const next = place.skip === undefined ? after + 1 : nextContent(blocks, after);
    return serializeDocument(insertBlocks(document, next, [source]));
  }
  if (place.under !== undefined && sectionRange(document, place.under) !== undefined) {
    return serializeDocument(appendToSection(document, place.under, source));
  }
  return serializeDocument(insertBlocks(document, blocks.length, [source]));
}

/** The index of the block before which it stood, when both neighbours are there with nothing between them. */
function findSeam(blocks: readonly Block[], { after, before, nth = 0, skip = 0 }: CutPlace): number | undefined {
  const content = [...blocks.keys()].filter((index) => isContentAt(blocks, index));
  const sides = [-1, ...content, blocks.length];
  const seams = sides.flatMap((left, at) => {
    const right = sides[at + 1];
    if (right === undefined || keyAt(blocks, left) !== after || keyAt(blocks, right) !== before) return [];
    const index = indexBehind(blocks, left, right, skip);
    return index === undefined ? [] : [{ index, distance: Math.abs(at - nth) }];
  });
  return seams.toSorted((one, other) => one.distance - other.distance)[0]?.index;
}

/** The block behind so many blank lines. */
function indexBehind(blocks: readonly Block[], left: number, right: number, skip: number): number | undefined {
  for (let index = left + 1; index <= right; index += 1) {
    if (countLines(rawOf(blocks, left + 1, index)) === skip) return index;
  }
  return undefined;
}

function insertAt(document: MarkdownDocument, index: number, raw: string): string {
  const { blocks } = document;
  return serializeWithBody(document, rawOf(blocks, 0, index) + raw + rawOf(blocks, index, blocks.length));
}

function findBlock(blocks: readonly Block[], key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const index = blocks.findIndex((block) => isContent(block) && neighbourKey(block) === key);
  return index === -1 ? undefined : index;
}

function nextContent(blocks: readonly Block[], index: number): number {
  const behind = blocks.slice(index + 1).findIndex(isContent);
  return behind === -1 ? blocks.length : index + 1 + behind;
}

function isContentAt(blocks: readonly Block[], index: number): boolean {
  const block = blocks[index];
  return block !== undefined && isContent(block);
}
