import { z } from 'zod';
import { SOURCES, TRUST_LEVELS } from '../provenance.ts';
import { count, flag, fraction, oneOf, text, textList, timestamp } from './fields.ts';

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

/** An imported document or research note; foreign frontmatter is welcome, so `type` is free. */
export const referenceSchema = z.looseObject({
  type: text.optional(),
  id: text.optional(),
  title: text.optional(),
  url: text.optional(),
  author: text.optional(),
  retrieved: timestamp.optional(),
  updated: timestamp.optional(),
  source: text.optional().describe('Where it was taken from.'),
  trust: oneOf(TRUST_LEVELS).optional(),
  tags: textList.optional(),
});

/** A vault note: pinned by being there, never edited by a machine. */
export const vaultSchema = z.looseObject({
  type: text.optional(),
  id: text.optional(),
  title: text.optional(),
  created: timestamp.optional(),
  updated: timestamp.optional(),
  source: oneOf(SOURCES).optional(),
  trust: oneOf(TRUST_LEVELS).optional(),
  importance: fraction.optional(),
  pinned: flag.optional(),
  tags: textList.optional(),
});
export type VaultFrontmatter = z.infer<typeof vaultSchema>;

export const knowledgeChangeSchema = z.looseObject({
  path: text,
  action: text,
  summary: text.optional(),
  mutation: text.optional(),
});

export const transcriptSchema = z.looseObject({
  session_id: text,
  started: timestamp,
  ended: timestamp.optional(),
  timezone: text.optional().describe('The zone the turns’ hours are in; UTC when absent.'),
  model: text.optional(),
  channel: text.optional(),
  topic: text.optional(),
  tags: textList.optional(),
  tokens_in: count.optional(),
  tokens_out: count.optional(),
  knowledge_changes: z.array(knowledgeChangeSchema, { error: 'must be a list of {path, action, summary}' }).optional(),
  part: z.number().int().min(1).optional().describe('2 and up when a session was resumed after its end.'),
  first_turn: z.number().int().min(1).optional().describe('The number of the first turn in this part; 1 when absent.'),
  scope: text.optional(),
  project: text.optional().describe('The folder the agent worked in, by its last name.'),
  source: oneOf(SOURCES).optional().describe('Import when the session was taken over from another program’s log.'),
  imported_from: text.optional().describe('The program and its own id of the session, such as claude-code:0b7e….'),
  trust: oneOf(TRUST_LEVELS).optional().describe('Import for transcripts that are not the user’s own.'),
});
export type TranscriptFrontmatter = z.infer<typeof transcriptSchema>;
