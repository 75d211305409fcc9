import { z } from 'zod';
import { chooseExtractors, EXTRACTOR_NAMES } from '../../extract/extractors.ts';
import type { Config } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { PriceTable } from '../../reasoner/ledger/prices.ts';
import { modelFor } from '../../reasoner/model/models.ts';
import type { OperationContext } from '../context.ts';
import { settleHistory } from '../history/open-history.ts';
import { refuseSecretId } from '../../workspace/safety/clean-name.ts';
import { defineVerb } from '../verb.ts';
import { assertReconstructionName, reconstructionPlaces, type ReconstructionPlaces } from './places.ts';
import { prepareScratch } from './prepare.ts';
import {
  type ReconstructControls,
  type ReconstructionRecord,
  addDone,
  findRecord,
  readDone,
  writeRecord,
} from './record.ts';
import { replay, resolveExtractors, versionsOf } from './replay.ts';
import { findProvider, makeScratch, openScratch, publish, settingsFor } from './scratch-home.ts';
import { findPending } from '../extract/waiting.ts';
import { hearSession } from '../extract/extract-session.ts';

/** The expected cost of processing the conversations again, before any model is asked. */
interface ReplayEstimate {
  readonly provider: string;
  /** null where no model is asked, or none is named. */
  readonly model: string | null;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** null for a model whose price nobody told. */
  readonly usd: number | null;
}

const CHARS_PER_TOKEN = 4;
/** Instructions, schema and the known names, in front of every conversation. */
const PROMPT_TOKENS = 1800;
/** The output is a small part of what was said, but never empty. */
const OUTPUT_SHARE = 0.25;
const LEAST_OUTPUT_TOKENS = 200;
const DIARY_TOKENS = 300;

function estimateReplay(
  config: Config,
  conversations: readonly { readonly characters: number }[],
  { hasJournal, nowMs }: { readonly hasJournal: boolean; readonly nowMs: number },
): ReplayEstimate {
  const { provider, prices_usd_per_million: prices } = config.reasoner;
  if (provider === 'heuristic') return { provider, model: null, calls: 0, tokensIn: 0, tokensOut: 0, usd: 0 };
  const said = conversations.map(({ characters }) => Math.ceil(characters / CHARS_PER_TOKEN));
  const tokensIn = said.reduce((sum, tokens) => sum + tokens + PROMPT_TOKENS, 0);
  const found = said.reduce((sum, tokens) => sum + Math.max(LEAST_OUTPUT_TOKENS, tokens * OUTPUT_SHARE), 0);
  const asked = [
    { model: modelFor('extract', provider, config.reasoner), tokensIn, tokensOut: Math.round(found) },
    ...(hasJournal
      ? [
          {
            model: modelFor('summarise', provider, config.reasoner),
            tokensIn,
            tokensOut: said.length * DIARY_TOKENS,
          },
        ]
      : []),
  ];
  const table = new PriceTable(prices);
  const costs = asked.map(({ model, ...tokens }) =>
    model === undefined ? undefined : table.cost(model, tokens, nowMs),
  );
  return {
    provider,
    model: asked[0]?.model ?? null,
    calls: said.length * asked.length,
    tokensIn: asked.reduce((sum, each) => sum + each.tokensIn, 0),
    tokensOut: asked.reduce((sum, each) => sum + each.tokensOut, 0),
    usd: costs.reduce<number | null>((sum, cost) => (sum === null || cost === undefined ? null : sum + cost), 0),
  };
}

const input = z.strictObject({
  name: z.string().trim().min(1).describe('What it is called, such as v2-decisions; also the branch extract/NAME.'),
  extractors: z
    .array(z.string().trim().min(1))
    .min(1)
    .optional()
    .describe('Only these extractors, with or without their version: decisions, facts@1; all when not given.'),
  provider: z.string().trim().min(1).optional().describe('Who judges: heuristic, anthropic, openai, google …'),
  model: z.string().trim().min(1).optional().describe('The model that judges and sums up.'),
  since: z.iso.date().optional().describe('Only conversations from this day on.'),
  parallel: z.number().int().min(1).max(16).default(4).describe('Conversations that are looked at at the same time.'),
  dryRun: z.boolean().default(false).describe('Only say what it would take.'),
});

export type StartReconstructionInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export interface Reconstructed {
  readonly name: string;
  /** null for a dry run. */
  readonly branch: string | null;
  readonly sessions: { readonly done: number; readonly total: number };
  /** Whether it goes on with one that was begun before. */
  readonly isResumed: boolean;
  readonly isComplete: boolean;
  readonly extractors: readonly string[];
  /** The estimate for the remaining part. */
  readonly estimate: ReplayEstimate;
  readonly notes: readonly string[];
}

export const startReconstruction = defineVerb({
  name: 'reconstruct start',
  summary: 'Make knowledge anew from the conversations, on a branch beside what is known.',
  description:
    'Make knowledge again from all conversations, with other extractors or another model, on a branch beside the memory; go on with one that was stopped.',
  examples: ['mneme learn reconstruct start v2 --only decisions facts --dry-run'],
  input,
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: ReconstructControls): Promise<Reconstructed> =>
    runReconstruction(context, given, controls),
  http: { isLong: true },
  cli: {
    path: 'learn reconstruct start',
    formerly: ['reconstruct start'],
    args: ['name'],
    options: {
      extractors: { flag: 'only', value: 'extractors', list: 'words' },
      provider: { value: 'name' },
      model: { value: 'name' },
      since: { value: 'date' },
    },
    controls: ({ signal, report }) => ({
      signal,
      onProgress: ({ done, total, session }) => report(`looking at ${session} again  ${done} of ${total}`),
    }),
    notes: ({ notes, isComplete, branch }) => [
      ...notes,
      ...(isComplete || branch === null ? [] : ['Stopped. What was done stays; the same command goes on from there.']),
    ],
    exitCode: ({ isComplete, branch }) => (isComplete || branch === null ? 'ok' : 'failure'),
  },
  render: async (view, output) => (await import('./render.ts')).renderReconstructed(view, output),
});

export async function runReconstruction(
  context: OperationContext,
  given: Given,
  controls: ReconstructControls = {},
): Promise<Reconstructed> {
  assertReconstructionName(given.name);
  await refuseSecretId(context.workspace.redactor, given.name, 'name');
  const places = reconstructionPlaces(context.workspace.paths, given.name);
  const lock = ProcessLock.tryTake(places.lock);
  if (lock === undefined) {
    throw new MnemeError('locked', `${given.name} is being worked on by another process.`, { hint: 'Wait for it.' });
  }
  try {
    return await reconstruct(context, given, places, controls);
  } finally {
    lock.release();
  }
}

async function reconstruct(
  context: OperationContext,
  given: Given,
  places: ReconstructionPlaces,
  controls: ReconstructControls,
): Promise<Reconstructed> {
  const known = findRecord(places);
  if (known !== undefined) assertSameWish(known, given);
  const record = known ?? (await describe(context, given));
  const done = readDone(places);
  const left = record.sessions.filter((session) => !done.has(session));
  const conversations = listConversations(context).filter(({ session }) => left.includes(session));
  const hasJournal = chooseExtractors(record.extractors, []).hasJournal;
  const estimate = estimateReplay(settingsFor(context.config, record), conversations, {
    hasJournal,
    nowMs: context.clock.now(),
  });
  const base = { name: record.name, isResumed: known !== undefined, extractors: record.versions, estimate };
  const counts = (): Reconstructed['sessions'] => ({ done: readDone(places).size, total: record.sessions.length });
  if (given.dryRun) return { ...base, branch: null, sessions: counts(), isComplete: false, notes: [] };
  if (record.sessions.length === 0) {
    throw new MnemeError('not-found', 'There is no conversation to learn from.', {
      hint: 'Conversations are kept by hooks and `mneme session`, or come with `mneme import`.',
    });
  }
  if (known === undefined) writeRecord(places, record);
  await makeScratch(context, places, record);
  const scratch = await openScratch(context, places, record);
  const notes: string[] = [];
  try {
    const prepared = await prepareScratch(context, scratch.context, places, record);
    notes.push(
      ...(await replay(context, scratch.context, {
        record: prepared,
        sessions: left,
        parallel: given.parallel,
        controls,
        onDone: (session) => addDone(places, session),
      })),
    );
  } finally {
    await scratch.close();
  }
  await publish(context, places, record.name);
  const isComplete = counts().done >= record.sessions.length;
  const now = findRecord(places) ?? record;
  if (isComplete && now.state !== 'proposed') writeRecord(places, { ...now, state: 'ready' });
  return { ...base, branch: `extract/${record.name}`, sessions: counts(), isComplete, notes };
}

async function describe(context: OperationContext, given: Given): Promise<ReconstructionRecord> {
  const { config, clock } = context;
  const extractors = resolveExtractors(context, given.extractors ?? allExtractors(context));
  const provider = given.provider ?? config.reasoner.provider;
  if (findProvider(provider) === undefined) {
    throw new MnemeError('usage', `There is no provider "${provider}".`, {
      hint: 'heuristic, anthropic, openai, google or openai-compatible.',
    });
  }
  if (provider === 'heuristic' && given.model !== undefined) {
    throw new MnemeError('usage', `${given.model} needs a provider: without one no model is asked.`, {
      hint: 'Name it: --provider anthropic, or set reasoner.provider.',
    });
  }
  const git = await settleHistory(context);
  const { since } = given;
  return {
    name: given.name,
    created: new Date(clock.now()).toISOString(),
    base: await git.text(['rev-parse', 'HEAD']),
    extractors,
    versions: versionsOf(context, extractors),
    provider,
    model: given.model ?? null,
    since: since ?? null,
    sessions: listConversations(context)
      .filter(({ day }) => since === undefined || day >= since)
      .map(({ session }) => session),
    state: 'begun',
    proposals: [],
  };
}

function allExtractors({ extractors }: OperationContext): string[] {
  return [...EXTRACTOR_NAMES, ...extractors.map(({ name }) => name)];
}

/** Going on with another model than it was begun with would be two reconstructions in one. */
function assertSameWish(record: ReconstructionRecord, given: Given): void {
  const others = [
    given.provider !== undefined && given.provider !== record.provider ? 'provider' : undefined,
    given.model !== undefined && given.model !== record.model ? 'model' : undefined,
    given.since !== undefined && given.since !== record.since ? 'since' : undefined,
    given.extractors !== undefined && !isSameSet(given.extractors, record) ? 'extractors' : undefined,
  ].filter((option) => option !== undefined);
  if (others.length === 0) return;
  throw new MnemeError('conflict', `${record.name} was begun with another ${others.join(', ')}.`, {
    hint: `Start one of another name, or \`mneme learn reconstruct drop ${record.name}\` first.`,
  });
}

function isSameSet(given: readonly string[], { extractors }: ReconstructionRecord): boolean {
  const names = given.map((name) => name.replace(/@.*$/u, ''));
  return names.length === extractors.length && names.every((name) => extractors.includes(name));
}

interface KeptConversation {
  readonly session: string;
  /** The day it began. */
  readonly day: string;
  readonly characters: number;
}

/** Every conversation that has ended, oldest first: what was said later may replace what was said before. */
function listConversations(context: OperationContext): KeptConversation[] {
  return findPending(context, { withImports: true, withProcessed: true })
    .map((session): KeptConversation => {
      const { turns } = hearSession(context, session);
      const texts = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])));
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      return { session, day: turns[0]?.date ?? '', characters };
    })
    .filter(({ characters }) => characters > 0)
    .toSorted((one, other) => one.day.localeCompare(other.day));
}
