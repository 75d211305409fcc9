import { z } from 'zod';
import { PROCEDURE_KINDS, type ProcedureKind } from '../../model/schemas/procedure.ts';
import type { Scope } from '../../model/provenance.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';

const STATES = ['active', 'paused', 'draft', 'retired'] as const;

const input = z.object({
  kind: z.enum(PROCEDURE_KINDS).optional().describe('Only skills, workflows, decision trees or patterns.'),
  status: z.enum(STATES).optional().describe('Only those that are active, paused, drafts or retired.'),
});

export type ListProceduresInput = z.input<typeof input>;

/** A procedure in a list. */
export interface ProcedureSummary {
  readonly path: string;
  readonly name: string;
  readonly kind: ProcedureKind;
  readonly status: (typeof STATES)[number];
  readonly scope: Scope;
  readonly version: string;
  readonly steps: number;
  readonly trigger: string;
  readonly keywords: readonly string[];
  readonly cron: string | null;
  readonly priority: string;
  readonly executions: number;
  /** 0 to 1; null before the first run. */
  readonly successRate: number | null;
  /** Why a machine cannot change the file. */
  readonly damage: string | null;
}

export const listProcedures = defineVerb({
  name: 'procedure list',
  summary: 'List what the memory knows how to do.',
  input,
  effect: 'read',
  reach: 'filtered',
  run: async (context, { kind, status }): Promise<readonly ProcedureSummary[]> =>
    (await context.parts.procedures())
      .all()
      .filter(({ scope }) => visibleTo(context).sees(scope))
      .map(summarize)
      .filter((one) => (kind === undefined || one.kind === kind) && (status === undefined || one.status === status)),
  library: { name: 'procedures.list' },
  cli: { isDefault: true, options: { kind: { value: 'kind' }, status: { value: 'status' } } },
  render: async (view, output) => (await import('./render-procedures.ts')).renderProcedures(view, output),
});

export function summarize({ path, scope, procedure, damage }: KnownProcedure): ProcedureSummary {
  const { frontmatter, name, kind, steps, trigger } = procedure;
  const { metrics, triggers } = frontmatter;
  return {
    path,
    name,
    kind,
    status: frontmatter.status ?? 'active',
    scope,
    version: frontmatter.version ?? '1',
    steps: steps.length,
    trigger,
    keywords: triggers?.keywords ?? [],
    cron: triggers?.cron ?? null,
    priority: frontmatter.priority ?? 'medium',
    executions: metrics?.executions ?? 0,
    successRate: metrics?.success_rate ?? null,
    damage: damage ?? null,
  };
}
