import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { walkTree } from '../../platform/walk-tree.ts';
import { placeOf, type Layout } from '../../workspace/formats/layout.ts';

/** Where procedures may stand; the layout says which of the files there are some. */
const FOLDERS = ['memory/procedures', 'memory/scopes', 'skills'];

/** Every procedure of the workspace, by workspace path, sorted. */
export function listProcedureFiles(root: string, layout: Layout): string[] {
  return FOLDERS.flatMap((folder) => listMarkdown(root, folder))
    .filter((file) => {
      const { kind, isArchived } = placeOf(file, layout);
      return kind === 'procedure' && !isArchived;
    })
    .sort();
}

function listMarkdown(root: string, folder: string): string[] {
  try {
    return walkTree(path.join(root, folder))
      .filter((entry) => entry.isFile() && /\.md$/iu.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
