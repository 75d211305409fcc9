import path from 'node:path';
import { z } from 'zod';
import { ITEM_ID_PATTERN, MUTATION_ID_PATTERN } from '../../model/ids.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { isRecordedPath } from '../../workspace/safety/paths.ts';
import { CONTENT_TYPES } from '../entry.ts';
import { isSignedBy } from '../keys.ts';
import { noteBytes, type ChainQueue, type NotedItem } from './queue.ts';
import { parseJson } from '../../model/parse-json.ts';

const itemSchema = z.strictObject({
  type: z.enum(CONTENT_TYPES),
  // An entry with any other id could be written, but never read again.
  ref: z.strictObject({
    mutation: z.string().regex(MUTATION_ID_PATTERN).optional(),
    item: z.string().regex(ITEM_ID_PATTERN).optional(),
  }),
  text: z.string().optional(),
  path: z.string().refine(isRecordedPath).optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/u)
    .optional(),
  scope: z.string().optional(),
});

const noteSchema = z.union([
  z.strictObject({
    items: z.array(itemSchema),
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/u)
      .optional(),
    sig: z
      .string()
      .regex(/^[0-9a-f]{128}$/u)
      .optional(),
  }),
  // As notes were left before they were signed.
  z.array(itemSchema).transform((items) => ({ items, key: undefined, sig: undefined })),
]);

export interface NotedBatch {
  readonly name: string;
  readonly items: readonly NotedItem[];
  /** It cannot be read, and is taken away with the others. */
  readonly isBroken: boolean;
  /** The public key that signed it; undefined when none did. */
  readonly signer: string | undefined;
  /** It bears a signature that does not fit what stands there. */
  readonly isChanged: boolean;
}

/** Undefined for a note that another process has taken. */
export function readNotes({ folder }: ChainQueue, name: string): NotedBatch | undefined {
  const text = nodeFileSystem.read(path.join(folder, name))?.toString('utf8');
  if (text === undefined) return undefined;
  const note = noteSchema.safeParse(parseJson(text)).data;
  if (note === undefined) return { name, items: [], isBroken: true, signer: undefined, isChanged: false };
  const { items, key, sig } = note;
  const isSigned = key !== undefined && sig !== undefined && isSignedBy(key, noteBytes(name, items), sig);
  const isChanged = !isSigned && (key !== undefined || sig !== undefined);
  return { name, items, isBroken: false, signer: isSigned ? key : undefined, isChanged };
}
