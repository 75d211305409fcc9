import path from 'node:path';
import { z } from 'zod';
import { roleOf } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { type ExecutionRecord, measure } from '../../memory/procedures/executions/record.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { type Refinement, applyRefinements, retire } from '../../memory/procedures/refine/apply-refinements.ts';
import { findRefinements } from '../../memory/procedures/refine/find-refinements.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Proposed } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { getProcedure } from './find-procedure.ts';

/** Runs of a step before anything is concluded from them. */
const REFINE_MIN_RUNS = 5;
/** S1: a procedure that succeeded in less than one of ten runs, after ten, is no help. */
export const RETIRE_MIN_RUNS = 10;
const RETIRE_MAX_SUCCESS = 0.1;

const input = z.object({
  name: z.string().trim().min(1).optional().describe('Only this procedure.'),
  dryRun: z.boolean().default(false).describe('Show what the runs suggest and propose nothing.'),
});

export type RefineInput = z.input<typeof input>;

export interface FoundRefinement extends Omit<Refinement, 'edit'> {}

export interface RefinedProcedure {
  readonly path: string;
  readonly name: string;
  readonly refinements: readonly FoundRefinement[];
  /** null on a dry run. */
  readonly proposal: string | null;
  readonly outcome: Proposed['outcome'] | 'not-proposed';
}

export interface RefineResult {
  readonly procedures: readonly RefinedProcedure[];
  readonly isDryRun: boolean;
  readonly problems: readonly string[];
}

export const refineProcedures = defineVerb({
  name: 'procedure refine',
  summary: 'Propose improvements that the runs of a procedure suggest.',
  description: 'Propose improvements that the runs of a procedure suggest. Nothing changes before somebody approves.',
  input,
  effect: 'write',
  withoutLease: 'proposes',
  run: (context, given): Promise<RefineResult> => refine(context, given),
  http: { isLong: true },
  library: { name: 'procedures.refine' },
  cli: { args: ['name'], notes: ({ problems }) => problems },
  render: async (view, output) => (await import('./render-proposals.ts')).renderRefined(view, output),
});

async function refine(context: OperationContext, { name, dryRun }: z.output<typeof input>): Promise<RefineResult> {
  const { store, executions } = await context.parts.workflows();
  const { records, problems } = executions.readAll();
  const wanted = name === undefined ? store.all() : [getProcedure(store, name)];
  const refined: RefinedProcedure[] = [];
  for (const known of wanted.filter(({ damage }) => damage === undefined)) {
    const own = records.filter((record) => record.path === known.path);
    const found = findFor(known, own);
    if (found.length > 0) refined.push(await proposeFor(context, known, found, dryRun));
  }
  return { procedures: refined, isDryRun: dryRun, problems };
}

function findFor(known: KnownProcedure, own: readonly ExecutionRecord[]): Refinement[] {
  const retired = findRetirement(known, own);
  if (retired !== undefined) return [retired];
  return findRefinements(known, own, { minRuns: REFINE_MIN_RUNS });
}

function findRetirement({ procedure }: KnownProcedure, own: readonly ExecutionRecord[]): Refinement | undefined {
  if (procedure.frontmatter.pinned === true || procedure.frontmatter.status === 'retired') return undefined;
  const { executions, successes, successRate } = measure(own);
  if (successRate === null || executions < RETIRE_MIN_RUNS || successRate >= RETIRE_MAX_SUCCESS) {
    return undefined;
  }
  return {
    kind: 'retire',
    type: 'adaptation',
    steps: [],
    description: `It succeeded in ${successes} of ${executions} runs: it should no longer be offered.`,
    before: 'status: active',
    after: 'status: retired',
    evidence: own.map(({ run }) => run),
    edit: retire,
  };
}

async function proposeFor(
  context: OperationContext,
  { path: file, procedure }: KnownProcedure,
  found: readonly Refinement[],
  isDryRun: boolean,
): Promise<RefinedProcedure> {
  const refinements = found.map(({ edit: _edit, ...rest }) => rest);
  const about = { path: file, name: procedure.name, refinements };
  const version = procedure.frontmatter.version ?? '1';
  const { fresh, earlier } = withoutKnown(context, file, version, found);
  const before = nodeFileSystem.read(path.join(context.workspace.root, file))?.toString('utf8');
  if (isDryRun || before === undefined) return { ...about, proposal: null, outcome: 'not-proposed' };
  if (fresh.length === 0 && earlier !== undefined) {
    const outcome = earlier.state === 'rejected' ? 'rejected-before' : 'already-open';
    return { ...about, proposal: earlier.id, outcome };
  }
  const time = new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/u, 'Z');
  const isRetired = fresh.some(({ kind }) => kind === 'retire');
  const after = isRetired ? retire(before) : applyRefinements(before, file, fresh, time);
  if (after === before) return { ...about, proposal: null, outcome: 'not-proposed' };
  const { id, outcome } = await context.proposals.propose({
    kind: 'refinement',
    title: isRetired ? `Retire ${procedure.name}` : `Refine ${procedure.name}`,
    why: fresh.map(({ description }) => description).join('\n'),
    evidence: [...new Set(fresh.flatMap(({ evidence }) => evidence))],
    // A person who asks for suggestions has not made them: they may approve.
    actor: roleOf(context.actor) === 'human' ? 'bot:procedures' : context.actor,
    trust: 'agent',
    trigger: ['procedure refine', ...fresh.map((refinement) => signatureOf(refinement, version))].join(' '),
    changes: [{ path: file, before, after }],
  });
  return { ...about, proposal: id, outcome };
}

/** Each run makes the figures in a proposal others; what it is about stays the same. */
function signatureOf({ kind, steps }: Refinement, version: string): string {
  return [kind, ...steps, `v${version}`].join('/').replaceAll(/\s/gu, '');
}

function withoutKnown(
  context: OperationContext,
  file: string,
  version: string,
  found: readonly Refinement[],
): { readonly fresh: readonly Refinement[]; readonly earlier: Proposal | undefined } {
  const { proposals } = context.proposals.list({ kind: 'refinement' });
  const own = proposals.filter(
    ({ changes, state }) => state !== 'withdrawn' && changes.some((change) => change.path === file),
  );
  const earlierOf = (refinement: Refinement): Proposal | undefined =>
    own.find(({ trigger = '' }) => trigger.split(' ').includes(signatureOf(refinement, version)));
  const fresh = found.filter((refinement) => earlierOf(refinement) === undefined);
  return { fresh, earlier: found.map(earlierOf).find((proposal) => proposal !== undefined) };
}
