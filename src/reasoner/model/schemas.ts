import { z } from 'zod';
import { KNOWLEDGE_KINDS } from '../../model/knowledge.ts';

/*
 * What models are asked to answer. Every property is required, and absent values are empty: some services refuse optional
 * properties, some unions. Limits of length stand in the guard, because no service enforces them.
 */

const CERTAINTIES = ['high', 'medium', 'low'] as const;

/** A choice that is said to the model, and checked later: one wrong word must not cost a whole answer. */
function word(choices: readonly string[]) {
  return z.string().meta({ enum: choices });
}

const entity = z.object({ name: z.string(), type: z.string() });
const relation = z.object({ subject: z.string(), relation: z.string(), object: z.string() });

const finding = z.object({
  kind: word(KNOWLEDGE_KINDS),
  statement: z.string(),
  turns: z.array(z.string()),
  quote: z.string(),
  confidence: word(CERTAINTIES),
  importance: z.number(),
  subject: entity,
  attribute: z.string(),
  value: z.string(),
  from: z.string(),
  until: z.string(),
  due: z.string(),
  owner: z.string(),
  rationale: z.string(),
  trigger: z.string(),
  steps: z.array(z.string()),
  corrects: z.string(),
  retracts: z.string(),
  entities: z.array(entity),
  relations: z.array(relation),
  tags: z.array(z.string()),
  is_core_worthy: z.boolean(),
});
export type Finding = z.output<typeof finding>;

export const extractAnswer = z.object({ findings: z.array(finding) });

export const routeAnswer = z.object({
  store: z.enum(['core', 'episodic', 'semantic', 'procedural', 'vault']),
  kind: word([...KNOWLEDGE_KINDS, '']),
  entities: z.array(entity),
  relations: z.array(relation),
  tags: z.array(z.string()),
  confidence: word(CERTAINTIES),
  is_core_worthy: z.boolean(),
  summary: z.string(),
});

export const summariseAnswer = z.object({
  topic: z.string(),
  points: z.array(z.string()),
  decisions: z.array(z.string()),
  errors: z.array(z.string()),
  next: z.array(z.string()),
  tags: z.array(z.string()),
});
export type SummaryAnswer = z.output<typeof summariseAnswer>;

export const compareAnswer = z.object({
  verdict: z.enum(['same', 'refines', 'replaces', 'contradicts', 'different']),
  reason: z.string(),
});

export const inferAnswer = z.object({
  conclusions: z.array(
    z.object({ statement: z.string(), premises: z.array(z.string()), confidence: word(CERTAINTIES) }),
  ),
});

export const reflectAnswer = z.object({
  learning: z.string(),
  understanding: z.string(),
  theme: z.string(),
  questions: z.array(z.string()),
});

export const rewriteCoreAnswer = z.object({ add: z.array(z.string()), remove: z.array(z.string()) });

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
    },
  });
  return wire;
}
