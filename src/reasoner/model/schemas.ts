import { z } from 'zod';
import { KNOWLEDGE_KINDS } from '../../model/knowledge.ts';

/*
 * The answers models are asked for. Every property is required, and absent values are empty: some services refuse optional
 * properties, some unions. Limits of length stand in the guard, because no service enforces them.
 *
 * Reading is more lenient: small models leave out empty values, and only the values that an answer is about are required.
 */

const CERTAINTIES = ['high', 'medium', 'low'] as const;

const words = z.string().default('');
const list = z.array(z.string()).default([]);
const flag = z.boolean().default(false);

/** A choice that is said to the model, and checked later: one wrong word must not cost a whole answer. */
function word(choices: readonly string[]) {
  return z.string().meta({ enum: choices }).default('');
}

const entity = z.object({ name: words, type: words });
const relation = z.object({ subject: words, relation: words, object: words });
const entities = z.array(entity).default([]);
const relations = z.array(relation).default([]);

const USUAL_IMPORTANCE = 0.5;

const finding = z.object({
  kind: word(KNOWLEDGE_KINDS),
  statement: z.string(),
  turns: list,
  quote: words,
  confidence: word(CERTAINTIES),
  importance: z.number().default(USUAL_IMPORTANCE),
  subject: entity.default({ name: '', type: '' }),
  attribute: words,
  value: words,
  from: words,
  until: words,
  due: words,
  owner: words,
  rationale: words,
  trigger: words,
  steps: list,
  corrects: words,
  retracts: words,
  entities: entities,
  relations: relations,
  tags: list,
  is_core_worthy: flag,
});
export type Finding = z.output<typeof finding>;

export const extractAnswer = z.object({ findings: z.array(finding) });

export const routeAnswer = z.object({
  store: z.enum(['core', 'episodic', 'semantic', 'procedural', 'vault']),
  kind: word([...KNOWLEDGE_KINDS, '']),
  entities,
  relations,
  tags: list,
  confidence: word(CERTAINTIES),
  is_core_worthy: flag,
  summary: words,
});

export const summariseAnswer = z.object({
  topic: z.string(),
  points: z.array(z.string()),
  decisions: list,
  errors: list,
  next: list,
  tags: list,
});
export type SummaryAnswer = z.output<typeof summariseAnswer>;

export const compareAnswer = z.object({
  verdict: z.enum(['same', 'refines', 'replaces', 'contradicts', 'different']),
  reason: words,
});

export const inferAnswer = z.object({
  conclusions: z.array(z.object({ statement: z.string(), premises: list, confidence: word(CERTAINTIES) })),
});

export const reflectAnswer = z.object({
  learning: z.string(),
  understanding: words,
  theme: words,
  questions: list,
});

export const rewriteCoreAnswer = z.object({ add: z.array(z.string()), remove: list });

/** One word: the shortest answer that every service can be held to. */
export const gateAnswer = z.object({ answer: z.enum(['YES', 'NO']) });

export const slugAnswer = z.object({ slug: z.string().min(1) });

export const rerankAnswer = z.object({ scores: z.array(z.number()) });

export type MentionedEntity = z.output<typeof entity>;
export type MentionedRelation = z.output<typeof relation>;

/** As services take it: plain draft 7, without what only some of them know. */
export function toWireSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...wire } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength;
      delete jsonSchema.default;
    },
  });
  return wire;
}
