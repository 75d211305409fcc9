import { hash } from 'node:crypto';
import { z } from 'zod';
import { PREAMBLE } from '../../compile/fill/layout.ts';
import { diffReceipts, type ReceiptDiff } from '../../compile/receipt-diff.ts';
import type { FoundReceipt } from '../../compile/receipt-store.ts';
import type { StoredBriefing } from '../../compile/receipt.ts';
import type { Silence } from '../../compile/silence.ts';
import type { World } from '../../compile/world.ts';
import { MnemeError } from '../../model/errors.ts';
import { isScope } from '../../model/provenance.ts';
import { makeDiff } from '../../proposals/diff-text.ts';
import { asSeen, openReceipts, mayReadCore } from '../briefing.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesPrompt } from '../visible-to.ts';
import { compileIn, projectFor } from './compile-briefing.ts';
import { openPastWorld } from './past-world.ts';
import { readSilence, readTexts } from './receipt-texts.ts';
import { openWorld } from './world.ts';

const RECEIPT = 'A receipt’s id or the beginning of it, `last`, or `last~2` for the one two before.';

const showInput = z.strictObject({
  receipt: z.string().trim().min(1).describe(RECEIPT),
  recompile: z.boolean().default(false).describe('Compile it again from the state it names, and say what differs.'),
  now: z.boolean().default(false).describe('Compile it again from what is known now, and say what differs.'),
});

export type ShowReceiptInput = z.input<typeof showInput>;

export interface ShownReceipt {
  /** The stored prompt: the proof. */
  readonly stored: FoundReceipt;
  /** The prompt that the same request gives from the same state, the explanation; with `now`, the one it would give today. */
  readonly recompiled: Recompiled | null;
  /** The current text of each piece, by its id; pieces that are gone have none. */
  readonly texts: Readonly<Record<string, string>>;
  /** Why no memory was added, and which came nearest; null when one was. */
  readonly silence: Silence | null;
}

export interface Recompiled extends StoredBriefing {
  readonly difference: ReceiptDiff;
  /** The two prompts, line by line; empty when they are the same. */
  readonly promptDiff: string;
  readonly notes: readonly string[];
}

export const showReceipt = defineVerb({
  name: 'context show',
  summary: 'Show a prompt that an agent was given, with its receipt.',
  description:
    'Show a prompt that an agent was given, with its receipt: an id or its beginning, `last`, or `last~2`. With --recompile it is compiled again from the state that the receipt names, with --now from what is known now, and what differs is shown.',
  examples: ['mneme context show last', 'mneme context show last~1 --recompile'],
  input: showInput,
  args: ['receipt'],
  effect: 'read',
  async run(context, { receipt, recompile, now }): Promise<ShownReceipt> {
    const stored = getReceipt(context, receipt);
    const recompiled = recompile || now ? await recompileReceipt(context, stored, now) : null;
    const texts = await readTexts(context, [...stored.receipt.items, ...(recompiled?.receipt.items ?? [])]);
    return { stored, recompiled, texts, silence: await readSilence(context, stored) };
  },
  library: { name: 'receipts.show' },
  cli: { notes: ({ recompiled }) => recompiled?.notes ?? [] },
  render: async (view, shown) => (await import('./render-diff.ts')).renderShown(view, shown),
});

const diffInput = z.strictObject({
  before: z.string().trim().min(1).describe(`${RECEIPT} Otherwise a message, or with \`message\` a time.`),
  after: z.string().trim().min(1).describe('The same for the other side; `now` with `message`.'),
  message: z.string().max(1_000_000).optional().describe('Compile this message at both times.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
  budget: z.number().int().min(1).max(10_000_000).optional().describe('Most tokens of either prompt.'),
});

export type DiffReceiptsInput = z.input<typeof diffInput>;
type DiffGiven = z.output<typeof diffInput>;

export interface DiffedReceipts extends ReceiptDiff {
  readonly before: StoredBriefing;
  readonly after: StoredBriefing;
  readonly promptDiff: string;
  readonly notes: readonly string[];
}

export const diffBriefings = defineVerb({
  name: 'context diff',
  summary: 'Explain why two prompts differ: receipts, messages, or one message at two times.',
  description:
    'Explain why two prompts differ. Each side is a receipt (an id, `last`, `last~1`) or a message to compile now; with --message both are times (`yesterday`, 2026-03-01, a mutation, `now`) at which that message is compiled.',
  examples: ['mneme context diff last~1 last', 'mneme context diff yesterday now --message "When do we deploy?"'],
  input: diffInput,
  args: ['before', 'after'],
  effect: 'read',
  async run(context, given): Promise<DiffedReceipts> {
    const before = await openSide(context, given.before, given);
    const after = await openSide(context, given.after, given);
    const difference = diffReceipts(before.made, after.made);
    const promptDiff = diffPrompts(before.made.prompt, after.made.prompt);
    const notes = [...new Set([...before.notes, ...after.notes])];
    return { ...difference, before: before.made, after: after.made, promptDiff, notes };
  },
  http: { method: 'POST' },
  library: { name: 'receipts.diff' },
  cli: { options: { scope: { value: 'scope' }, budget: { value: 'tokens' } }, notes: ({ notes }) => notes },
  render: async (view, diff) => (await import('./render-diff.ts')).renderDiff(view, diff),
});

interface Side {
  readonly made: StoredBriefing;
  readonly notes: readonly string[];
}

async function openSide(context: OperationContext, side: string, given: DiffGiven): Promise<Side> {
  const found = given.message === undefined ? openReceipts(context).find(side) : undefined;
  // A prompt of another scope must stay hidden entirely: even its existence must not show.
  if (found !== undefined && seesPrompt(context, found.receipt.asked?.scope))
    return { made: found, notes: found.isIntact ? [] : [ERASED] };
  if (given.message === undefined && looksLikeReceipt(side)) throw noReceipt(side);
  const isNow = given.message === undefined || side.toLowerCase() === 'now';
  const world = isNow ? await openWorld(context) : await openPastWorld(context, side);
  return compileSide(context, world, given.message ?? side, given);
}

async function compileSide(
  context: OperationContext,
  world: World,
  message: string,
  { scope, budget }: DiffGiven,
): Promise<Side> {
  const { preset } = context.config.context;
  const isMainSession = mayReadCore(context, scope);
  const request = { ...NOTHING_GIVEN, message, preset, budget, scope, isMainSession };
  const { briefing } = await compileIn(context, world, request, undefined);
  return { made: { ...briefing, receipt: asSeen(context, briefing.receipt) }, notes: briefing.notes };
}

const NOTHING_GIVEN = {
  system: undefined,
  event: undefined,
  response: undefined,
  maxChars: undefined,
  session: undefined,
  source: undefined,
  project: undefined,
  told: undefined,
  isDry: true,
} as const;

const ERASED = 'Something was erased from one of the prompts since.';

function looksLikeReceipt(text: string): boolean {
  return /^0[0-9A-Z]{7,40}$/iu.test(text) || /^last(?:~\S*)?$/iu.test(text);
}

function getReceipt(context: OperationContext, wanted: string): FoundReceipt {
  const found = openReceipts(context).find(wanted);
  if (found !== undefined) return found;
  throw noReceipt(wanted);
}

function noReceipt(wanted: string): MnemeError {
  return new MnemeError('not-found', `No receipt is called ${wanted}.`, {
    hint: 'Ids stand in `mneme why` and in `mneme context --explain`; the last 2,000 are kept. To ask about these words, quote the whole message.',
  });
}

async function recompileReceipt(context: OperationContext, stored: FoundReceipt, isNow: boolean): Promise<Recompiled> {
  const { receipt } = stored;
  const { asked } = receipt;
  const world = isNow ? await openWorld(context) : await worldOf(context, stored);
  const request = {
    ...NOTHING_GIVEN,
    message: receipt.message,
    system: systemOf(stored),
    preset: receipt.preset,
    event: receipt.event ?? undefined,
    session: receipt.session ?? undefined,
    budget: asked?.budget ?? stored.budget,
    response: asked?.response ?? undefined,
    maxChars: asked?.maxChars ?? undefined,
    source: asked?.source ?? undefined,
    scope: asked?.scope ?? 'shared',
    project: projectFor(context, asked?.project ?? undefined),
    isMainSession: asked?.isMainSession ?? true,
  } as const;
  const { briefing } = await compileIn(context, world, request, modelOf(receipt.tokenizer));
  const { prompt, tokens, budget, receipt: again } = briefing;
  return {
    prompt,
    tokens,
    budget,
    receipt: again,
    difference: diffReceipts(stored, briefing),
    promptDiff: diffPrompts(stored.prompt, prompt),
    notes: [...reservations(stored), ...briefing.notes],
  };
}

/** The host's own text comes before everything else; undefined when there was none, or it was erased since. */
function systemOf({ prompt, receipt }: FoundReceipt): string | undefined {
  const expected = receipt.asked?.systemSha256;
  const end = prompt.indexOf(`\n${PREAMBLE}`);
  const system = end === -1 ? prompt : prompt.slice(0, end);
  return typeof expected === 'string' && hash('sha256', system) === expected ? system : undefined;
}

/** As it is, when nothing was written since; otherwise as it was. The clock is the receipt's. */
async function worldOf(context: OperationContext, { receipt }: FoundReceipt): Promise<World> {
  const nowMs = Date.parse(receipt.clock);
  if (receipt.journalEnd === context.workspace.journalEnd) return { ...(await openWorld(context)), nowMs };
  return openPastWorld(context, receipt.mutation ?? receipt.clock, nowMs);
}

/** An exact vocabulary is named by its encoding, which opens it again; an estimate is the same for everybody. */
function modelOf(tokenizer: string): string | undefined {
  return tokenizer.startsWith('estimate') ? undefined : tokenizer;
}

/** Lists what cannot be reproduced, so that a difference is not mistaken for an error. */
function reservations({ receipt, isIntact, keptSha256 }: FoundReceipt): string[] {
  const { asked, event, session } = receipt;
  return [
    ...(isIntact ? [] : [ERASED]),
    ...(asked?.isMessageWhole === false ? ['Only the beginning of the message was kept.'] : []),
    ...(keptSha256 === undefined ? [] : ['Secrets in the system prompt were not kept, so it is left out here.']),
    ...(receipt.message.includes('[redacted:') ? ['Secrets in the message were not kept.'] : []),
    ...(event !== null && session !== null ? ['What the session had been told by then is not known any more.'] : []),
  ];
}

function diffPrompts(before: string, after: string): string {
  return before === after
    ? ''
    : makeDiff({ path: 'prompt', text: `${before}\n` }, { path: 'prompt', text: `${after}\n` });
}
