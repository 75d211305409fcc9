import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { assertNoSymlinkEscape, parseWorkspacePath } from '../workspace/safety/paths.ts';
import type { OperationContext } from './context.ts';

/** Sizes of the files directly in a workspace folder, by workspace path. */
export function readSizes(context: OperationContext, folder: string): Map<string, number> {
  const full = path.join(context.workspace.root, folder);
  const sizes = new Map<string, number>();
  if (!fs.existsSync(full)) return sizes;
  for (const entry of fs.readdirSync(full, { withFileTypes: true })) {
    if (entry.isFile()) sizes.set(`${folder}${entry.name}`, fs.statSync(path.join(full, entry.name)).size);
  }
  return sizes;
}

/** A workspace path as a person types it: absolute or relative paths inside the workspace are understood too. */
export function toWorkspacePath(context: OperationContext, given: string): string {
  const { root } = context.workspace;
  const absolute = path.isAbsolute(given) ? given : undefined;
  if (absolute !== undefined && absolute.startsWith(root + path.sep)) {
    return parseWorkspacePath(path.relative(root, absolute).split(path.sep).join('/'));
  }
  return parseWorkspacePath(given.replace(/^\.\//u, '').replace(/^workspace\//u, ''));
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
