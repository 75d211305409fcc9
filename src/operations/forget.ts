import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { STRATEGIES } from '../maintain/forgetting/strategies.ts';
import { isScope, type Store } from '../model/provenance.ts';
import type { OperationContext } from './context.ts';
import { findForgettable, type Kept, type Match } from './forget/find.ts';
import type { Forgotten, PlannedItem } from './forget/plan-file.ts';
import { PendingPlans } from './forget/plans.ts';
import { erasedTexts, findSeenReach, type TouchedPlace } from './forget/reach.ts';
import { describeUnfinished } from './forget/unfinished.ts';
import { defineVerb } from './verb.ts';

const input = z.strictObject({
  text: z
    .string()
    .max(10_000, 'is too long: say in a sentence what it is about')
    .default('')
    .describe('What to forget, in plain words.'),
  ids: z.array(z.string().trim().min(1)).max(200).default([]).describe('Items, entities, turns or files, exactly.'),
  permanently: z.boolean().default(false).describe('Erase the words everywhere, for good, instead of archiving.'),
  limit: z.number().int().min(1).max(500).optional().describe('Most memories to show; 20 when not given.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type ForgetInput = z.input<typeof input>;

export interface ForgetPlan {
  /** The code for `confirmForget`; null when there is nothing to forget. */
  readonly code: string | null;
  readonly expires: string | null;
  readonly permanently: boolean;
  readonly matches: readonly ForgetMatch[];
  /** Found, and left alone. */
  readonly kept: readonly Kept[];
  /** With `permanently`: every place of the home in which the words stand. */
  readonly touches?: readonly TouchedPlace[] | undefined;
  /** With `permanently`: copies out of reach. */
  readonly unreachable?: readonly string[] | undefined;
  /** On a terminal: what was done because the user said yes; null after a no. */
  readonly answered?: Forgotten | null | undefined;
  readonly notes: readonly string[];
}

export interface ForgetMatch {
  /** The number that `only` takes. */
  readonly number: number;
  readonly kind: Match['kind'];
  readonly id: string;
  /** In the workspace, or for a turn in raw/ or journal/live/. */
  readonly path: string;
  readonly text: string;
  readonly store: Store;
  readonly time: string | null;
  readonly why: string;
}

const LIVE_FOLDER = 'journal/live/';
const RAW_FOLDER = 'raw/';

/** The first step: finds, shows and keeps the list. The memory itself is not touched. */
export const forget = defineVerb({
  name: 'forget',
  summary: 'Show what is remembered about something, to be archived or erased in a second step.',
  description:
    'Show what is remembered about something and print a code; nothing is changed yet. `--confirm CODE` archives what was shown (it can come back), or erases it for good if it was asked for with --permanently.',
  examples: [
    'mneme forget "the old office"',
    'mneme forget --confirm 4KQ7TD --only 1,3',
    'mneme forget --strategy age --dry-run',
  ],
  input,
  args: ['text...'],
  // The list under journal/ is no part of the memory: whoever may propose may ask.
  effect: 'read',
  async run(context, given): Promise<ForgetPlan> {
    assertMayAsk(context);
    const { text, ids, permanently, limit, scope } = given;
    if (text.trim() === '' && ids.length === 0) {
      throw new MnemeError('usage', 'There is nothing to forget.', {
        hint: 'Say what: mneme forget "the old office"; or name it: --id 7k2m9x0q4t1za.',
      });
    }
    const found = await findForgettable(context, { text, ids, isPermanent: permanently, limit, scope });
    const plans = new PendingPlans(context);
    const unfinished = describeUnfinished(context.workspace.paths.journal);
    const notes = [...unfinished.map(({ message, hint }) => `${message} ${hint}`), ...found.notes];
    const { matches, short } = splitShort(found.matches, permanently);
    const kept = [...found.kept, ...short];
    const shown = matches.map(toShown);
    const reach = permanently ? await findSeenReach(context, erasedTexts(matches.flatMap(({ pieces }) => pieces))) : {};
    if (matches.length === 0) {
      return { code: null, expires: null, permanently, matches: [], kept, ...reach, notes };
    }
    const plan = await plans.add(
      matches.map((match) => toPlanned(match, permanently)),
      permanently,
      found.turns,
    );
    const expires = new Date(plan.expiresMs).toISOString();
    return { code: plan.code, expires, permanently, matches: shown, kept, ...reach, notes };
  },
  http: { method: 'POST' },
  cli: {
    section: 'everyday',
    stdin: 'text',
    options: {
      text: { value: 'what' },
      ids: {
        flag: 'id',
        value: 'id',
        list: 'repeated',
        help: 'exactly this item, entity, turn or file; may be repeated',
      },
      scope: { value: 'scope' },
    },
    extra: {
      strategy: { flags: '--strategy <name>', help: `instead of words, what goes first: ${STRATEGIES.join(', ')}` },
      store: {
        flags: '--store <store>',
        help: 'with --strategy: only from this store; may be repeated',
        isRepeated: true,
      },
      dryRun: { flags: '--dry-run', help: 'with --strategy: only show it; no code is given' },
      confirm: { flags: '--confirm <code>', help: 'archive or erase what was shown under this code' },
      only: { flags: '--only <numbers>', help: 'with --confirm: only these numbers of the list, such as 1,3' },
      alsoInside: {
        flags: '--also-inside',
        help: 'with --only: also take the words out of memories that were not chosen, for good',
      },
      said: {
        flags: '--said <turn>',
        help: 'with --confirm, for agents: the turn in which the user gave the code back',
      },
    },
    controls: () => ({}),
    around: async (typed, call): Promise<ForgetPlan> => {
      const plan = await call.run(typed.input);
      return (await import('./forget/ask.ts')).askAndForget(plan, call);
    },
    instead: async (typed) => (await import('./forget-forms.ts')).otherFormOf(typed),
  },
  render: async (view, plan) => (await import('./forget/render.ts')).renderPlan(view, plan),
});

function assertMayAsk({ actor }: OperationContext): void {
  if (roleOf(actor) !== 'reader') return;
  throw new MnemeError('refused', `${actor} may not forget anything: readers only read.`, {
    hint: '`mneme recall` shows what is remembered.',
  });
}

/** A word or two would take half the home with them. */
function splitShort(
  found: readonly Match[],
  permanently: boolean,
): { readonly matches: readonly Match[]; readonly short: readonly Kept[] } {
  const isShort = ({ pieces }: Match): boolean => permanently && erasedTexts(pieces).length === 0;
  const reason = 'has too few words of its own to be erased everywhere; forget it without --permanently';
  return {
    matches: found.filter((match) => !isShort(match)),
    short: found.filter(isShort).map(({ id, path, text }) => ({ id, path, text, reason })),
  };
}

function toShown({ kind, id, source, path, text, store, time, why }: Match, index: number): ForgetMatch {
  const folder = source === 'workspace' ? '' : source === 'raw' ? RAW_FOLDER : LIVE_FOLDER;
  return { number: index + 1, kind, id, path: folder + path, text, store, time, why };
}

function toPlanned(match: Match, permanently: boolean): PlannedItem {
  const { kind, id, source, path, hash, protection, pieces } = match;
  const isProtected = protection !== undefined;
  return { kind, id, source, path, hash, isProtected, pieces: permanently ? [...pieces] : [] };
}
