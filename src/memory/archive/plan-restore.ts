import { MnemeError } from '../../model/errors.ts';
import type { Change } from '../../workspace/door/request.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { Told, type Plan } from '../stores/plan.ts';
import { isArchivePath } from './archive-path.ts';
import { readItemSource } from './item-file.ts';
import { putBack } from './put-back.ts';
import { readRecord, withoutRecord, type ArchiveRecord } from './record.ts';

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
