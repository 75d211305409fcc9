import { locateMemory } from '../../memory/archive/locate.ts';
import { planRemoval, type TakenOut } from '../../memory/archive/plan-archive.ts';
import { errorMessage } from '../../model/errors.ts';
import { bootId, processStart } from '../../platform/machine.ts';
import type { Change } from '../../workspace/door/request.ts';
import { eraseEverywhere, type EraseResult, type LeftOver } from '../../workspace/erase/erase.ts';
import { placeOf } from '../../workspace/formats/layout.ts';
import type { OperationContext } from '../context.ts';
import { settleReflections } from '../proposals/reflection-pages.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { type Forgotten, NOTHING_YET, type PendingPlan } from './plan-file.ts';
import type { PendingPlans } from './plans.ts';
import { erasedTexts } from './reach.ts';

/**
 * Takes the memories of a plan out of their files, then their words out of everything. What cannot be done now is
 * written into the plan, which stays `erasing` until a later run has done it; so does one that was killed.
 */
export async function erasePlan(
  context: OperationContext,
  plans: PendingPlans,
  plan: PendingPlan,
  chosen: readonly number[],
): Promise<Forgotten & { readonly erased: EraseResult }> {
  const items = chosen.flatMap((number) => plan.items[number - 1] ?? []);
  const taken = items.flatMap(({ kind, id, path, hash, source }): TakenOut[] =>
    source === 'workspace' ? [{ path, item: kind === 'file' ? undefined : id, hash }] : [],
  );
  const isResumed = plan.state === 'erasing';
  // Changes since the plan were made by the interrupted run: the erasure continues with the present text.
  const due = isResumed
    ? taken.filter((one) => isThere(context, one)).map(({ path, item }) => ({ path, item }))
    : taken;
  // A write that waits in this process would bring the words back once it is made.
  await context.writes.flush();
  if (!isResumed) await removeOnTrial(context, planRemoval(partsOf(context), due).changes);
  const begun: PendingPlan = {
    ...plan,
    state: 'erasing',
    chosen: [...chosen],
    confirmedBy: context.actor,
    process: process.pid,
    boot: bootId(),
    started: processStart(process.pid),
    left: undefined,
  };
  await plans.write(begun);
  context.workspace.registries.onEraseStep?.(MEMORIES);
  let mutation: string | null = null;
  const removal = await attempt(MEMORIES, async () => {
    mutation = await removeMemories(context, due);
  });
  const texts = [...(plan.texts ?? []), ...erasedTexts(items.flatMap(({ pieces }) => pieces))];
  const erased = await eraseEverywhere(context.workspace, texts, context.actor, plan.left);
  // The page that shows the waiting reflection was rewritten with the words; now it follows the proposals again.
  const pages = await attempt('pages', () => settleReflections(context));
  const left = [...removal, ...erased.left, ...pages];
  if (left.length === 0) {
    await plans.markUsed(plan);
    return { ...NOTHING_YET, outcome: 'erased', mutation, erased };
  }
  await plans.write({
    ...begun,
    process: undefined,
    boot: undefined,
    started: undefined,
    left,
    triedMs: context.clock.now(),
  });
  const note = `What is left is tried again by itself; \`mneme forget --confirm ${plan.code}\` does it now.`;
  return { ...NOTHING_YET, outcome: 'erasing', mutation, erased: { ...erased, left, notes: [...erased.notes, note] } };
}

const MEMORIES = 'memories';

async function attempt(step: string, body: () => Promise<void>): Promise<LeftOver[]> {
  try {
    await body();
    return [];
  } catch (error) {
    return [{ step, what: `${step} (${errorMessage(error)})` }];
  }
}

async function removeMemories(context: OperationContext, due: readonly TakenOut[]): Promise<string | null> {
  if (due.length === 0) return null;
  const { mutation } = await context.workspace.commit({
    actor: context.actor,
    approval: '—',
    trigger: 'forget',
    action: 'DELETE',
    summary: 'took out what is to be erased permanently',
    isErasure: true,
    changes: planRemoval(partsOf(context), due).changes,
  });
  return mutation ?? null;
}

/** Reports changes since the plan before anything is marked as begun. */
async function removeOnTrial(context: OperationContext, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    if ('edit' in change) change.edit(await readWorkspaceText(context, change.path));
  }
}

function isThere({ homeIndex, layout }: OperationContext, { path, item }: TakenOut): boolean {
  const file = homeIndex.files.read({ source: 'workspace', path });
  if (file === undefined || item === undefined) return file !== undefined;
  return locateMemory(path, file.text, item, placeOf(path, layout).kind) !== undefined;
}

export function partsOf(context: OperationContext): Parameters<typeof planRemoval>[0] {
  const { clock, config, layout, workspace } = context;
  return { root: workspace.root, clock, timeZone: config.time_zone, layout };
}
