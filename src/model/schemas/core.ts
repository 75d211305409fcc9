import { z } from 'zod';
import { count, text, textList, timestamp } from './fields.ts';

/** MEMORY.md: what is always in context. */
export const memorySchema = z.looseObject({
  type: z.literal('memory', { error: 'must be memory' }).optional(),
  updated: timestamp.optional(),
  line_count: count.optional(),
  scope: text.optional(),
});
export type MemoryFrontmatter = z.infer<typeof memorySchema>;

export const IDENTITY_ROLES = ['soul', 'identity', 'user', 'agents', 'tools', 'rules'] as const;
export type IdentityRole = (typeof IDENTITY_ROLES)[number];

/** SOUL, IDENTITY, USER, AGENTS and TOOLS.md; `rules` is the older name of what AGENTS.md holds. */
export const identitySchema = z.looseObject({
  type: z.literal('identity', { error: 'must be identity' }).optional(),
  role: z.enum(IDENTITY_ROLES, { error: `must be one of: ${IDENTITY_ROLES.join(', ')}` }).optional(),
  updated: timestamp.optional(),
  tags: textList.optional(),
});
export type IdentityFrontmatter = z.infer<typeof identitySchema>;
