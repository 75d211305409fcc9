import { z } from 'zod';
import { SessionRecords } from '../capture/session-record.ts';
import { ContextCompiler } from '../compile/compiler.ts';
import { PRESETS } from '../compile/limits.ts';
import { projectOf } from '../compile/project.ts';
import { EVENTS, START_SOURCES, type Briefing, type StartSource } from '../compile/receipt.ts';
import { ReceiptStore } from '../compile/receipt-store.ts';
import { compacted, NOTHING_TOLD, ToldStore, type Told } from '../compile/told-store.ts';
import { errorMessage } from '../model/errors.ts';
import { UlidFactory, isMutationId } from '../model/ids.ts';
import { roleOf } from '../model/mutation.ts';
import { isScope, type Scope } from '../model/provenance.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { StoredPassage } from '../search-index/port.ts';
import type { OperationContext } from './context.ts';
import { defineOperation } from './operation.ts';

const input = z.object({
  message: z.string().max(1_000_000).default('').describe('What is about to be asked of the agent; may be left out.'),
  preset: z.enum(PRESETS).optional().describe('The size of the prompt: hook, dense, standard or large.'),
  budget: z.number().int().min(1).max(10_000_000).optional().describe('Most tokens, instead of the preset’s.'),
  session: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('The conversation going on; its last turns are added.'),
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
    .describe('The folder being worked in, or the names the project goes by: what belongs to it comes first.'),
  source: z
    .enum(START_SOURCES)
    .optional()
    .describe('Why a session starts. Only after resume the agent still knows what it was told in it.'),
  maxChars: z.number().int().min(1).optional().describe('Most characters, for programs that cut off what is longer.'),
});

export type BriefingInput = z.input<typeof input>;
type Given = z.output<typeof input>;

export const briefing = defineOperation({
  name: 'context',
  summary: 'Compile what an agent should know before it answers, with a receipt.',
  input,
  effect: 'read',
  async run(context, given): Promise<Briefing> {
    const { homeIndex, search, config, chunkContext, clock, workspace } = context;
    const ulids = ulidsOf(context);
    const { redactor } = workspace;
    const compiler = new ContextCompiler({ home: homeIndex, search, config, chunkContext, clock, ulids, redactor });
    const state = { mutation: lastMutation(context), journalEnd: workspace.journalEnd };
    const { message, event, budget, session, maxChars } = given;
    const source = event === 'session-start' ? (given.source ?? 'startup') : undefined;
    // Who asks of his own accord gets what there is, told before or not.
    const store = session === undefined || event === undefined ? undefined : openTold(context);
    const told = session === undefined ? undefined : store && toldBefore(store, session, source, clock.now());
    const request = {
      message,
      event,
      budget,
      maxChars,
      session,
      source,
      project: projectOf([given.project ?? []].flat(), (turn) => projectOfTurn(context, turn)),
      told,
      preset: given.preset ?? (event === 'prompt' ? 'hook' : config.context.preset),
      scope: given.scope ?? 'shared',
      isMainSession: isMainSession(context, given),
    };
    const { briefing: compiled, toldKeys } = await compiler.compile(request, state);
    const problems = [await keep(context, compiled)];
    if (store !== undefined && session !== undefined && told !== undefined) {
      problems.push(await keepTold(store, session, told, { toldKeys, isStart: source !== undefined }));
    }
    return { ...compiled, notes: [...compiled.notes, ...problems.filter((problem) => problem !== undefined)] };
  },
});

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

/** The project a conversation took place in, as its record or its transcript says. */
function projectOfTurn(
  { homeIndex, workspace }: OperationContext,
  { document, session }: StoredPassage,
): string | undefined {
  if (document.source === 'live') {
    return session && new SessionRecords(nodeFileSystem, workspace.paths.journal).find(session)?.project;
  }
  const head = homeIndex.files.read(document)?.text.slice(0, MAX_HEAD_CHARS) ?? '';
  const frontmatter = /^---\n([\s\S]*?)\n---\n/u.exec(head)?.[1] ?? '';
  return /^project: (['"]?)(.+?)\1$/mu.exec(frontmatter)?.[2];
}

/** Frontmatter with the changes of a long session is not much longer. */
const MAX_HEAD_CHARS = 20_000;

/** One for an open home, so that receipts of the same millisecond keep their order. */
const factories = new WeakMap<OperationContext, UlidFactory>();

function ulidsOf(context: OperationContext): UlidFactory {
  const known = factories.get(context) ?? new UlidFactory((length) => context.random.bytes(length));
  factories.set(context, known);
  return known;
}

export function openReceipts({ workspace }: OperationContext): ReceiptStore {
  return new ReceiptStore(nodeFileSystem, workspace.paths.journal);
}

/** Sub-agents, readers and channels with other people in them do not get to see core memory. */
function isMainSession({ actor }: OperationContext, { scope }: Given): boolean {
  const role = roleOf(actor);
  return (role === 'human' || role === 'main') && !isOthers(scope);
}

function isOthers(scope: Scope | undefined): boolean {
  return scope?.startsWith('channel:') === true;
}

function lastMutation({ audit }: OperationContext): string | null {
  const [last] = audit.query({ limit: 1 });
  const reference = last?.reference;
  return reference !== undefined && isMutationId(reference) ? reference : null;
}

/** An agent that waits for its briefing must not go without because the disk is full; it is told instead. */
async function keep(
  context: OperationContext,
  { prompt, tokens, budget, receipt }: Briefing,
): Promise<string | undefined> {
  try {
    await openReceipts(context).write({ prompt, tokens, budget, receipt });
    return undefined;
  } catch (error) {
    return `The receipt could not be kept: ${errorMessage(error)}`;
  }
}
