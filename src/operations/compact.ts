import { z } from 'zod';
import { asksPrivacy } from '../capture/triggers/privacy.ts';
import { compress, type Compressed, type MessageFate } from '../compile/compaction/compress.ts';
import {
  COMPACTION,
  type ContextMessage,
  compactionTarget,
  flushThreshold,
  windowTokens,
} from '../compile/compaction/message.ts';
import { isWindowName, windowName } from '../compile/compaction/read-messages.ts';
import { summariseBy, type Summarise } from '../compile/compaction/summary.ts';
import { writeWindow, type WindowMessage } from '../compile/compaction/write-window.ts';
import { estimateCounter } from '../compile/tokens/estimate.ts';
import { ToldStore } from '../compile/told-store.ts';
import { isPrivateEnvironment } from '../platform/environment.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { AskOptions } from '../reasoner/port.ts';
import { type WindowSource, findWindow, sessionsHolding } from './compact-source.ts';
import type { OperationContext } from './context.ts';
import type { SessionExtraction } from './extract/extract-session.ts';
import { runImport } from './import.ts';
import { defineVerb } from './verb.ts';
import { endCycle, flushSession } from './working/flush.ts';
import { isRecord } from '../model/records.ts';

/** A moment as the importer takes it. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/iu;

/** Keeps the words of a window and what matters of them, before anything of it is dropped. */
async function saveWindow(
  context: OperationContext,
  { session, unsaved, isKnownSession, messages }: WindowSource,
  ask: AskOptions,
): Promise<readonly SessionExtraction[]> {
  const saved: SessionExtraction[] = [];
  if (isKnownSession) saved.push(await flushSession(context, session, { ask }));
  if (unsaved.length > 0) {
    // Beside the session the home follows, never into it: its turns are numbered by whoever captures it.
    const name = isKnownSession && !isWindowName(session) ? windowName(messages) : session;
    await keepWords(context, name, unsaved);
    saved.push(await flushSession(context, name, { ask }));
  }
  return saved;
}

/** As a transcript of somebody's conversation: what a file says was said is not taken for the user's word. */
async function keepWords(
  context: OperationContext,
  session: string,
  messages: readonly ContextMessage[],
): Promise<void> {
  let time = new Date(context.clock.now()).toISOString();
  const lines = messages.map((message) => {
    if (message.time !== undefined && TIME.test(message.time) && !Number.isNaN(Date.parse(message.time))) {
      ({ time } = message);
    }
    const { role, name, text } = message;
    return JSON.stringify({ session, time, role, ...(name === undefined ? {} : { name }), text });
  });
  const input = { from: 'transcript', path: '-' } as const;
  await runImport(context, input, { readInput: () => Promise.resolve(lines.join('\n')) });
}

const count = (what: string) => z.number().int().min(1).optional().describe(what);

const input = z.strictObject({
  text: z.string().optional().describe('A transcript, JSON lines of messages, or a JSON list of them.'),
  messages: z.array(z.unknown()).optional().describe('The same as values: {role, content, name?, time?, critical?}.'),
  name: z.string().min(1).optional().describe('What the text is called in messages.'),
  session: z
    .string()
    .min(1)
    .optional()
    .describe('The session of the home it belongs to; alone: all that was said in it.'),
  tokens: count('Compact to this many tokens.'),
  window: count('The window’s size: compact when it is full; 200,000 tokens when not given.'),
  keep: count('Last messages that stay word for word; 10 when not given.'),
  flush: z.boolean().default(true).describe('Save what matters first. Without it, only what is left remains.'),
  dryRun: z.boolean().default(false).describe('Show what would be left and saved, and write nothing.'),
});
export type CompactShape = typeof input;
export type CompactInput = z.input<typeof input>;

interface CompactControls {
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: string) => void) | undefined;
}

export interface CompactedMessage extends MessageFate {
  /** Where its words are: a turn, to be read with `mneme read`; null when the home does not hold them. */
  readonly where: string | null;
}

export interface CompactResult {
  readonly session: string;
  /** False when the window fits as it is. */
  readonly isNeeded: boolean;
  readonly isDryRun: boolean;
  /** The window after compaction; unchanged messages are as given, and a window that fits is unchanged. */
  readonly messages: readonly WindowMessage[];
  readonly tokensBefore: number;
  readonly tokens: number;
  /** The target size, and the size at which compaction would be due. */
  readonly target: number;
  readonly threshold: number;
  /** The messages that were changed. */
  readonly changed: readonly CompactedMessage[];
  readonly kept: number;
  /** The knowledge written to the memory before anything was dropped. */
  readonly saved: readonly SessionExtraction[];
  /** The models or methods that summarised. */
  readonly by: readonly string[];
  readonly notes: readonly string[];
}

export const compact = defineVerb({
  name: 'compact',
  summary: 'Shorten a conversation that fills its window, and save what matters first.',
  description:
    'FILE is a transcript, JSON lines {"role", "content"} or a JSON list of messages, `-` the input. What matters is saved first; system and critical messages stay, the last ones word for word.',
  examples: [
    'mneme session compact chat.jsonl --tokens 20000 --output shorter.jsonl',
    'mneme session compact --session s1 --dry-run',
  ],
  input,
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: CompactControls): Promise<CompactResult> => runCompact(context, given, controls),
  http: { isLong: true },
  cli: {
    path: 'session compact',
    formerly: ['compact'],
    args: ['text'],
    options: {
      text: { value: 'file' },
      messages: false,
      name: false,
      session: { value: 'id' },
    },
    extra: {
      output: {
        flags: '--output <file>',
        help: 'write the compacted messages there, a JSON line each; `-` for the output',
      },
    },
    prepare: async (typed, terminal) => (await import('./compact-window.ts')).readTypedWindow(typed, terminal),
    controls: ({ signal, report }) => ({ signal, onStep: report }),
    around: async (typed, call) => (await import('./compact-window.ts')).compactInto(typed, call),
    notes: ({ notes }) => [...new Set(notes)],
  },
  render: async ({ style }, output, _input, extra) =>
    (await import('./render-compact.ts')).renderCompacted(style, output, extra['output']),
});

async function runCompact(
  context: OperationContext,
  asked: z.output<typeof input>,
  { signal, onStep }: CompactControls = {},
): Promise<CompactResult> {
  const text = asked.messages === undefined ? asked.text : JSON.stringify(asked.messages);
  const source = findWindow(context, { ...asked, text });
  const isPrivate = isPrivateWindow(context, source);
  const given = { ...asked, flush: asked.flush && !isPrivate };
  const window = given.window ?? COMPACTION.windowTokens;
  const threshold = given.tokens ?? flushThreshold(window);
  const target = given.tokens ?? compactionTarget(window);
  const before = windowTokens(source.messages, estimateCounter);
  const isNeeded = given.tokens === undefined ? before >= threshold : before > target;
  // A window that cannot be made to fit is refused before anything is written for it.
  const limits = {
    maxTokens: isNeeded ? target : before,
    keepMessages: given.keep ?? COMPACTION.keepMessages,
    session: given.flush ? source.session : undefined,
    sessionOf: given.flush ? sessionsHolding(source) : undefined,
  };
  if (isNeeded) await compress(source.messages, { ...limits, summarise: nothingSaid });
  onStep?.('saving what matters');
  const saved =
    isNeeded && isPrivate
      ? { items: [], notes: ['Nothing was saved first: the conversation is private.'] }
      : isNeeded
        ? await save(context, source, given, signal)
        : { items: [], notes: [] };
  onStep?.('shortening');
  const compressed = await compress(source.messages, {
    ...limits,
    summarise: summariseBy((await context.parts.extraction()).reasoner, source.frame, { signal }),
  });
  if (isNeeded && !given.dryRun) await emptyWindow(context, source, compressed.tokens);
  // Looked up once more: what was not in the home before has its turns now.
  const { places } = source.unsaved.length === 0 ? source : findWindow(context, { ...given, text });
  return describe({ ...source, places }, compressed, {
    isNeeded,
    isDryRun: given.dryRun,
    target,
    threshold,
    saved: saved.items,
    notes: [...source.notes, ...saved.notes, ...compressed.notes],
    isSaved: given.flush && (source.unsaved.length === 0 || !given.dryRun),
  });
}

/** A conversation of which nothing is kept is shortened like any other, and its words go nowhere. */
function isPrivateWindow(context: OperationContext, { session, messages }: WindowSource): boolean {
  if (isPrivateEnvironment() || context.parts.sessions().isPrivate(session)) return true;
  return messages.some(({ role, text }) => role === 'user' && asksPrivacy(text));
}

/** To see whether it can be made to fit, nobody has to be asked what it is about. */
const nothingSaid: Summarise = () => Promise.resolve({ topic: '', lines: [], by: '', notes: [] });

interface Saved {
  readonly items: readonly SessionExtraction[];
  readonly notes: readonly string[];
}

async function save(
  context: OperationContext,
  source: WindowSource,
  { flush: isWanted, dryRun }: z.output<typeof input>,
  signal: AbortSignal | undefined,
): Promise<Saved> {
  if (!isWanted) return { items: [], notes: ['Nothing was saved first: --no-flush was given.'] };
  const ask = { signal };
  if (!dryRun) {
    const items = await saveWindow(context, source, ask);
    const { session, unsaved, isKnownSession } = source;
    const beside = items.find((each) => each.session !== session)?.session;
    const isBeside = isKnownSession && unsaved.length > 0 && beside !== undefined;
    const note = `${unsaved.length} messages are not in session ${session}; their words are kept in ${beside}.`;
    return { items, notes: [...items.flatMap(({ notes }) => notes), ...(isBeside ? [note] : [])] };
  }
  const items = source.isKnownSession ? [await flushSession(context, source.session, { isDryRun: true, ask })] : [];
  const rest = source.unsaved.length;
  const notes = rest === 0 ? [] : [`${rest} messages would be kept as a transcript, and what matters of them saved.`];
  return { items, notes: [...items.flatMap((each) => each.notes), ...notes] };
}

/** Empties the window: its injected memories may be injected again, and the next full window is flushed again. */
async function emptyWindow(
  context: OperationContext,
  { session, isKnownSession }: WindowSource,
  tokens: number,
): Promise<void> {
  if (!isKnownSession) return;
  const { workspace, clock } = context;
  await endCycle(context, session, tokens);
  await new ToldStore(nodeFileSystem, workspace.paths.journal).forget(session, clock.now());
}

function describe(
  { session, places, values, messages: before }: WindowSource,
  { messages, tokensBefore, tokens, fates, by }: Compressed,
  more: Pick<CompactResult, 'isNeeded' | 'isDryRun' | 'target' | 'threshold' | 'saved' | 'notes'> & {
    readonly isSaved: boolean;
  },
): CompactResult {
  const { isSaved, ...told } = more;
  const changed = fates
    .filter(({ fate }) => fate !== 'kept')
    .map(({ id, role, fate, tokens: size }): CompactedMessage => {
      const where = isSaved ? (places.get(id) ?? null) : null;
      return { id, role, fate, tokens: size, where };
    });
  return {
    session,
    ...told,
    messages: told.isNeeded || values === undefined ? writeWindow(messages, before) : values.filter(isRecord),
    tokensBefore,
    tokens,
    changed,
    kept: fates.length - changed.length,
    by,
  };
}
