import { MnemeError } from '../../model/errors.ts';
import { makePlan } from '../../memory/procedures/workflow/make-plan.ts';
import type { PlanFinding, RunPlan } from '../../memory/procedures/workflow/plan.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import type { Workflows } from './open-workflows.ts';

/** Time for a step that names none: long enough for a build, short enough to notice that it hangs. */
const STEP_TIMEOUT_MS = 300_000;

export interface PlanChoices {
  readonly byHand?: boolean | undefined;
  readonly assume?: boolean | undefined;
}

export interface PlannedRun {
  readonly plan: RunPlan;
  readonly findings: readonly PlanFinding[];
}

export function planRun({ actions, store }: Workflows, known: KnownProcedure, choices: PlanChoices = {}): PlannedRun {
  return makePlan(known, {
    actions,
    procedures: store.all(),
    defaultTimeoutMs: STEP_TIMEOUT_MS,
    byHand: choices.byHand,
    assumesMet: choices.assume,
  });
}

/** Checks that it can be run now: an active procedure, or a draft that was named explicitly. */
export function assertRunnable({ path, procedure }: KnownProcedure, { findings }: PlannedRun): void {
  const { status } = procedure.frontmatter;
  if (status === 'paused' || status === 'retired') {
    throw new MnemeError('refused', `${procedure.name} is ${status}.`, {
      hint: `Set status: active in ${path} to run it again.`,
    });
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more: \`mneme procedure show\` lists them)`;
  const line = first.line === undefined ? '' : `:${first.line}`;
  throw new MnemeError('refused', `${path}${line} cannot be run: ${first.message}${more}.`, { hint: first.hint });
}
