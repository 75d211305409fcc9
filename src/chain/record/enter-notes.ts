import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { readPacked } from '../../workspace/packed.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Chain } from '../chain.ts';
import type { ContentDraft } from '../writer.ts';
import { type ContentType, type Reference, canonical, isContentEntry, splitText, splitTranscript } from '../entry.ts';
import { readEntries } from '../file.ts';
import { parseEntry } from '../parse-entry.ts';
import { type ChainQueue, type NotedItem, readNotes } from './queue.ts';

export interface Entered {
  readonly entries: number;
  /** Descriptions of repairs and omissions. */
  readonly problems: readonly string[];
}

/** Number of notes signed and committed together. */
const BATCH = 500;

/** A crash between entering and taking the note away is not longer ago than this: thousands of entries. */
const LOOK_BACK_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

/** Enters what was noted. Done again after a crash, it enters nothing twice. */
export async function enterNotes(chain: Chain, queue: ChainQueue, workspace: NotedHome): Promise<Entered> {
  if (queue.names().length === 0) return { entries: 0, problems: [] };
  return chain.exclusively(async (writer) => {
    const recent = writer.bytes.subarray(-LOOK_BACK_BYTES);
    const known = new Set<string>();
    const problems = [...writer.notes];
    const isSigner = signerTest(chain, writer.bytes);
    let entries = 0;
    const names = queue.names();
    while (names.length > 0) {
      const batches = names.splice(0, BATCH).flatMap((name) => readNotes(queue, name) ?? []);
      const drafts: ContentDraft[] = [];
      const changed = new Set<string>();
      for (const batch of batches) {
        const { name, isBroken, signer, isChanged } = batch;
        if (isBroken) problems.push(`The note ${name} could not be read`);
        else if (isChanged || (signer !== undefined && !isSigner(signer))) {
          changed.add(name);
          continue;
        } else if (signer === undefined) problems.push(`The note ${name} was not signed when it was left`);
        for (const item of batch.items) {
          const key = referenceKey(item.type, item.ref);
          if (known.has(key) || isEntered(recent, item.type, item.ref)) continue;
          known.add(key);
          const found = await findDraft(chain.rawFolder, item, workspace);
          if (found.problem !== undefined) problems.push(found.problem);
          if (found.draft !== undefined) drafts.push(found.draft);
          else if (found.isChanged) changed.add(name);
        }
      }
      entries += (await writer.append(drafts)).length;
      for (const { name } of batches) {
        if (!changed.has(name)) queue.remove(name);
        else {
          queue.setAside(name);
          problems.push(`The note ${name} was changed after it was left and was set aside`);
        }
      }
    }
    return { entries, problems };
  });
}

type NotedHome = Pick<Workspace, 'git' | 'paths'>;

/** Whether a note is signed by a key of this chain. */
function signerTest(chain: Chain, bytes: Buffer): (publicKey: string) => boolean {
  const current = chain.keys.read()?.publicKey;
  let earlier: Set<string> | undefined;
  return (publicKey) => {
    if (publicKey === current) return true;
    earlier ??= new Set(
      [...readEntries(bytes)].flatMap(({ entry }) => (entry.type === 'key' ? entry.body.publicKey : [])),
    );
    return earlier.has(publicKey);
  };
}

interface FoundDraft {
  readonly draft?: ContentDraft | undefined;
  readonly problem?: string | undefined;
  readonly isChanged?: boolean;
}

/** Finds the content to enter for a note; for a transcript changed meanwhile, the version in the history of `raw/`. */
async function findDraft(rawFolder: string, item: NotedItem, workspace: NotedHome): Promise<FoundDraft> {
  const { path: file, sha256 } = item;
  if (file === undefined || sha256 === undefined) {
    const draft = draftOf(rawFolder, item);
    return draft === undefined ? { problem: `${file ?? 'A note'} was to be entered and is not there` } : { draft };
  }
  const words = readPacked(nodeFileSystem, path.join(rawFolder, file));
  if (words !== undefined && hash('sha256', words) === sha256) return { draft: transcriptDraft(item, file, words) };
  const original = await readOriginal(workspace, file, sha256);
  const what = words === undefined ? 'removed' : 'changed';
  if (original === undefined) {
    const problem = `raw/${file} was ${what} before it was entered, and its history does not have what it said`;
    return { problem, isChanged: true };
  }
  const problem = `raw/${file} was ${what} before it was entered; entered is what it said when it was written`;
  return { draft: transcriptDraft(item, file, original), problem };
}

/** Reads the original transcript from the history, packed or not. */
async function readOriginal({ git, paths }: NotedHome, file: string, sha256: string): Promise<Buffer | undefined> {
  if (!fs.existsSync(path.join(paths.repositories.raw.gitDir, 'HEAD'))) return undefined;
  const ids = await git.raw.text([
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--diff-filter=AM',
    '--',
    file,
  ]);
  for (const [, blob = ''] of ids.matchAll(/^:\d+ \d+ [0-9a-f]+ ([0-9a-f]{40}) /gmu)) {
    const bytes = await git.raw.bytes(['cat-file', 'blob', blob]);
    if (hash('sha256', bytes) === sha256) return bytes;
  }
  return undefined;
}

export function draftOf(rawFolder: string, item: NotedItem): ContentDraft | undefined {
  const { text } = item;
  if (item.path === undefined)
    return text === undefined ? undefined : { ...baseOf(item), pieces: splitText(text), text };
  const words = readPacked(nodeFileSystem, path.join(rawFolder, item.path));
  return words === undefined ? undefined : transcriptDraft(item, item.path, words);
}

function transcriptDraft(item: NotedItem, file: string, words: Buffer): ContentDraft {
  return { ...baseOf(item), pieces: splitTranscript(words.toString('utf8')), path: file };
}

function baseOf({ type, ref, scope }: NotedItem): Pick<ContentDraft, 'type' | 'ref' | 'scope'> {
  return { type, ref, ...(scope === undefined ? {} : { scope }) };
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
