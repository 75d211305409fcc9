import { z } from 'zod';
import { count, oneOf, text, textList, timestamp } from './fields.ts';
import { SOURCES, TRUST_LEVELS } from '../provenance.ts';

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
