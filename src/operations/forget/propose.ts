import { isArchivePath } from '../../memory/archive/record.ts';
import { planHiddenTurns } from '../../memory/forgotten-turns.ts';
import { planArchive, type Archived, type TakenOut } from '../../memory/archive/plan-archive.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import type { RequestedChange } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { NOTHING_YET, type Forgotten } from './forgotten.ts';

/** The same change as a proposal: an agent that was not told so by the user only suggests what to forget. */
export async function proposeForgetting(
  context: OperationContext,
  taken: readonly TakenOut[],
  { turns, session }: { readonly turns: readonly string[]; readonly session: string | undefined },
): Promise<Forgotten> {
  const { clock, config, layout, workspace, actor } = context;
  const parts = { root: workspace.root, clock, timeZone: config.time_zone, layout };
  const plan = planArchive(parts, taken, 'forget');
  const what = taken.length === 1 ? 'a memory' : `${taken.length} memories`;
  const proposed = await context.proposals.propose({
    kind: 'archive',
    title: `Forget ${what}`,
    why: `${actor} asked for it without the user's own word. It would be moved to the archive, from where it can come back.`,
    evidence: taken.map(({ path, item }) => (item === undefined ? path : `${path} ^${item}`)),
    actor,
    trust: 'agent',
    trigger: 'forget',
    session,
    changes: [...(await requestedChanges(context, plan, taken)), ...hiddenTurns(context, plan, turns)],
  });
  return {
    ...NOTHING_YET,
    outcome: 'proposed',
    mutation: proposed.mutation ?? null,
    proposal: proposed.id,
    warnings: proposed.outcome === 'filed' ? proposed.warnings : [OTHERWISE[proposed.outcome]],
  };
}

/** The turns that say it are hidden once somebody agrees, as they are where a person forgets. */
function hiddenTurns(
  context: OperationContext,
  { changes }: Plan<readonly Archived[]>,
  turns: readonly string[],
): RequestedChange[] {
  if (turns.length === 0) return [];
  const hidden = planHiddenTurns(turns, changes.map(({ path }) => path).filter(isArchivePath));
  if (!('edit' in hidden)) return [];
  const before = context.homeIndex.files.read({ source: 'workspace', path: hidden.path })?.text;
  return [{ path: hidden.path, before, after: hidden.edit(before) }];
}

const OTHERWISE = {
  applied: 'It was approved at once.',
  'already-open': 'The same is waiting already.',
  'rejected-before': 'The same was rejected before; a person has to do it.',
};

/**
 * The result of the plan on the present files, in its order: new files come behind the files they are made from. A file that
 * goes as a whole is moved, so that a person reads where to instead of all its lines twice.
 */
export async function requestedChanges(
  context: OperationContext,
  plan: Plan<readonly Archived[]>,
  taken: readonly TakenOut[],
): Promise<RequestedChange[]> {
  const requested: RequestedChange[] = [];
  for (const change of plan.changes) {
    const isSource = taken.some(({ path }) => path === change.path);
    const before = isSource ? await readWorkspaceText(context, change.path) : undefined;
    if ('edit' in change) requested.push({ path: change.path, before, after: change.edit(before) });
  }
  const after = new Map(requested.map((one) => [one.path, one.after]));
  const targets = new Map(plan.outcome().flatMap(({ from, item, path }) => (item === undefined ? [[from, path]] : [])));
  const moved = new Set(targets.values());
  return requested.flatMap(({ path, before, after: own }): RequestedChange[] => {
    const renameTo = targets.get(path);
    if (renameTo !== undefined) return [{ path, before, after: after.get(renameTo), renameTo }];
    return moved.has(path) ? [] : [{ path, before, after: own }];
  });
}
