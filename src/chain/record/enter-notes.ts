import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { readPacked } from '../../workspace/packed.ts';
import type { Chain } from '../chain.ts';
import { splitText, splitTranscript } from '../content/pieces.ts';
import type { ContentDraft } from '../drafts.ts';
import { canonical, isContentEntry, type ContentType, type Reference } from '../entry.ts';
import { parseEntry } from '../parse-entry.ts';
import type { ChainQueue, NotedItem } from './queue.ts';
import { readNotes } from './read-notes.ts';

export interface Entered {
  readonly entries: number;
  /** What was put right or left out, in words. */
  readonly problems: readonly string[];
}

/** So many are signed and committed together. */
const BATCH = 500;

/** A crash between entering and taking the note away is not longer ago than this: thousands of entries. */
const LOOK_BACK_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

/** Enters what was noted. Done again after a crash, it enters nothing twice. */
export async function enterNotes(chain: Chain, queue: ChainQueue): Promise<Entered> {
  if (queue.names().length === 0) return { entries: 0, problems: [] };
  return chain.exclusively(async (writer) => {
    const recent = writer.bytes.subarray(-LOOK_BACK_BYTES);
    const known = new Set<string>();
    const problems = [...writer.notes];
    let entries = 0;
    const names = queue.names();
    while (names.length > 0) {
      const batches = names.splice(0, BATCH).flatMap((name) => readNotes(queue, name) ?? []);
      const drafts: ContentDraft[] = [];
      for (const { name, isBroken } of batches) if (isBroken) problems.push(`The note ${name} could not be read`);
      for (const item of batches.flatMap(({ items }) => items)) {
        const key = referenceKey(item.type, item.ref);
        if (known.has(key) || isEntered(recent, item.type, item.ref)) continue;
        const draft = draftOf(chain.rawFolder, item);
        if (draft === undefined) problems.push(`${item.path ?? 'A note'} was to be entered and is not there`);
        else drafts.push(draft);
        known.add(key);
      }
      entries += (await writer.append(drafts)).length;
      for (const { name } of batches) queue.remove(name);
    }
    return { entries, problems };
  });
}

export function draftOf(rawFolder: string, item: NotedItem): ContentDraft | undefined {
  const { type, ref, scope } = item;
  const base = { type, ref, ...(scope === undefined ? {} : { scope }) };
  if (item.path === undefined)
    return item.text === undefined ? undefined : { ...base, pieces: splitText(item.text), text: item.text };
  const text = readPacked(nodeFileSystem, path.join(rawFolder, item.path))?.toString('utf8');
  return text === undefined ? undefined : { ...base, pieces: splitTranscript(text), path: item.path };
}

/** Whether one of the last entries refers to it. Looked for as it is written: reading them all would take longer every year. */
function isEntered(bytes: Buffer, type: ContentType, ref: Reference): boolean {
  const wanted = Buffer.from(`"ref":${canonical(ref)},`, 'utf8');
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
    const start = bytes.lastIndexOf(LINE_END, at) + 1;
    const end = bytes.indexOf(LINE_END, at);
    const entry = parseEntry(bytes.toString('utf8', start, end === -1 ? bytes.length : end));
    if (typeof entry !== 'string' && isContentEntry(entry) && entry.type === type) return true;
  }
  return false;
}

function referenceKey(type: ContentType, ref: Reference): string {
  return `${type} ${canonical(ref)}`;
}
