import { z } from 'zod';
import { isArchivePath } from '../../memory/archive/record.ts';
import { planHiddenTurns } from '../../memory/forgotten-turns.ts';
import { isArchived, planArchive, type Archived, type TakenOut } from '../../memory/archive/plan-archive.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { describeWrite, withCommit } from '../commit-or-propose.ts';
import { writeOrPropose } from '../writer-gate.ts';
import { assertNoBystanders } from './bystanders.ts';
import { partsOf } from './erase-plan.ts';
import { runErasure } from './finish.ts';
import { type Forgotten, NOTHING_YET, type PendingPlan, type PlannedItem, proposeForgetting } from './plan-file.ts';
import { PendingPlans } from './plans.ts';
import { readTurn } from './target.ts';

/** More words than these tell something; a yes is short. */
const MAX_WORDS = 12;

/** Words with which people say no, or not yet, in the languages Mneme listens to. */
const REFUSALS: ReadonlySet<string> = new Set(
  [
    'no not nope nah never none stop cancel wait hold abort refuse without',
    'dont doesnt didnt wont cant cannot shouldnt mustnt keep undo instead',
    'nein nicht nichts nie niemals ne nee stopp halt warte abbrechen behalte',
    'nunca jamás nada espera cancela detente tampoco',
    'non pas jamais rien arrête attends annule garde',
  ].flatMap((line) => line.split(' ')),
);
/** "don't", "n'efface", "kein", "keine", "keinen" … */
const REFUSING = /n't$|^n'|^kein/u;

/** Whether somebody who wrote the code back meant yes: a code can stand in a question and in a no as well. */
export function isConsent(text: string, code: string): boolean {
  const said = text
    .normalize('NFKC')
    .replaceAll(/[’‘ʼ`´]/gu, "'")
    .toLowerCase();
  const parts = said.split(new RegExp(String.raw`(?<![\p{L}\p{N}])${code.toLowerCase()}(?![\p{L}\p{N}])`, 'u'));
  if (parts.length === 1) return false;
  const rest = parts.join(' ');
  const words = rest.match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];
  const isRefused = words.some((word) => REFUSALS.has(word) || REFUSING.test(word));
  return !isRefused && !/[?？]/u.test(rest) && words.length <= MAX_WORDS;
}

const input = z.strictObject({
  code: z.string().trim().min(1).describe('The code that `forget` gave.'),
  only: z.array(z.number().int().min(1)).min(1).optional().describe('Only these numbers of the list.'),
  alsoInside: z
    .boolean()
    .default(false)
    .describe('With `only`, erasing for good: take the words out of memories that were not chosen as well.'),
  said: z
    .string()
    .optional()
    .describe('For agents: the turn (SESSION#t12) in which the user gave the code back; otherwise it is proposed.'),
  session: z.string().optional().describe('The conversation in which it was asked for.'),
});

export type ConfirmForgetInput = z.input<typeof input>;

/** The second step. One mutation archives everything chosen, or nothing is changed. */
export const confirmForget = defineVerb({
  name: 'forget confirm',
  summary: 'Archive or erase what `forget` has shown.',
  input,
  args: ['code'],
  // A confirmation by an agent becomes a proposal, which sub-agents may make; further rights are checked below.
  effect: 'read',
  reach: 'filtered',
  run(context, given): Promise<Forgotten> {
    const plans = new PendingPlans(context);
    return plans.exclusively(() => confirm(context, plans, given));
  },
  http: { method: 'POST', needs: 'propose', isLong: true },
  library: { name: 'confirmForget' },
  // `mneme forget --confirm CODE`.
  cli: {
    path: false,
    finish: withCommit,
    exitCode: ({ outcome }) => (outcome === 'erasing' ? 'failure' : 'ok'),
  },
  render: async (view, done) => (await import('./render.ts')).renderForgotten(view, done),
});

type Given = z.output<typeof input>;

const TRIGGER = 'forget';

async function confirm(context: OperationContext, plans: PendingPlans, given: Given): Promise<Forgotten> {
  const plan = plans.get(given.code);
  assertSeesPlan(context, plan);
  const done = roleOf(context.actor) === 'human' ? context.parts.finishedErasures.take(plan.code) : undefined;
  if (done !== undefined) return done;
  assertOpen(plan, context.clock.now());
  const chosen = plan.chosen === undefined ? choose(plan, given.only) : plan.chosen;
  const items = chosen.flatMap((number) => plan.items[number - 1] ?? []);
  const standing = await standingOf(context, plan, items, given.said);
  const isPart = plan.state === 'waiting' && chosen.length < plan.items.length;
  if (plan.permanently && isPart && !given.alsoInside) assertNoBystanders(context, plan, chosen);
  if (plan.permanently) return runErasure(context, plans, plan, chosen);
  const taken = items.map(({ kind, id, path, hash }): TakenOut => ({
    path,
    item: kind === 'file' ? undefined : id,
    hash,
  }));
  // A crash came between the archiving and its being noted down.
  if (isArchived(partsOf(context), taken)) {
    await plans.markUsed(plan);
    throw new MnemeError('conflict', `What the code ${plan.code} stands for is in the archive already.`);
  }
  const propose = (): Promise<Forgotten> =>
    proposeForgetting(context, taken, { turns: plan.turns ?? [], session: given.session });
  const archive = (): Promise<Forgotten> =>
    archiveItems(context, taken, {
      approval: standing === 'person' ? '—' : 'approved',
      turns: plan.turns ?? [],
      ...given,
    });
  const result = standing === 'proposes' ? await propose() : await writeOrPropose(context, archive, propose);
  await plans.markUsed(plan);
  return result;
}

/** A list made by somebody who sees more is not confirmed by who sees less. */
function assertSeesPlan(context: OperationContext, { code, items }: PendingPlan): void {
  if (visibleTo(context).seesHome || items.every(({ path }) => isSeen(context, path))) return;
  throw new MnemeError('not-found', `There is no list with the code ${code}.`, { hint: NEW_LIST });
}

/** Conversations are listed only for who may see them; files may have been moved since. */
function isSeen(context: OperationContext, path: string): boolean {
  return /^(?:raw|journal)\//u.test(path) || seesFile(context, path);
}

function assertOpen(plan: PendingPlan, nowMs: number): void {
  const { code, state, expiresMs } = plan;
  if (state === 'used') {
    throw new MnemeError('conflict', `The code ${code} was used already.`, { hint: NEW_LIST });
  }
  if (state === 'waiting' && expiresMs <= nowMs) {
    throw new MnemeError('conflict', `The code ${code} has expired: what it showed is over an hour old.`, {
      hint: NEW_LIST,
    });
  }
}

const NEW_LIST = '`mneme forget "what"` makes a new list.';

function choose({ items }: PendingPlan, only: readonly number[] | undefined): number[] {
  const all = items.map((_item, index) => index + 1);
  if (only === undefined) return all;
  const unknown = only.find((number) => number > items.length);
  if (unknown === undefined) return all.filter((number) => only.includes(number));
  throw new MnemeError('usage', `There is no number ${unknown} in the list; it has ${items.length}.`);
}

type Standing = 'person' | 'with-the-users-word' | 'proposes';

async function standingOf(
  context: OperationContext,
  plan: PendingPlan,
  items: readonly PlannedItem[],
  said: string | undefined,
): Promise<Standing> {
  const role = roleOf(context.actor);
  if (role === 'human') return 'person';
  const refuse = (why: string, hint: string): MnemeError =>
    new MnemeError('refused', `${context.actor} may not confirm this: ${why}.`, { hint });
  const byHand = `A person types: mneme forget --confirm ${plan.code}`;
  if (role === 'reader') throw refuse('readers only read', byHand);
  if (plan.permanently) throw refuse('only a person erases for good', byHand);
  if (items.some(({ isProtected }) => isProtected)) throw refuse('it holds what is pinned or in the vault', byHand);
  if (said === undefined || role !== 'main') return 'proposes';
  await assertUserSaid(context, plan, said);
  return 'with-the-users-word';
}

/** The code was made up after the list: a turn of the user that holds it is an answer to it, though maybe a no. */
async function assertUserSaid(context: OperationContext, { code }: PendingPlan, said: string): Promise<void> {
  const { index } = await context.homeIndex.prepare();
  const searched = index ?? (await scanFiles(context.homeIndex.files, context.chunkContext));
  const view = await searched.view({ scopes: ['shared'] });
  const passages = await view.read(await view.findItem(said));
  const answers = passages.filter(({ turn, trust }) => turn !== undefined && trust === 'user');
  // The turn as a whole: a passage may be only the part of it that does not say no.
  if (answers.some((passage) => isConsent(readTurn(context, passage)?.text ?? '', code))) return;
  throw new MnemeError('refused', `The user did not give the code ${code} back in ${said}.`, {
    hint: 'Show them the list and the code, and name the turn in which they answer yes with it; without, it is proposed.',
  });
}

async function archiveItems(
  context: OperationContext,
  taken: readonly TakenOut[],
  {
    approval,
    turns,
    session,
  }: {
    readonly approval: '—' | 'approved';
    readonly turns: readonly string[];
    readonly session?: string | undefined;
  },
): Promise<Forgotten> {
  const plan = planArchive(partsOf(context), taken, TRIGGER);
  const places = plan.changes.map(({ path }) => path).filter(isArchivePath);
  const hidden = turns.length === 0 ? [] : [planHiddenTurns(turns, places)];
  const result = await context.workspace.commit({
    actor: context.actor,
    approval,
    trigger: TRIGGER,
    session,
    action: 'ARCHIVE',
    // Without the words: whoever forgets something does not want it in the log.
    summary: `archived ${taken.length === 1 ? 'a memory' : `${taken.length} memories`} to be forgotten`,
    changes: [...plan.changes, ...hidden],
  });
  const { mutation, warnings } = describeWrite(result);
  return { ...NOTHING_YET, outcome: 'archived', mutation, archived: plan.outcome().map(toArchived), warnings };
}

function toArchived({ item, from, path }: Archived): Forgotten['archived'][number] {
  return { id: item ?? null, from, path };
}
