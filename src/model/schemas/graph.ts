import { z } from 'zod';
import { confidence, flag, oneOf, text, textList, timestamp } from './fields.ts';

const ENTITY_ID_HINT = 'must be TYPE--NAME in lower case, such as person--alex';

/** `person--alex`: letters of any script, so that a name keeps its own. */
export const ENTITY_ID_PATTERN = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}-]+--[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}._-]+$/u;

export const ENTITY_STATES = ['active', 'inactive', 'planned', 'completed', 'archived', 'merged'] as const;

export const entitySchema = z.looseObject({
  id: z.string({ error: ENTITY_ID_HINT }).regex(ENTITY_ID_PATTERN, ENTITY_ID_HINT).optional(),
  type: text.optional().describe('person, project, organization, place, tool, concept … as relations.md defines.'),
  name: text.optional(),
  aliases: textList.optional(),
  status: oneOf(ENTITY_STATES).optional(),
  confidence: confidence.optional(),
  properties: z.record(z.string(), z.unknown(), { error: 'must be a mapping of property names to values' }).optional(),
  created: timestamp.optional(),
  updated: timestamp.optional(),
  pinned: flag.optional(),
  merged_into: text.optional().describe('The entity that replaced this one.'),
  scope: text.optional(),
  tags: textList.optional(),
});
export type EntityFrontmatter = z.infer<typeof entitySchema>;

export const PROPERTY_TYPES = ['text', 'number', 'date', 'boolean', 'list', 'link'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Properties as a list of names (any value) or as a mapping of names to the type of their value. */
export const entityTypeSchema = z.looseObject({
  description: text.optional(),
  properties: z
    .union([textList, z.record(z.string(), oneOf(PROPERTY_TYPES))], {
      error: `must be a list of names, or names with one of: ${PROPERTY_TYPES.join(', ')}`,
    })
    .optional(),
  relations: textList.optional().describe('Relations it may start; any when absent.'),
});

export const relationTypeSchema = z.looseObject({
  description: text.optional(),
  inverse: text.optional(),
  domain: textList.optional().describe('Entity types it may start from; any when absent.'),
  range: textList.optional().describe('Entity types it may lead to; any when absent.'),
  transitive: flag.optional(),
  symmetric: flag.optional(),
});

export const relationsSchema = z.looseObject({
  type: z.literal('relations', { error: 'must be relations' }).optional(),
  updated: timestamp.optional(),
  entity_types: z.record(z.string(), entityTypeSchema).optional(),
  relations: z.record(z.string(), relationTypeSchema).optional(),
});
