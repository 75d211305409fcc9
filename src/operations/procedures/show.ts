import { z } from 'zod';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { isCron } from '../../model/config/running.ts';
import type { DecisionNode, Step } from '../../workspace/formats/procedure.ts';
import type { PlanFinding } from '../../memory/procedures/workflow/plan.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { getProcedure, planRun } from './find-procedure.ts';
import { summarize, type ProcedureSummary } from './list.ts';

const input = z.object({ name: z.string().trim().min(1).describe('The procedure, by name or path.') });

export type ShowProcedureInput = z.input<typeof input>;

/** A procedure as it was understood, with everything that was not. */
export interface ShownProcedure extends ProcedureSummary {
  readonly preconditions: readonly string[];
  readonly stepList: readonly Step[];
  readonly tree: DecisionNode | null;
  readonly postconditions: readonly string[];
  readonly errorHandling: readonly string[];
  readonly notes: readonly string[];
  readonly learnedFrom: readonly string[];
  readonly observation: string;
  readonly adaptation: string;
  readonly refinements: readonly ShownRefinement[];
  readonly findings: readonly PlanFinding[];
}

export interface ShownRefinement {
  readonly time: string;
  readonly type: string;
  readonly description: string | null;
  readonly after: string;
  readonly successRateChange: number | null;
}

export const showProcedure = defineVerb({
  name: 'procedure show',
  summary: 'Show one procedure: when, how, how well it does, and what is wrong with its file.',
  input,
  args: ['name'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { name }): Promise<ShownProcedure> {
    const workflows = await context.parts.workflows();
    const known = getProcedure(workflows.store, name, visibleTo(context).sees);
    const { procedure } = known;
    const isRun = procedure.tree === undefined && procedure.kind !== 'pattern';
    const planned = isRun ? planRun(workflows, known).findings : [];
    const texts = (items: readonly { readonly text: string }[]): string[] => items.map(({ text }) => text);
    return {
      ...summarize(known),
      preconditions: texts(procedure.preconditions),
      stepList: procedure.steps,
      tree: procedure.tree ?? null,
      postconditions: texts(procedure.postconditions),
      errorHandling: texts(procedure.errorHandling),
      notes: texts(procedure.notes),
      learnedFrom: texts(procedure.learnedFrom),
      observation: procedure.observation,
      adaptation: procedure.adaptation,
      refinements: (procedure.frontmatter.refinements ?? []).map((one) => ({
        time: one.time,
        type: one.type,
        description: one.description ?? null,
        after: one.after,
        successRateChange: one.success_rate_change ?? null,
      })),
      findings: [...checkProcedure(known), ...planned],
    };
  },
  library: { name: 'procedures.show' },
  render: async (view, output) => (await import('./render-procedures.ts')).renderProcedure(view, output),
});

/** Lists problems of a procedure's file beside its steps: phrases, decisions and schedules that cannot work. */
function checkProcedure({ path, procedure }: KnownProcedure): PlanFinding[] {
  const findings: PlanFinding[] = [];
  const warn = (message: string, hint: string): void => {
    findings.push({ severity: 'warning', line: undefined, message, hint });
  };
  const { frontmatter, trigger, kind, tree, name } = procedure;
  const { cron, keywords = [], event } = frontmatter.triggers ?? {};
  if (cron !== undefined && !isCron(cron)) {
    warn(`"${cron}" is not a schedule, so it never runs by itself`, 'Use five fields, such as 0 6 * * *.');
  }
  if (kind !== 'pattern' && trigger === '' && cron === undefined && keywords.length === 0 && event === undefined) {
    warn(`Only its name "${name}" can call for it`, 'Say when it applies under ## Trigger.');
  }
  if (kind === 'decision-tree' && tree === undefined) {
    findings.push({
      severity: 'error',
      line: undefined,
      message: `${path} is a decision tree without a tree`,
      hint: 'Write the questions as nested bullets under ## Tree.',
    });
  }
  if (tree !== undefined) checkTree(tree, warn);
  return findings;
}

function checkTree(node: DecisionNode, warn: (message: string, hint: string) => void): void {
  for (const { answer, next } of node.branches) {
    if (typeof next !== 'string') checkTree(next, warn);
    else if (next === '') warn(`"${answer}" (${node.question}) leads nowhere`, `Write it as "${answer} → what to do".`);
  }
  const answers = node.branches.map(({ answer }) => answer.toLowerCase());
  const twice = answers.find((answer, index) => answers.indexOf(answer) !== index);
  if (twice !== undefined) warn(`"${node.question}" has the answer "${twice}" twice`, 'The first one counts.');
}
