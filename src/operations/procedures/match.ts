import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';
import { matchProcedures, type MatchedBy, type ProcedureMatch } from '../../memory/procedures/match.ts';
import { defineOperation } from '../operation.ts';
import { summarize, type ProcedureSummary } from './list.ts';

const input = z.object({
  message: z.string().describe('What somebody says.'),
  events: z.array(z.string()).default([]).describe('Events that happened.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
  limit: z.number().int().min(1).default(5),
});

export type MatchProceduresInput = z.input<typeof input>;

export interface MatchedProcedure extends ProcedureSummary {
  readonly score: number;
  readonly by: MatchedBy;
  readonly why: string;
}

export const findProcedures = defineOperation({
  name: 'procedure match',
  summary: 'The procedures a message calls for.',
  input,
  effect: 'read',
  async run(context, { message, events, scope, limit }): Promise<readonly MatchedProcedure[]> {
    const scopes = scope === undefined || scope === 'shared' ? (['shared'] as const) : (['shared', scope] as const);
    const matches = matchProcedures(message, (await context.parts.procedures()).all(), { events, scopes, limit });
    return matches.map(describeMatch);
  },
});

function describeMatch({ known, score, by, why }: ProcedureMatch): MatchedProcedure {
  return { ...summarize(known), score, by, why };
}
