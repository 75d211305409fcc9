import path from 'node:path';
import { z } from 'zod';
import { ITEM_ID_PATTERN, MUTATION_ID_PATTERN } from '../../model/ids.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { isRecordedPath } from '../../workspace/safety/recorded-path.ts';
import { CONTENT_TYPES } from '../entry.ts';
import type { ChainQueue, NotedItem } from './queue.ts';

const itemSchema = z.strictObject({
  type: z.enum(CONTENT_TYPES),
  // An entry with any other id could be written, but never read again.
  ref: z.strictObject({
    mutation: z.string().regex(MUTATION_ID_PATTERN).optional(),
    item: z.string().regex(ITEM_ID_PATTERN).optional(),
  }),
  text: z.string().optional(),
  path: z.string().refine(isRecordedPath).optional(),
  scope: z.string().optional(),
});

export interface NotedBatch {
  readonly name: string;
  readonly items: readonly NotedItem[];
  /** It cannot be read, and is taken away with the others. */
  readonly isBroken: boolean;
}

/** Undefined for a note that another process has taken. */
export function readNotes({ folder }: ChainQueue, name: string): NotedBatch | undefined {
  const text = nodeFileSystem.read(path.join(folder, name))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const items = z.array(itemSchema).safeParse(JSON.parse(text)).data;
    return { name, items: items ?? [], isBroken: items === undefined };
  } catch (error) {
    if (error instanceof SyntaxError) return { name, items: [], isBroken: true };
    throw error;
  }
}
