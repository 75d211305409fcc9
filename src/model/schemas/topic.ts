import { z } from 'zod';
import { flag, fraction, oneOf, text, textList, timestamp } from './fields.ts';

export const TRIGGER_SCOPES = ['input', 'output', 'both'] as const;

/** Every trigger says where it looks, and what to tell the model when its own output set it off. */
const everyTrigger = {
  scope: oneOf(TRIGGER_SCOPES).optional().describe('Which side of the conversation is watched; input when absent.'),
  correction_hint: text.optional().describe('Injected on the next turn when the agent’s output matched.'),
};

const nonEmpty = (what: string): z.ZodString => z.string({ error: `must be ${what}` }).min(1, `must be ${what}`);

const words = (what: string) =>
  z.union([nonEmpty(what), z.array(text).min(1, `must be ${what}`)], { error: `must be ${what}` });

const regularExpression = nonEmpty('a regular expression').refine(isRegularExpression, 'is not a regular expression');

function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source, 'iu') instanceof RegExp;
  } catch (error) {
    // `u` refuses needless escapes such as `\-` that people copy from elsewhere; without it they are fine.
    return error instanceof SyntaxError && isLegacyRegularExpression(source);
  }
}

function isLegacyRegularExpression(source: string): boolean {
  try {
    return new RegExp(source, 'i') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const triggerSchemas = [
  z.looseObject({ type: z.literal('pattern'), match: regularExpression, ...everyTrigger }),
  z.looseObject({ type: z.literal('glob'), match: words('a glob over paths'), ...everyTrigger }),
  z.looseObject({ type: z.literal('keywords'), match: words('a list of words'), ...everyTrigger }),
  z.looseObject({ type: z.literal('mention'), match: words('a list of names'), ...everyTrigger }),
  z.looseObject({ type: z.literal('url'), match: words('a host or a glob over URLs'), ...everyTrigger }),
  z.looseObject({ type: z.literal('code'), match: words('a programming language').optional(), ...everyTrigger }),
  z.looseObject({ type: z.literal('language'), match: words('a language code'), ...everyTrigger }),
  z.looseObject({
    type: z.literal('sentiment'),
    match: oneOf(['positive', 'negative', 'urgent', 'shift']),
    threshold: fraction.optional(),
    ...everyTrigger,
  }),
  z.looseObject({ type: z.literal('webhook'), source: nonEmpty('a name'), event: text.optional(), ...everyTrigger }),
  z.looseObject({ type: z.literal('cron'), schedule: nonEmpty('a cron expression'), ...everyTrigger }),
] as const;

export const TRIGGER_TYPES = triggerSchemas.map((schema) => schema.shape.type.value);

export const triggerSchema = z.discriminatedUnion('type', triggerSchemas, {
  error: (issue) =>
    issue.code === 'invalid_union'
      ? `must be one of: ${TRIGGER_TYPES.join(', ')}`
      : 'must be a mapping, such as {type: keywords, match: [deploy, release]}',
});
export type TopicTrigger = z.infer<typeof triggerSchema>;

/** The content that an active topic adds: a path or glob, an entity id, or a query. */
export const subscriptionSchema = z.union(
  [
    nonEmpty('a path, glob or entity id'),
    z.looseObject({ path: nonEmpty('a path') }),
    z.looseObject({ entity: nonEmpty('an entity id') }),
    z.looseObject({ query: nonEmpty('a query'), limit: z.number().int().min(1).optional() }),
  ],
  { error: 'must be a path, a glob, an entity id, or one of {path}, {entity}, {query}' },
);
export type TopicSubscription = z.infer<typeof subscriptionSchema>;

export const ACTIVATIONS = ['auto', 'gated', 'manual'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;

export const topicSchema = z.looseObject({
  type: z.literal('topic', { error: 'must be topic' }).optional(),
  id: text.optional(),
  name: text.optional(),
  description: text.optional().describe('What it is for, in a sentence: what the gate and the similarity go by.'),
  triggers: z.array(triggerSchema, { error: 'must be a list of triggers' }).optional(),
  subscriptions: z.array(subscriptionSchema, { error: 'must be a list' }).optional(),
  activation: oneOf(ACTIVATIONS).optional(),
  priority: oneOf(PRIORITIES).optional(),
  similarity_threshold: fraction.optional(),
  max_context_kb: z.number({ error: 'must be a number of kilobytes' }).positive('must be more than 0').optional(),
  enabled: flag.optional(),
  updated: timestamp.optional(),
  tags: textList.optional(),
});
export type TopicFrontmatter = z.infer<typeof topicSchema>;
