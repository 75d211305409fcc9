import { createHash } from 'node:crypto';
import { z } from 'zod';
import { estimateCounter } from '../../compile/tokens.ts';
import { isoTime } from '../history/open-history.ts';
import { isGenerated, sensitivityOf, storeOfPath, type Sensitivity } from '../../workspace/formats/layout.ts';
import { defineOperation, runOperation } from '../operation.ts';
import { read } from '../read.ts';
import { seesFile } from '../visible-to.ts';

const listInput = z.strictObject({
  under: z.string().max(1000).optional().describe('Only files whose path begins so.'),
});
const readInput = z.strictObject({
  path: z.string().min(1).max(1000).describe('The file, such as MEMORY.md.'),
  at: z.string().trim().min(1).max(200).optional().describe('As it was: a date, a tag, a mutation id, `yesterday`.'),
});

export type ListFilesInput = z.input<typeof listInput>;
export type ReadFileInput = z.input<typeof readInput>;

export interface ListedFile {
  readonly path: string;
  readonly store: string;
  readonly bytes: number;
  readonly modified: string;
}

export interface FileList {
  readonly files: readonly ListedFile[];
}

export const listFiles = defineOperation({
  name: 'files list',
  summary: 'The files of the workspace, with their sizes.',
  input: listInput,
  effect: 'read',
  reach: 'filtered',
  async run(context, { under = '' }): Promise<FileList> {
    const found = context.homeIndex.files.list(({ path }) => path.startsWith(under), ['workspace']);
    const files = found
      .filter(({ path }) => seesFile(context, path))
      .map(({ path, size, mtimeMs }) => ({
        path,
        store: storeOfPath(path, context.layout),
        bytes: size,
        modified: isoTime(mtimeMs),
      }));
    return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
  },
});

export interface FileText {
  readonly path: string;
  readonly store: string;
  readonly text: string;
  /** What `files save` wants back, to notice what others wrote meanwhile. */
  readonly hash: string;
  readonly tokens: number;
  readonly lines: number;
  readonly sensitivity: Sensitivity;
  /** Written by Mneme from other files; edits do not last. */
  readonly isGenerated: boolean;
  /** The commit the text is from; null for the file as it is. */
  readonly commit: string | null;
}

export const readFile = defineOperation({
  name: 'files read',
  summary: 'A whole file, with the hash that saving it needs.',
  input: readInput,
  effect: 'read',
  reach: 'filtered',
  async run(context, { path: target, at }): Promise<FileText> {
    const { path, text: body, store, commit } = await runOperation(read, context, { target, at });
    // `read` shows lines; what is saved back must be the file to the byte.
    const text =
      (at === undefined ? context.homeIndex.files.read({ source: 'workspace', path })?.text : undefined) ?? body;
    return {
      path,
      store,
      text,
      hash: hashOf(text),
      ...measure(text),
      sensitivity: sensitivityOf(path),
      isGenerated: isGenerated(path),
      commit,
    };
  },
});

export interface MeasuredText {
  readonly tokens: number;
  readonly lines: number;
}

export const measureText = defineOperation({
  name: 'files preview',
  summary: 'How many tokens and lines a text would take.',
  input: z.strictObject({ text: z.string() }),
  effect: 'read',
  reach: 'filtered',
  run: async (_context, { text }): Promise<MeasuredText> => measure(text),
});

function measure(text: string): MeasuredText {
  return { tokens: estimateCounter.count(text), lines: text === '' ? 0 : text.replace(/\n$/u, '').split('\n').length };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
