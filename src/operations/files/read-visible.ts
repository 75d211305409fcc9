import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../model/errors.ts';
import { assertNoSymlinkEscape } from '../../workspace/safety/paths.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';
import { assertSeesFile, hideForeignItems, seesFile, visibleSize, visibleTo } from '../visible-to.ts';
import { readWorkspaceText } from '../workspace-files.ts';

const input = z.strictObject({ path: z.string().min(1).max(1000).describe('A path in the workspace.') });

/** For tools that edit: the file as it is, without what others may not see. `read` also takes items, and notes the use. */
export const readText = defineVerb({
  name: 'files text',
  summary: 'Read the text of a file as it is.',
  input,
  effect: 'read',
  reach: 'filtered',
  ...NOT_OFFERED,
  async run(context, { path: place }): Promise<{ readonly text: string }> {
    const text = await readWorkspaceText(context, place);
    assertSeesFile(context, place);
    return { text: hideForeignItems(visibleTo(context), text) };
  },
});

export interface FoundEntry {
  /** Relative to the folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Of a folder: of all that is in it. */
  readonly bytes: number;
  readonly depth: number;
}

/** Files and folders below a folder, links left out; undefined when there is no such folder. */
export const listFolder = defineVerb({
  name: 'files folder',
  summary: 'List the files and folders below a folder.',
  input,
  effect: 'read',
  reach: 'filtered',
  ...NOT_OFFERED,
  async run(context, { path: place }): Promise<readonly FoundEntry[] | undefined> {
    await assertNoSymlinkEscape(context.workspace.root, place);
    const entries = entriesOf(path.join(context.workspace.root, place));
    return entries?.flatMap((entry) => walk(context, place, entry, { folder: '', depth: 1 }));
  },
});

function entriesOf(full: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(full, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

interface Level {
  /** Relative to the folder that is listed. */
  readonly folder: string;
  readonly depth: number;
}

function walk(context: OperationContext, place: string, entry: fs.Dirent, { folder, depth }: Level): FoundEntry[] {
  const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
  const file = `${place}/${relative}`;
  const full = path.join(context.workspace.root, file);
  if (entry.isFile()) {
    if (!seesFile(context, file)) return [];
    const bytes = visibleSize(context, file, fs.statSync(full, { throwIfNoEntry: false })?.size ?? 0);
    return [{ path: relative, isFolder: false, bytes, depth }];
  }
  if (!entry.isDirectory()) return [];
  const below = { folder: relative, depth: depth + 1 };
  const inside = (entriesOf(full) ?? []).flatMap((child) => walk(context, place, child, below));
  const bytes = inside.reduce((sum, child) => (child.isFolder ? sum : sum + child.bytes), 0);
  // A folder with no file that is seen counts as gone: nothing is kept of an empty one, in history or anywhere.
  return inside.length === 0 ? [] : [{ path: relative, isFolder: true, bytes, depth }, ...inside];
}
