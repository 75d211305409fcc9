import path from 'node:path';
import { z } from 'zod';
import { planArchive, type Archived, type TakenOut } from '../../memory/archive/plan-archive.ts';
import { isArchivePath } from '../../memory/archive/record.ts';
import { planHiddenTurns } from '../../memory/forgotten-turns.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { RequestedChange } from '../../proposals/request.ts';
import { DOCUMENT_SOURCES } from '../../search-index/passage.ts';
import type { EraseResult } from '../../workspace/erase/erase.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';

const itemSchema = z.object({
  kind: z.enum(['item', 'file', 'turn']),
  id: z.string(),
  source: z.enum(DOCUMENT_SOURCES),
  path: z.string(),
  hash: z.string(),
  isProtected: z.boolean(),
  /** The words themselves, only where they are to be erased: nothing else could say afterwards what is left to do. */
  pieces: z.array(z.string()),
});

const planSchema = z.object({
  code: z.string(),
  /** `erasing`: begun and not known to be finished, so that it goes on at the next opening. */
  state: z.enum(['waiting', 'erasing', 'used']),
  createdMs: z.number(),
  expiresMs: z.number(),
  actor: z.string(),
  permanently: z.boolean(),
  items: z.array(itemSchema),
  /** Turns of conversations that are hidden with it. */
  turns: z.array(z.string()).optional(),
  /** Words to erase that belong to no listed memory. */
  texts: z.array(z.string()).optional(),
  /** Of an erasure that has begun: the numbers that were chosen, who confirmed it, and the process that is at it. */
  chosen: z.array(z.number()).optional(),
  confirmedBy: z.string().optional(),
  process: z.number().int().positive().optional(),
  /** The boot in which that process ran, and its start: the system gives its number to another process later. */
  boot: z.string().optional(),
  started: z.string().optional(),
  /** The steps that the last try could not do, and its time; absent when it was interrupted. */
  left: z.array(z.object({ step: z.string(), what: z.string() })).optional(),
  triedMs: z.number().optional(),
});

export type PlannedItem = z.infer<typeof itemSchema>;
export type PendingPlan = z.infer<typeof planSchema>;

export const PLAN_FILE = /^[0-9A-Z]{6}\.json$/u;

/** `journal/forget/`: lists that wait for a yes, and erasures that are not finished. */
export function planFolder(journal: string): string {
  return path.join(journal, 'forget');
}

export function findPlan(journal: string, name: string): PendingPlan | undefined {
  const bytes = PLAN_FILE.test(name) ? nodeFileSystem.read(path.join(planFolder(journal), name)) : undefined;
  return bytes === undefined ? undefined : parsePlan(bytes.toString('utf8'));
}

export function serializePlan(plan: PendingPlan): string {
  return `${JSON.stringify(recode(plan, 'utf8', 'base64'))}\n`;
}

/** Undefined for what nobody can read: a crash may have left it so, and a list can be asked for again. */
function parsePlan(text: string): PendingPlan | undefined {
  try {
    const plan = planSchema.safeParse(JSON.parse(text)).data;
    return plan === undefined ? undefined : recode(plan, 'base64', 'utf8');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The words of an erasure that has begun, so that the erasure itself does not find them: interrupted, it has to know
 * what is left to do. Lists that wait are as readable as anything else, and erased like it.
 */
function recode(plan: PendingPlan, from: 'utf8' | 'base64', to: 'utf8' | 'base64'): PendingPlan {
  if (plan.state !== 'erasing') return plan;
  const recoded = (piece: string): string => Buffer.from(piece, from).toString(to);
  return {
    ...plan,
    items: plan.items.map((item) => Object.assign({}, item, { pieces: item.pieces.map(recoded) })),
    texts: plan.texts?.map(recoded),
    // The reason may name a file that is called after the words.
    left: plan.left?.map(({ step, what }) => ({ step, what: recoded(what) })),
  };
}

/** The outcome of a confirmed list. */
export interface Forgotten {
  /** `erasing`: begun, with something left (`erased.left`) that is tried again by itself. */
  readonly outcome: 'archived' | 'erased' | 'erasing' | 'proposed';
  /** null for a proposal of which the same waits already, and for an erasure of nothing but turns. */
  readonly mutation: string | null;
  readonly archived: readonly { readonly id: string | null; readonly from: string; readonly path: string }[];
  readonly proposal: string | null;
  readonly erased: EraseResult | null;
  readonly warnings: readonly string[];
  /** null until git has followed; the CLI waits for it. */
  readonly commit: string | null;
}

export const NOTHING_YET: Omit<Forgotten, 'outcome'> = {
  mutation: null,
  archived: [],
  proposal: null,
  erased: null,
  warnings: [],
  commit: null,
};

/** The erasures that opening the home has just finished, for a caller who opened it to confirm exactly that. */
export class FinishedErasures {
  readonly #byCode = new Map<string, Forgotten>();

  add(code: string, done: Forgotten): void {
    this.#byCode.set(code, done);
  }

  take(code: string): Forgotten | undefined {
    const done = this.#byCode.get(code);
    this.#byCode.delete(code);
    return done;
  }
}

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
