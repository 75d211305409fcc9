import { z } from 'zod';
import type { TakenOut } from '../../memory/archive/plan-archive.ts';
import { applyStrategy, STRATEGIES, type Strategy } from '../../maintain/forgetting/strategies.ts';
import type { SurveyedMemory } from '../../maintain/forgetting/memory.ts';
import { roleOf } from '../../model/mutation.ts';
import { MnemeError } from '../../model/errors.ts';
import { STORES, type Store } from '../../model/provenance.ts';
import { embeddedText } from '../../search-index/passage.ts';
import type { OperationContext } from '../context.ts';
import { keyOf, openIndex, surveyMemories, type Survey, type DescribedMemory } from './survey.ts';
import { ArchiveTrial, holdsKept } from './archive-proposal.ts';
import type { ForgetMatch, ForgetPlan } from '../forget.ts';
import { defineVerb } from '../verb.ts';
import type { PlannedItem } from '../forget/plan-file.ts';
import { PendingPlans } from '../forget/plans.ts';
import { targetOf, type Target } from '../forget/target.ts';

const input = z.strictObject({
  strategy: z.enum(STRATEGIES).describe('What goes first: age, relevance (to what is going on), importance, access.'),
  stores: z.array(z.enum(STORES)).default([]).describe('Only from these stores.'),
  limit: z.number().int().min(1).max(500).default(20).describe('Most memories to show.'),
  dryRun: z.boolean().default(false).describe('Only show them; no code is given.'),
});

export type ForgetByStrategyInput = z.input<typeof input>;

/** Turns that say what is going on, the latest. */
const RECENT_TURNS = 40;

/** The first step, as `forget` has it: finds, shows and keeps the list. The memory itself is not touched. */
export const forgetByStrategy = defineVerb({
  name: 'forget strategy',
  summary: 'Show what would be archived by a strategy, to be confirmed in a second step.',
  input,
  effect: 'read',
  async run(context, { strategy, stores, limit, dryRun }): Promise<ForgetPlan> {
    if (roleOf(context.actor) === 'reader') {
      throw new MnemeError('refused', `${context.actor} may not forget anything: readers only read.`, {
        hint: '`mneme memory decay status` shows what has faded.',
      });
    }
    const survey = await surveyMemories(context);
    const { matches, more } = await findMatches(context, survey, { strategy, stores, limit });
    const notes = more > 0 ? [`${more} more would go; raise --limit to see them.`] : [];
    const shown = matches.map(({ target, why }, index) => toShown(target, why, index));
    const plan = { permanently: false, matches: shown, kept: [], notes };
    if (dryRun || matches.length === 0) return { ...plan, code: null, expires: null };
    const { code, expiresMs } = await new PendingPlans(context).add(
      matches.map(({ target }) => toPlanned(target)),
      false,
    );
    return { ...plan, code, expires: new Date(expiresMs).toISOString() };
  },
  http: { method: 'POST' },
  library: { name: 'forgetByStrategy' },
  // `mneme forget --strategy NAME`.
  cli: { path: false },
  render: async (view, plan) => (await import('../forget/render.ts')).renderPlan(view, plan),
});

interface Found {
  readonly target: Target;
  readonly why: string;
}

async function findMatches(
  context: OperationContext,
  survey: Survey,
  {
    strategy,
    stores,
    limit,
  }: { readonly strategy: Strategy; readonly stores: readonly Store[]; readonly limit: number },
): Promise<{ readonly matches: readonly Found[]; readonly more: number }> {
  const { decay, retention } = context.config;
  const wanted = survey.memories.filter(({ store }) => stores.length === 0 || stores.includes(store));
  const candidates = applyStrategy(strategy, wanted, {
    decay,
    retention,
    nowMs: survey.nowMs,
    likenessOf: strategy === 'relevance' ? await createLikeness(context, survey) : undefined,
  });
  const inFile = memoriesByFile(survey);
  const matches: Found[] = [];
  const trial = new ArchiveTrial(context);
  let left = candidates.length;
  for (const { memory, reason } of candidates) {
    if (matches.length >= limit) break;
    left -= 1;
    const target = await targetOf(context, survey.passages.get(keyOf(memory)) ?? [], memory.kind);
    if ('obstacle' in target || target.protection !== undefined) continue;
    if (holdsKept(target, inFile(target.path), survey.nowMs, context.config)) continue;
    if (await trial.take(takenOf(target))) matches.push({ target, why: reason });
  }
  return { matches, more: left };
}

/** The memories of a file, with their passages. */
function memoriesByFile({ memories, passages }: Survey): (path: string) => readonly DescribedMemory[] {
  const byPath = new Map<string, DescribedMemory[]>();
  for (const memory of memories) {
    const described = { ...memory, members: passages.get(keyOf(memory)) ?? [] };
    const known = byPath.get(memory.path);
    if (known === undefined) byPath.set(memory.path, [described]);
    else known.push(described);
  }
  return (path) => byPath.get(path) ?? [];
}

/** Scores how closely each memory relates to the most recent messages. */
async function createLikeness(
  context: OperationContext,
  { memories, passages, view }: Survey,
): Promise<(memory: SurveyedMemory) => number | undefined> {
  const index = await openIndex(context);
  const { models } = await context.homeIndex.prepare();
  const [model] = models;
  const recent = await index.view({ scopes: ['shared'], types: ['turn'] });
  const turns = await recent.read(await recent.findRecent(RECENT_TURNS));
  if (model === undefined || turns.length === 0) {
    throw new MnemeError('refused', 'Nothing can be compared with what is going on: there are no conversations yet.', {
      hint: 'Another strategy needs none: --strategy age, importance or access.',
    });
  }
  const text = turns.map((turn) => embeddedText(turn, model.withDay)).join('\n');
  const [vector] = await model.embedder.embed([text], 'query');
  const numbers = memories.flatMap((memory) => passages.get(keyOf(memory))?.[0]?.number ?? []);
  const found = vector === undefined ? new Float32Array() : await view.similarities(model.embedder.id, vector, numbers);
  const byNumber = new Map(numbers.map((number, at) => [number, found[at]]));
  return (memory) => {
    const likeness = byNumber.get(passages.get(keyOf(memory))?.[0]?.number ?? -1);
    return likeness === undefined || Number.isNaN(likeness) ? undefined : likeness;
  };
}

function takenOf({ kind, id, path, hash }: Target): TakenOut {
  return { path, item: kind === 'file' ? undefined : id, hash };
}

function toShown({ kind, id, path, text, store, time }: Target, why: string, index: number): ForgetMatch {
  return { number: index + 1, kind, id, path, text, store, time, why };
}

function toPlanned({ kind, id, source, path, hash }: Target): PlannedItem {
  return { kind, id, source, path, hash, isProtected: false, pieces: [] };
}
