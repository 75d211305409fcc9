import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { readFileAt } from '../workspace/git/objects.ts';
import { storeOfPath } from '../workspace/formats/layout.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { OperationContext } from './context.ts';
import { findItem, looksLikeItemId } from './find-item.ts';
import { resolvePoint } from './history/open-history.ts';
import { defineOperation } from './operation.ts';
import { readWorkspaceText, toWorkspacePath } from './workspace-files.ts';

const input = z.object({
  target: z.string().min(1).describe('A file (MEMORY.md) or the id of an item.'),
  from: z.number().int().min(1).optional().describe('First line.'),
  to: z.number().int().min(1).optional().describe('Last line.'),
  at: z.string().optional().describe('As it was: a date, a tag, a mutation id, `yesterday`, `3 days ago`.'),
});

export interface ReadResult {
  readonly path: string;
  readonly store: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  readonly text: string;
  /** The commit the text is from; null for the file on disk. */
  readonly commit: string | null;
}

export type ReadInput = z.input<typeof input>;

export const read = defineOperation({
  name: 'read',
  summary: 'Show a file or an item, now or as it was.',
  input,
  effect: 'read',
  async run(context, given): Promise<ReadResult> {
    if (given.from !== undefined && given.to !== undefined && given.from > given.to) {
      throw new MnemeError('usage', `lines ${given.from}-${given.to}: the first comes after the last.`);
    }
    const item = looksLikeItemId(given.target) ? await findItem(context, given.target) : undefined;
    const path = item?.path ?? toWorkspacePath(context, given.target);
    const { text, commit } = await readVersion(context, path, given.at);
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const startLine = given.from ?? item?.startLine ?? 1;
    const endLine = Math.min(given.to ?? item?.endLine ?? lines.length, lines.length);
    if (startLine > Math.max(endLine, 1)) {
      throw new MnemeError('usage', `${path} has ${lines.length} lines; there is no line ${startLine}.`);
    }
    return {
      path,
      store: storeOfPath(path, context.layout),
      startLine,
      endLine,
      totalLines: lines.length,
      text: lines.slice(startLine - 1, endLine).join('\n'),
      commit,
    };
  },
});

async function readVersion(
  context: OperationContext,
  path: string,
  at: string | undefined,
): Promise<{ text: string; commit: string | null }> {
  if (at === undefined) return { text: await readWorkspaceText(context, path), commit: null };
  await context.workspace.drain();
  const git = context.workspace.git.workspace;
  const { commit } = await resolvePoint(context, git, at);
  const bytes = await readFileAt(git, commit, path);
  if (bytes === undefined) throw new MnemeError('not-found', `${path} did not exist at ${at}.`);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') throw new MnemeError('refused', `${path} is not text (${decoded.reason}).`);
  return { text: decoded.text, commit };
}
