import { hash } from 'node:crypto';
import { z } from 'zod';
import { joinSections } from '../compile/fill/layout.ts';
import { PRESETS } from '../compile/limits.ts';
import { FORMATS, toAnthropic, toOpenAi, type AnthropicMessages, type OpenAiMessages } from '../compile/messages.ts';
import { EVENTS, START_SOURCES, type Briefing, type Receipt, type StartSource } from '../compile/receipt.ts';
import { ReceiptStore } from '../compile/receipt-store.ts';
import { compacted, NOTHING_TOLD, ToldStore, type Told } from '../compile/told-store.ts';
import { PrivateSessions } from '../capture/private-sessions.ts';
import { errorMessage } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { isScope, type Scope } from '../model/provenance.ts';
import { isPrivateEnvironment } from '../platform/environment.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { compileIn, projectFor } from './briefing/compile-briefing.ts';
import { openWorld } from './briefing/world.ts';
import type { OperationContext } from './context.ts';
import { defineVerb } from './verb.ts';
import { visibleTo } from './visible-to.ts';

const input = z.strictObject({
  message: z.string().max(1_000_000).default('').describe('The message that the agent is about to answer.'),
  preset: z.enum(PRESETS).optional().describe('Size of the prompt; `context.preset` when not given.'),
  budget: z.number().int().min(1).max(10_000_000).optional().describe('Most tokens, instead of the preset’s.'),
  reserve: z.number().int().min(0).max(10_000_000).optional().describe('Of these, tokens to keep free for the answer.'),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Model whose tokens are counted (gpt-5, claude-…, o200k_base); a safe estimate when not given.'),
  system: z
    .string()
    .max(1_000_000)
    .optional()
    .describe('The host’s own system prompt: stands first, is never cut, and counts.'),
  format: z
    .enum(FORMATS)
    .default('text')
    .describe('Format of the answer; anthropic and openai give the messages of a request, with the message in it.'),
  at: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('Compile it as it would have been then: a date, a time, a mutation, a tag or a commit.'),
  session: z.string().trim().min(1).max(200).optional().describe('The present conversation; its last turns are added.'),
  event: z
    .enum(EVENTS)
    .optional()
    .describe('prompt: only what is remembered about the message, or nothing; session-start: what comes before any.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Besides what is shared, what belongs to this scope.'),
  project: z
    .union([z.string(), z.array(z.string()).max(10)])
    .optional()
    .describe('The folder worked in, or the names of the project: what belongs to it comes first.'),
  source: z
    .enum(START_SOURCES)
    .optional()
    .describe('Why a session starts. Only after resume the agent still knows what it was told in it.'),
  maxChars: z.number().int().min(1).optional().describe('Most characters, for programs that cut off what is longer.'),
});

export type BriefingInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export interface FormattedBriefing extends Briefing {
  /** As the messages of a request, when a format was asked for. */
  readonly formatted?: AnthropicMessages | OpenAiMessages | undefined;
}

export const briefing = defineVerb({
  name: 'context',
  summary: 'Compile what an agent should know before it answers, with a receipt.',
  description:
    'Compile what an agent should know before it answers: who it is, core memory, projects and recent days, the topics and procedures the message calls for, and what is remembered about it. `-` reads the message from standard input. `context show RECEIPT` and `context diff A B` look at prompts that were compiled.',
  examples: [
    'mneme context "What should I bring to the dentist?"',
    'mneme context "When do we deploy?" --budget 2000 --explain',
    'mneme context "When do we deploy?" --format anthropic',
  ],
  input,
  args: ['message...'],
  effect: 'read',
  async run(context, given): Promise<FormattedBriefing> {
    const { clock } = context;
    const { event, session } = given;
    const source = event === 'session-start' ? (given.source ?? 'startup') : undefined;
    // An explicit request (no event) returns everything, injected before or not.
    const store = session === undefined || event === undefined ? undefined : openTold(context);
    const told = session === undefined ? undefined : store && toldBefore(store, session, source, clock.now());
    const world = await openWorldOf(context, given.at);
    // A question from a private session leaves no trace, receipts included.
    const isPrivate =
      isPrivateEnvironment() ||
      (session !== undefined && new PrivateSessions(nodeFileSystem, context.workspace.paths.journal).has(session));
    const request = { ...requestOf(context, given), source, told, isDry: given.at !== undefined || isPrivate };
    const { briefing: compiled, toldKeys } = await compileIn(context, world, request, given.model);
    const problems = isPrivate ? [] : [await keep(context, compiled)];
    if (store !== undefined && session !== undefined && told !== undefined && given.at === undefined && !isPrivate) {
      problems.push(await keepTold(store, session, told, { toldKeys, isStart: source !== undefined }));
    }
    const unknown = event === undefined ? unknownSession(compiled, session) : undefined;
    const notes = [...compiled.notes, ...[...problems, unknown].filter((problem) => problem !== undefined)];
    return { ...compiled, receipt: asSeen(context, compiled.receipt), notes, ...formatted(compiled, given) };
  },
  http: { method: 'POST' },
  cli: {
    section: 'everyday',
    stdin: 'message',
    options: {
      budget: { value: 'tokens' },
      reserve: { value: 'tokens' },
      model: { value: 'name' },
      session: { value: 'id' },
      scope: { value: 'scope' },
      project: { value: 'folder' },
      at: { value: 'when' },
      source: false,
      maxChars: false,
    },
    extra: {
      explain: { flags: '--explain', help: 'show the receipt: everything that was looked at, and why it is in or out' },
    },
    isJson: ({ input: { format } }) => format === 'json',
    notes: ({ notes, prompt, receipt }, { input: { format }, extra }) =>
      prompt === '' && format !== 'json' && extra['explain'] !== true ? [...notes, nothingToTell(receipt)] : notes,
  },
  async render(view, compiled, _given, { explain }) {
    if (explain === true) {
      const { renderReceipt } = await import('./briefing/render-receipt.ts');
      return renderReceipt(view, { ...compiled, isIntact: true });
    }
    if (compiled.formatted !== undefined) return `${JSON.stringify(compiled.formatted, null, 2)}\n`;
    return compiled.prompt === '' ? '' : `${compiled.prompt}\n`;
  },
});

/** Without how much there is in the memory as a whole, and how far it was: that tells of every scope. */
export function asSeen(context: OperationContext, receipt: Receipt): Receipt {
  if (visibleTo(context).seesHome) return receipt;
  const decision = receipt.decision === null ? null : { ...receipt.decision, evidence: null };
  return { ...receipt, mutation: null, journalEnd: '', decision };
}

/** The receipt knows why. */
function nothingToTell({ decision, items }: Receipt): string {
  const reason = decision?.reason ?? items.find(({ included }) => !included)?.reason;
  return `There is nothing to tell about that${reason === undefined ? '' : `: ${reason}`}.`;
}

/** A session that is unknown was mistyped, or has not begun yet. */
function unknownSession({ receipt }: Briefing, session: string | undefined): string | undefined {
  if (session === undefined || receipt.items.some(({ slot }) => slot === 'P4')) return undefined;
  return `Nothing was said in a session ${session}, so no turn of it is told.`;
}

function formatted(compiled: Briefing, { format, message }: Given): Pick<FormattedBriefing, 'formatted'> {
  if (format === 'anthropic') return { formatted: toAnthropic(compiled, message) };
  return format === 'openai' ? { formatted: toOpenAi(compiled, message) } : {};
}

/** The past is loaded when it is asked for: hooks never do. */
async function openWorldOf(context: OperationContext, at: string | undefined): ReturnType<typeof openWorld> {
  if (at === undefined) return openWorld(context);
  const { openPastWorld } = await import('./briefing/past-world.ts');
  return openPastWorld(context, at);
}

function requestOf(context: OperationContext, given: Given) {
  const { message, event, budget, session, maxChars, system } = given;
  return {
    message,
    event,
    budget,
    maxChars,
    session,
    system,
    response: given.reserve,
    project: projectFor(context, given.project),
    preset: given.preset ?? (event === undefined ? context.config.context.preset : 'hook'),
    scope: given.scope ?? 'shared',
    isMainSession: mayReadCore(context, given.scope),
  } as const;
}

function openTold({ workspace }: OperationContext): ToldStore {
  return new ToldStore(nodeFileSystem, workspace.paths.journal);
}

function toldBefore(store: ToldStore, session: string, source: StartSource | undefined, nowMs: number): Told {
  if (source === undefined || source === 'resume') return store.read(session);
  return source === 'compact' ? compacted(nowMs) : NOTHING_TOLD;
}

async function keepTold(
  store: ToldStore,
  session: string,
  { keys, sinceMs }: Told,
  { toldKeys, isStart }: { readonly toldKeys: readonly string[]; readonly isStart: boolean },
): Promise<string | undefined> {
  // A start that told nothing still makes an end of what was told before.
  if (toldKeys.length === 0 && !isStart) return undefined;
  try {
    await store.write(session, { keys: new Set([...keys, ...toldKeys]), sinceMs });
    return undefined;
  } catch (error) {
    return `What was told could not be noted and may be told again: ${errorMessage(error)}`;
  }
}

export function openReceipts({ workspace }: OperationContext): ReceiptStore {
  return new ReceiptStore(nodeFileSystem, workspace.paths.journal);
}

/** Sub-agents, readers and channels with other people in them do not get to see core memory. */
export function mayReadCore({ actor }: OperationContext, scope: Scope | undefined): boolean {
  const role = roleOf(actor);
  return (role === 'human' || role === 'main') && !isOthers(scope);
}

function isOthers(scope: Scope | undefined): boolean {
  return scope?.startsWith('channel:') === true;
}

/** An agent that waits for its briefing must not go without because the disk is full; it is told instead. */
async function keep(
  context: OperationContext,
  { prompt, tokens, budget, receipt, sections }: Briefing,
): Promise<string | undefined> {
  try {
    const kept = await withoutHostSecrets(context, sections);
    const isChanged = kept !== prompt;
    await openReceipts(context).write({
      prompt: kept,
      tokens,
      budget,
      receipt,
      ...(isChanged ? { keptSha256: hash('sha256', kept) } : {}),
    });
    return undefined;
  } catch (error) {
    return `The receipt could not be kept: ${errorMessage(error)}`;
  }
}

/** Redacts the host's own prompt: it never went through the write path, which removes secrets. */
async function withoutHostSecrets({ workspace }: OperationContext, sections: Briefing['sections']): Promise<string> {
  const kept = sections.map(async (section) =>
    section.tag === 'system' ? { text: (await workspace.redactor.redact(section.text)).text } : section,
  );
  return joinSections(await Promise.all(kept));
}
