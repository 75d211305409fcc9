import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { assertNoSymlinkEscape, parseWorkspacePath } from '../workspace/safety/paths.ts';
import { isGitDirectoryName } from '../workspace/safety/segments.ts';
import type { OperationContext } from './context.ts';

/** A workspace path as a person types it: absolute or relative paths inside the workspace are understood too. */
export function toWorkspacePath(context: OperationContext, given: string): string {
  return parseWorkspacePath(relativePath(context, given));
}

/**
 * The same for what is only read: the rules for names keep new files readable on every system, but a file that a person
 * called `a:b.md` is there all the same.
 */
export function toReadablePath(context: OperationContext, given: string): string {
  const relative = relativePath(context, given);
  const { root } = context.workspace;
  const full = path.resolve(root, relative);
  const isInside = full.startsWith(root + path.sep) && !relative.includes('\0');
  const names = path.relative(root, full).split(path.sep);
  if (!isInside || names.some(isGitDirectoryName) || !fs.existsSync(full)) return parseWorkspacePath(relative);
  return names.join('/');
}

function relativePath(context: OperationContext, given: string): string {
  const { root } = context.workspace;
  if (path.isAbsolute(given) && given.startsWith(root + path.sep)) {
    return path.relative(root, given).split(path.sep).join('/');
  }
  return given.replace(/^\.\//u, '').replace(/^workspace\//u, '');
}

/** The text of a workspace file as it is on disk. */
export async function readWorkspaceText(context: OperationContext, relative: string): Promise<string> {
  await assertNoSymlinkEscape(context.workspace.root, relative);
  const full = path.join(context.workspace.root, relative);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new MnemeError('not-found', `There is no ${relative} in the workspace.`, {
      hint: 'Paths are relative to the workspace, such as MEMORY.md or memory/episodes/2026-02-16.md.',
    });
  }
  if (stat.isDirectory()) throw new MnemeError('usage', `${relative} is a folder.`, { hint: 'Name a file in it.' });
  const decoded = decodeText(fs.readFileSync(full));
  if (decoded.kind === 'text') return decoded.text;
  throw new MnemeError('refused', `${relative} is not text (${decoded.reason}).`);
}
