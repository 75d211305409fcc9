import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { noSuchFile } from '../visible-to.ts';

const path = z.string().min(1);

/** One change of one file, as data: what it becomes is worked out under the write lock. */
export const fileChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('create'), path, text: z.string() }),
  z.strictObject({ kind: z.literal('write'), path, text: z.string() }),
  z.strictObject({ kind: z.literal('replace'), path, find: z.string().min(1), with: z.string() }),
  z.strictObject({ kind: z.literal('insert'), path, line: z.number().int().min(0), text: z.string() }),
  z.strictObject({ kind: z.literal('delete'), path }),
  z.strictObject({ kind: z.literal('rename'), path, to: path }),
]);

export type FileChange = z.output<typeof fileChange>;
/** A change that works on a file's text; renaming leaves that alone. */
export type TextChange = Exclude<FileChange, { readonly kind: 'rename' }>;

/** The text of a file after a change; undefined when it is gone. */
export function applyChange(change: TextChange, current: string | undefined): string | undefined {
  switch (change.kind) {
    case 'create':
      if (current !== undefined) throw exists(change.path);
      return change.text;
    case 'write':
      return change.text;
    case 'replace':
      return replaceOnce(change, must(change.path, current));
    case 'insert':
      return insertAfter(change, must(change.path, current));
    case 'delete':
      must(change.path, current);
      return undefined;
  }
}

export function exists(path: string): MnemeError {
  return new MnemeError('conflict', `There is a ${path} already.`, { hint: 'Change it, or choose another name.' });
}

function must(path: string, current: string | undefined): string {
  if (current === undefined) throw noSuchFile(path);
  return current;
}

/** 1-based lines in which a text begins; empty when it stands nowhere. */
export function linesOf(text: string, find: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + 1)) {
    lines.push(text.slice(0, at).split('\n').length);
  }
  return lines;
}

function replaceOnce({ path, find, with: replacement }: TextChange & { kind: 'replace' }, current: string): string {
  const [first, ...others] = linesOf(current, find);
  if (first === undefined) {
    throw new MnemeError('not-found', `The text to replace is not in ${path}.`, {
      hint: 'Read the file as it is now; spaces and line ends count.',
    });
  }
  if (others.length > 0) {
    throw new MnemeError(
      'conflict',
      `The text to replace stands in ${path} more than once (lines ${first}, ${others.join(', ')}).`,
      {
        hint: 'Take in more of what stands around it.',
      },
    );
  }
  const at = current.indexOf(find);
  return current.slice(0, at) + replacement + current.slice(at + find.length);
}

/** Lines as an editor counts them: a line end at the end of the file begins no new one. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function insertAfter({ path, line, text }: TextChange & { kind: 'insert' }, current: string): string {
  const lines = splitLines(current);
  if (line > lines.length) {
    throw new MnemeError('usage', `${path} has ${lines.length} lines; nothing can be put after line ${line}.`);
  }
  const inserted = text.endsWith('\n') ? text.slice(0, -1) : text;
  const end = current === '' || current.endsWith('\n') ? '\n' : '';
  return `${lines.toSpliced(line, 0, inserted).join('\n')}${end}`;
}
