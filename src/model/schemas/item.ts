import { z } from 'zod';
import { isScope, SOURCES, TRUST_LEVELS } from '../provenance.ts';
import { confidence, count, flag, fraction, oneOf, partialDate, text, textList, timestamp } from './fields.ts';

/**
 * The metadata of an item (episode entry, fact, bullet) beside its text. Keys are spelled as they stand in the
 * files; an absent key means the file's default.
 */
export const itemMetadataSchema = z.looseObject({
  source: oneOf(SOURCES).optional().describe('How it came to be remembered.'),
  trust: oneOf(TRUST_LEVELS).optional().describe('How far its origin is trusted; never raised by derivation.'),
  time: timestamp.optional().describe('When it happened or was said, in UTC.'),
  learned: partialDate.optional().describe('When it came to be known, where that is not when it was said.'),
  importance: fraction.optional(),
  confidence: confidence.optional(),
  session: text.optional().describe('The session it came from.'),
  turn: text.optional().describe('The turn of that session, such as t12.'),
  scope: z.string().refine(isScope, 'must be shared or KIND:NAME, such as project:apollo').optional(),
  tags: textList.optional(),
  pinned: flag.optional().describe('Never decays, never moved out by a machine.'),
  outcome: text.optional(),
  related: textList.optional().describe('Ids of related items.'),
  evidence: textList.optional().describe('Transcript turns it rests on, such as ses_a1b2#t4.'),
  extractor: text.optional().describe('Name and version of the extractor that found it.'),
  consolidated_into: text.optional().describe('The id of the knowledge this was condensed into.'),
});
export type ItemMetadata = z.infer<typeof itemMetadataSchema>;

/** A fact is bi-temporal: `from`/`until` is when it was true, `learned` when we came to know it. */
export const factMetadataSchema = itemMetadataSchema.extend({
  category: text.optional().describe('Such as work, preference, system.'),
  from: partialDate.optional().describe('True since.'),
  until: partialDate.optional().describe('True until.'),
  verified: count.optional().describe('How often it was confirmed.'),
  last_verified: partialDate.optional(),
  supersedes: textList.optional(),
  superseded_by: text.optional(),
  attribute: text.optional().describe('The property it states, where that has one value at a time: residence, port.'),
  value: text.optional().describe('The value of that property.'),
  said: textList.optional().describe('The words as they were given, where the file has others.'),
  premises: textList.optional().describe('For what was concluded: the ids it was concluded from.'),
});
export type FactMetadata = z.infer<typeof factMetadataSchema>;

export const TASK_STATES = ['open', 'active', 'blocked', 'done', 'dropped'] as const;

export const taskMetadataSchema = itemMetadataSchema.extend({
  status: oneOf(TASK_STATES).optional(),
  due: partialDate.optional(),
  owner: text.optional().describe('Whose it is, where that is not the user.'),
  closed: partialDate.optional().describe('When it was done or dropped.'),
});
export type TaskMetadata = z.infer<typeof taskMetadataSchema>;

export const DECISION_STATES = ['active', 'superseded', 'reversed', 'proposed'] as const;

export const decisionMetadataSchema = itemMetadataSchema.extend({
  status: oneOf(DECISION_STATES).optional(),
});
export type DecisionMetadata = z.infer<typeof decisionMetadataSchema>;

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
