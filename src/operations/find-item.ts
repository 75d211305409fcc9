import { MnemeError } from '../model/errors.ts';
import { parseEpisodes } from '../workspace/formats/episode.ts';
import { kindOfPath } from '../workspace/formats/layout.ts';
import { blockLineRanges, findBlockById, itemRange } from '../workspace/markdown/blocks.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { OperationContext } from './context.ts';
import { readWorkspaceText } from './workspace-files.ts';

export interface ItemLocation {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const ANCHOR = /^\^?([A-Za-z0-9-]{3,64})$/u;

/** Whether what a person typed looks like an item's id (`7k2m9x0q4t1za`, with or without the caret). */
export function looksLikeItemId(text: string): boolean {
  return /^\^?[0-9a-hjkmnp-tv-z]{13}$/u.test(text) || /^\^[A-Za-z0-9-]+$/u.test(text);
}

/** Finds an item by its anchor, looking at the files as they are on disk. */
export async function findItem(context: OperationContext, given: string): Promise<ItemLocation> {
  const id = ANCHOR.exec(given)?.[1];
  if (id === undefined) throw new MnemeError('usage', `"${given}" is not an item id.`);
  const args = ['grep', '-l', '-z', '--untracked', '--no-color', '-F', '-e', `^${id}`];
  const result = await context.workspace.git.workspace.attempt(args);
  const paths = result.stdout
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
  for (const path of paths) {
    const document = parseDocument(await readWorkspaceText(context, path));
    const index = findBlockById(document, id);
    if (index === undefined) continue;
    const entry =
      kindOfPath(path, context.layout) === 'episode'
        ? parseEpisodes(document).entries.find((candidate) => candidate.id === id)
        : undefined;
    if (entry !== undefined) return { id, path, startLine: entry.startLine, endLine: entry.endLine };
    const ranges = blockLineRanges(document);
    const { start, end } = itemRange(document, index);
    return { id, path, startLine: ranges[start]?.startLine ?? 1, endLine: ranges[end - 1]?.endLine ?? 1 };
  }
  throw new MnemeError('not-found', `No item has the id ${id}.`, {
    hint: 'It may have been undone or moved: `mneme history log --text` searches the history.',
  });
}
