import { hash } from 'node:crypto';
import { z } from 'zod';
import { estimateCounter } from '../../compile/tokens/estimate.ts';
import { isGenerated, sensitivityOf, storeOfPath, type Sensitivity } from '../../workspace/formats/layout.ts';
import { runOperation } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { read } from '../read.ts';
import { hideForeignItems, seesFile, visibleSize, visibleTo } from '../visible-to.ts';
import { isoTime } from '../../model/time.ts';

const listInput = z.strictObject({
  under: z.string().max(1000).optional().describe('Only files whose path begins with this.'),
});
const readInput = z.strictObject({
  path: z.string().min(1).max(1000).describe('The file, such as MEMORY.md.'),
  at: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Version to read: a date, a tag, a mutation id, `yesterday`.'),
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

export const listFiles = defineVerb({
  name: 'files list',
  summary: 'List the files of the workspace, with their sizes.',
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
        bytes: visibleSize(context, path, size),
        modified: isoTime(mtimeMs),
      }));
    return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
  },
  library: { answer: 'files' },
  cli: {
    path: 'memory files list',
    isDefault: true,
    aliases: ['ls'],
    formerly: ['files', 'files list'],
    args: ['under'],
  },
  render: async (view, list) => (await import('./render.ts')).renderFiles(view, list),
});

export interface FileText {
  readonly path: string;
  readonly store: string;
  readonly text: string;
  /** The hash that `files save` expects, to notice writes by others in the meantime. */
  readonly hash: string;
  readonly tokens: number;
  readonly lines: number;
  readonly sensitivity: Sensitivity;
  /** Written by Mneme from other files; edits do not last. */
  readonly isGenerated: boolean;
  /** The commit the text is from; null for the file as it is. */
  readonly commit: string | null;
}

export const readFile = defineVerb({
  name: 'files read',
  summary: 'Read a whole file, with the hash that saving it needs.',
  description:
    'Read a whole file, to the byte. With --json also its hash, which `memory files save` needs to notice changes of others.',
  examples: ['mneme memory files read MEMORY.md --json'],
  input: readInput,
  args: ['path'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { path: target, at }): Promise<FileText> {
    const { path, text: body, store, commit } = await runOperation(read, context, { target, at });
    // `read` shows lines, without items of other scopes; what is saved back must be the file to the byte.
    const whole = at === undefined ? context.homeIndex.files.read({ source: 'workspace', path })?.text : undefined;
    const text = whole === undefined ? body : hideForeignItems(visibleTo(context), whole);
    return {
      path,
      store,
      text,
      hash: hash('sha256', text),
      ...measure(text),
      sensitivity: sensitivityOf(path),
      isGenerated: isGenerated(path),
      commit,
    };
  },
  cli: { path: 'memory files read', formerly: ['files read'], options: { at: { value: 'when' } } },
  render: (_view, { text }) => text,
});

export interface MeasuredText {
  readonly tokens: number;
  readonly lines: number;
}

export const measureText = defineVerb({
  name: 'files preview',
  summary: 'Count the tokens and lines that a text would take.',
  description: 'Count the tokens and lines that the text on standard input would take.',
  input: z.strictObject({ text: z.string().describe('The text to count.') }),
  args: ['text'],
  effect: 'read',
  reach: 'filtered',
  run: async (_context, { text }): Promise<MeasuredText> => measure(text),
  http: { method: 'POST' },
  library: { name: 'files.measure' },
  cli: {
    path: 'memory preview',
    formerly: ['files preview'],
    args: [],
    options: { text: false },
    prepare: async (_typed, terminal) => ({ text: await terminal.readInput() }),
  },
  render: async (view, measured) => (await import('./render.ts')).renderMeasured(view, measured),
});

function measure(text: string): MeasuredText {
  return { tokens: estimateCounter.count(text), lines: text === '' ? 0 : text.replace(/\n$/u, '').split('\n').length };
}
