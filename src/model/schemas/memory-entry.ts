import { z } from 'zod';
import { count, fraction, textList, timestamp } from './fields.ts';

/** One memory as a self-contained record: the shape tools and exports exchange. */
export const memoryEntrySchema = z.looseObject({
  id: z.string().min(1, 'must not be empty').describe('Unique identifier.'),
  type: z.enum(['episodic', 'semantic', 'procedural', 'preference']),
  content: z.string(),
  timestamp,
  metadata: z.looseObject({
    source: z.string().optional().describe('Source file or system.'),
    category: z.string().optional(),
    importance: fraction.optional(),
    access_count: count.optional(),
    last_accessed: timestamp.optional(),
    tags: textList.optional(),
    embedding_id: z.string().optional().describe('Reference to the vector.'),
  }),
});
