import { makePlan } from '../../memory/procedures/workflow/make-plan.ts';
import type { PlanFinding, RunPlan } from '../../memory/procedures/workflow/plan.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Scope } from '../../model/provenance.ts';
import { fileStem } from '../../workspace/formats/layout.ts';
import { foldName } from '../../memory/stores/registry/names.ts';
import type { KnownProcedure, Procedures } from '../../memory/procedures/procedures.ts';
import type { Workflows } from './open-workflows.ts';

/** By path, name, file name or id, or by the beginning of a name when only one begins so. */
export function getProcedure(
  store: Procedures,
  wanted: string,
  sees: (owner: Scope) => boolean = () => true,
): KnownProcedure {
  const all = store.all().filter(({ scope }) => sees(scope));
  const folded = foldName(wanted.replace(/\.md$/iu, ''));
  const exact = all.filter(
    ({ path, procedure }) =>
      path === wanted ||
      procedure.frontmatter.id === wanted ||
      foldName(procedure.name) === folded ||
      foldName(fileStem(path)) === folded,
  );
  if (exact[0] !== undefined && exact.length === 1) return exact[0];
  const found =
    exact.length > 0
      ? exact
      : all.filter(({ path, procedure }) =>
          [procedure.name, fileStem(path)].some((name) => foldName(name).startsWith(folded)),
        );
  if (found[0] !== undefined && found.length === 1) return found[0];
  if (found.length > 1) {
    throw new MnemeError('conflict', `"${wanted}" may mean several procedures.`, {
      hint: `Name one by its path: ${found.map(({ path }) => path).join(', ')}.`,
    });
  }
  throw new MnemeError('not-found', `There is no procedure "${wanted}".`, {
    hint:
      all.length === 0
        ? 'Write one under memory/procedures/, or let `mneme procedure learn` find some.'
        : '`mneme procedure list` shows those there are.',
  });
}

/** Time for a step that names none: long enough for a build, short enough to notice that it hangs. */
const STEP_TIMEOUT_MS = 300_000;

interface PlanChoices {
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
