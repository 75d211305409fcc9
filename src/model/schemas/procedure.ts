import { z } from 'zod';
import { confidence, count, flag, fraction, oneOf, text, textList, timestamp } from './fields.ts';

export const PROCEDURE_KINDS = ['skill', 'workflow', 'decision-tree', 'pattern'] as const;
export type ProcedureKind = (typeof PROCEDURE_KINDS)[number];

export const REFINEMENT_TYPES = ['optimization', 'bugfix', 'adaptation'] as const;
export const ON_ERROR = ['retry', 'skip', 'abort', 'fallback'] as const;
export type OnError = (typeof ON_ERROR)[number];

const milliseconds = z.number({ error: 'must be a number of milliseconds' }).min(0, 'must not be negative');

export const metricsSchema = z.looseObject({
  executions: count.optional(),
  successes: count.optional(),
  success_rate: fraction.optional(),
  average_ms: milliseconds.optional(),
  last_executed: timestamp.optional(),
});

export const refinementSchema = z.looseObject({
  time: timestamp,
  type: oneOf(REFINEMENT_TYPES),
  description: text.optional(),
  before: text.optional(),
  after: text,
  trigger: text.optional().describe('What caused it.'),
  success_rate_change: z
    .number({ error: 'must be a number from -1 to 1' })
    .min(-1, 'must be at least -1')
    .max(1, 'must be at most 1')
    .optional(),
});

export const procedureTriggerSchema = z.looseObject({
  keywords: textList.optional(),
  cron: text.optional(),
  event: text.optional(),
});

export const procedureSchema = z.looseObject({
  type: z.literal('procedure', { error: 'must be procedure' }).optional(),
  kind: oneOf(PROCEDURE_KINDS).optional(),
  id: text.optional(),
  name: text.optional(),
  version: text.optional(),
  description: text.optional(),
  status: oneOf(['active', 'paused', 'draft', 'retired']).optional(),
  priority: oneOf(['low', 'medium', 'high', 'critical']).optional(),
  triggers: procedureTriggerSchema.optional(),
  confidence: confidence.optional(),
  pattern: oneOf(['temporal', 'behavioural', 'causal']).optional().describe('For kind pattern: what sort.'),
  observations: count.optional().describe('For kind pattern: how many cases it rests on.'),
  metrics: metricsSchema.optional(),
  refinements: z.array(refinementSchema, { error: 'must be a list of refinements' }).optional(),
  learned: timestamp.optional(),
  created: timestamp.optional(),
  updated: timestamp.optional(),
  last_used: timestamp.optional(),
  pinned: flag.optional(),
  tags: textList.optional(),
});
export type ProcedureFrontmatter = z.infer<typeof procedureSchema>;
