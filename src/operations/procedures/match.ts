import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';
import { matchProcedures, type MatchedBy, type ProcedureMatch } from '../../memory/procedures/match.ts';
import { defineVerb } from '../verb.ts';
import { summarize, type ProcedureSummary } from './list.ts';

const input = z.object({
  message: z.string().describe('What somebody says.'),
  events: z.array(z.string()).default([]).describe('Events that happened.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
  limit: z.number().int().min(1).default(5).describe('So many at most; 5 when not given.'),
});

export type MatchProceduresInput = z.input<typeof input>;

export interface MatchedProcedure extends ProcedureSummary {
  readonly score: number;
  readonly by: MatchedBy;
  readonly why: string;
}

export const findProcedures = defineVerb({
  name: 'procedure match',
  summary: 'Find the procedures a message calls for.',
  examples: ['mneme procedure match "Please release version 2"'],
  input,
  args: ['message...'],
  effect: 'read',
  async run(context, { message, events, scope, limit }): Promise<readonly MatchedProcedure[]> {
    const scopes = scope === undefined || scope === 'shared' ? (['shared'] as const) : (['shared', scope] as const);
    const matches = matchProcedures(message, (await context.parts.procedures()).all(), { events, scopes, limit });
    return matches.map(describeMatch);
  },
  http: { method: 'POST' },
  library: { name: 'procedures.match' },
  cli: { options: { events: { flag: 'event', value: 'name', list: 'repeated' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render-procedures.ts')).renderMatches(view, output),
});

function describeMatch({ known, score, by, why }: ProcedureMatch): MatchedProcedure {
  return { ...summarize(known), score, by, why };
}
