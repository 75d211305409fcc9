import { z } from 'zod';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import type { CommitResult } from '../../workspace/door/request.ts';
import {
  applyExplorationPrune,
  assertNoneBeganHere,
  finishExploration,
  getExploration,
  listExplorations,
  planExploration,
  planExplorationMerge,
  planExplorationPrune,
  planReturn,
  type Exploration,
  type ExplorationMerge,
} from '../../workspace/git/explore.ts';
import type { CheckoutStep } from '../../workspace/git/checkout.ts';
import type { Git } from '../../workspace/git/git.ts';
import { changesBetween, readFileAt } from '../../workspace/git/objects.ts';
import type { OperationContext } from '../context.ts';
import { refuseSecretId } from '../../workspace/safety/clean-name.ts';
import { defineVerb } from '../verb.ts';
import { createMergeRule, describeConflict, reportConflicts, type KeptConflict } from './merge-rule.ts';
import { acceptCriticalFiles, createIds, openHistory, settleHistory } from './open-history.ts';
import { isoTime } from '../../model/time.ts';

/** An exploration that was not merged within a week was given up. */
const EXPLORE_KEEP_DAYS = 7;

/** A person who keeps saving can outrun us; nobody does so this often. */
const MAX_TRIES = 10;

export interface ExplorationInfo {
  readonly name: string;
  readonly from: string;
  readonly started: string;
  readonly isCurrent: boolean;
  /** The commits and files that merging it would bring. */
  readonly commits: number;
  readonly files: readonly string[];
}

export const startExploration = defineVerb({
  name: 'explore start',
  summary: 'Begin to try something out: from now on everything written goes to a branch.',
  examples: ['mneme history explore start what-if-postgres'],
  input: z.object({ name: z.string().trim().min(1).describe('What it is about, such as what-if-postgres.') }),
  args: ['name'],
  effect: 'write',
  async run(context, { name }): Promise<ExplorationInfo> {
    refuseReserved(context, name);
    await refuseSecretId(context.workspace.redactor, name, 'name');
    const git = await settleHistory(context);
    await goTo(context, await planExploration(git, { name, nowMs: context.clock.now() }));
    return describe(git, await getExploration(git, name));
  },
  http: { isLong: true },
  cli: { path: 'history explore start', formerly: ['explore start'] },
  render: async (view, output) => (await import('./render-explore.ts')).renderStarted(view, output),
});

/** Names that git and people read as the memory itself. */
function refuseReserved({ config }: OperationContext, name: string): void {
  const reserved = ['head', 'main', config.git.branch.toLowerCase()];
  if (!reserved.includes(name.toLowerCase())) return;
  throw new MnemeError('usage', `"${name}" cannot name an exploration: it is what the memory itself is called.`, {
    hint: 'Say what it is about: what-if-postgres.',
  });
}

export const exploreList = defineVerb({
  name: 'explore list',
  summary: 'List the explorations; `*` marks the one under way.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<ExplorationInfo[]> {
    const { git } = await openHistory(context);
    const infos: ExplorationInfo[] = [];
    for (const exploration of await listExplorations(git)) infos.push(await describe(git, exploration));
    return infos;
  },
  cli: { path: 'history explore list', isDefault: true, formerly: ['explore', 'explore list'] },
  render: async (view, output) => (await import('./render-explore.ts')).renderExplorations(view, output),
});

const nameInput = z.object({
  name: z.string().trim().min(1).optional().describe('Which one; the current one when not given.'),
});

export interface MergedExploration {
  readonly name: string;
  /** The branch it was merged into. */
  readonly into: string;
  /** null when it had changed nothing. */
  readonly mutation: string | null;
  readonly files: readonly string[];
  readonly conflicts: readonly KeptConflict[];
  readonly warnings: readonly string[];
  /** The reference that keeps its commits. */
  readonly kept: string;
}

export const mergeExploration = defineVerb({
  name: 'explore merge',
  summary: 'Keep what an exploration found: it is merged by block into where it began.',
  input: nameInput,
  args: ['name'],
  effect: 'write',
  async run(context, given): Promise<MergedExploration> {
    const git = await settleHistory(context);
    const exploration = await choose(git, given.name);
    await assertNoneBeganHere(git, exploration);
    await leave(context, git, exploration);
    const plan = await planExplorationMerge(git, exploration.name, createMergeRule(context));
    const result = await commitMerge(context, git, plan);
    if (result?.mutation !== undefined) await reportConflicts(context, result.mutation, plan.conflicts);
    await context.workspace.drain();
    return {
      name: exploration.name,
      into: exploration.from,
      mutation: result?.mutation ?? null,
      files: plan.files.map(({ path }) => path),
      conflicts: plan.conflicts.map((conflict) => describeConflict(conflict)),
      warnings: result?.warnings ?? [],
      kept: await finishExploration(git, exploration.name, { outcome: 'merged', id: createIds(context)() }),
    };
  },
  http: { isLong: true },
  cli: { path: 'history explore merge', formerly: ['explore merge'] },
  render: async (view, output) => (await import('./render-explore.ts')).renderMerged(view, output),
});

export interface DroppedExploration {
  readonly name: string;
  readonly backTo: string;
  /** The reference that keeps its commits. */
  readonly kept: string;
}

export const dropExploration = defineVerb({
  name: 'explore drop',
  summary: 'Forget an exploration: the memory is as it was before.',
  input: nameInput,
  args: ['name'],
  effect: 'write',
  async run(context, given): Promise<DroppedExploration> {
    const git = await settleHistory(context);
    const exploration = await choose(git, given.name);
    await assertNoneBeganHere(git, exploration);
    if (exploration.isCurrent) await goTo(context, planReturn(git, exploration));
    const kept = await finishExploration(git, exploration.name, { outcome: 'dropped', id: createIds(context)() });
    return { name: exploration.name, backTo: exploration.from, kept };
  },
  http: { isLong: true },
  cli: { path: 'history explore drop', formerly: ['explore drop'] },
  render: async (view, output) => (await import('./render-explore.ts')).renderDropped(view, output),
});

export interface PrunedExplorations {
  readonly dropped: readonly string[];
  /** Too old as well, but somebody is working there. */
  readonly inUse: readonly string[];
  readonly maxAgeDays: number;
}

export const pruneExplorations = defineVerb({
  name: 'explore prune',
  summary: 'Drop the explorations nobody came back to.',
  input: z.object({
    days: z.number().int().min(0).optional().describe('How old they may be; 7 when not given.'),
  }),
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<PrunedExplorations> {
    const { git } = await openHistory(context);
    const maxAgeDays = given.days ?? EXPLORE_KEEP_DAYS;
    const plan = await planExplorationPrune(git, { nowMs: context.clock.now(), maxAgeDays });
    await applyExplorationPrune(git, plan, createIds(context));
    const names = (explorations: readonly Exploration[]): string[] => explorations.map(({ name }) => name);
    return { dropped: names(plan.expired), inUse: names(plan.inUse), maxAgeDays };
  },
  http: { isLong: true },
  cli: { path: 'history explore prune', formerly: ['explore prune'] },
  render: async (view, output) => (await import('./render-explore.ts')).renderPruned(view, output),
});

async function describe(git: Git, exploration: Exploration): Promise<ExplorationInfo> {
  const { name, from, startedMs, isCurrent, branch } = exploration;
  const base = await git.attempt(['merge-base', `refs/heads/${from}`, exploration.tip]);
  const start = base.code === 0 ? base.stdout.toString('utf8').trim() : exploration.tip;
  return {
    name,
    from,
    started: isoTime(startedMs),
    isCurrent,
    commits: Number(await git.text(['rev-list', '--count', `${start}..refs/heads/${branch}`, '--'])),
    files: (await changesBetween(git, start, exploration.tip)).map(({ path }) => path),
  };
}

async function choose(git: Git, name: string | undefined): Promise<Exploration> {
  if (name !== undefined) return getExploration(git, name.replace(/^explore\//u, ''));
  const explorations = await listExplorations(git);
  const current = explorations.find((exploration) => exploration.isCurrent);
  if (current !== undefined) return current;
  throw new MnemeError('usage', 'No exploration is under way.', {
    hint:
      explorations.length === 0
        ? 'Begin one: `mneme history explore start NAME`.'
        : `Name one of these: ${explorations.map((exploration) => exploration.name).join(', ')}.`,
  });
}

/** Goes to where an exploration is to be merged, from within it or from there. */
async function leave(context: OperationContext, git: Git, exploration: Exploration): Promise<void> {
  if (exploration.isCurrent) return goTo(context, planReturn(git, exploration));
  const current = await git.text(['symbolic-ref', '--short', 'HEAD']);
  if (current === exploration.from) return;
  throw new MnemeError(
    'conflict',
    `"${exploration.name}" goes back to ${exploration.from}, but ${current} is checked out.`,
    {
      hint: `Merge or drop what is under way there first.`,
    },
  );
}

async function goTo(context: OperationContext, step: CheckoutStep): Promise<void> {
  let changed: string[] = [];
  const plan: CheckoutStep['plan'] = async (known) => {
    const files = await step.plan(known);
    changed = files.map(({ path }) => path);
    return files;
  };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    if (await context.workspace.checkOut({ ...step, plan })) return acceptCriticalFiles(context, changed);
  }
  throw new MnemeError('locked', 'The files keep changing; the memory stays where it is.', {
    hint: 'Close the program that keeps writing to the workspace and try again.',
  });
}

/** Uses the write path like every write, so that concurrent changes are merged by block as well. */
async function commitMerge(
  context: OperationContext,
  git: Git,
  { exploration, onto, files }: ExplorationMerge,
): Promise<CommitResult | undefined> {
  if (files.length === 0) return undefined;
  const changes = [];
  for (const { path, content } of files) changes.push({ path, content, base: await readFileAt(git, onto, path) });
  try {
    return await context.workspace.commit({
      actor: context.actor,
      approval: 'approved',
      trigger: `explore merge ${exploration.name}`,
      action: 'MERGE',
      summary: `merged the exploration ${exploration.name}`,
      changes,
    });
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    throw new MnemeError(error.code, `${exploration.name} was not merged: ${error.message}`, {
      hint: `${error.hint ?? ''} You are on ${exploration.from} now; the exploration is still there.`.trim(),
      cause: error,
    });
  }
}
