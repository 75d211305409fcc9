import { z } from 'zod';
import { COMPACTION, flushThreshold, windowTokens } from '../../compile/compaction/message.ts';
import { messageOfTurn } from '../../compile/compaction/read-messages.ts';
import { estimateCounter } from '../../compile/tokens/estimate.ts';
import { turnNumber } from '../../capture/live-turn.ts';
import { chooseExtractors } from '../../extract/extractors.ts';
import { nodeFileSystem, type FileSystem } from '../../platform/fs.ts';
import type { AskOptions } from '../../reasoner/port.ts';
import { underPermit } from '../../workspace/door/request.ts';
import type { OperationContext } from '../context.ts';
import { extractSession, hearSession, type SessionExtraction } from '../extract/extract-session.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';
import { assertKnown } from '../session/message.ts';
import path from 'node:path';
import { isoTime } from '../../model/time.ts';

const input = z.object({
  session: z.string().min(1).describe('The conversation.'),
  tokens: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('How full the window is; counted from what was said in the session when not given.'),
  window: z.number().int().min(1).optional().describe('How much it holds; 200,000 tokens when not given.'),
  now: z.boolean().default(false).describe('Flush whatever the window holds, and if it was flushed before.'),
});
export type FlushInput = z.input<typeof input>;

export interface FlushResult {
  readonly session: string;
  /** Whether the window is full. */
  readonly isDue: boolean;
  /** Whether something was looked at and saved by this call. */
  readonly isFlushed: boolean;
  /** Why not, in words. */
  readonly reason: string | null;
  readonly tokens: number;
  readonly threshold: number;
  /** Windows of this session that were compacted before. */
  readonly cycle: number;
  readonly saved: SessionExtraction | null;
}

export const flush = defineVerb({
  name: 'working flush',
  summary: 'Save what matters of a conversation when its window is full, once until it is compacted.',
  input,
  args: ['session'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { session, tokens: given, window, now }): Promise<FlushResult> {
    assertKnown(context, session);
    const tokens = given ?? sessionTokens(context, session);
    const threshold = flushThreshold(window ?? COMPACTION.windowTokens);
    const isDue = tokens >= threshold;
    const cycles = flushCyclesOf(context);
    const state = cycles.read(session);
    const skipped = (reason: string): FlushResult => ({
      session,
      isDue,
      isFlushed: false,
      reason,
      tokens,
      threshold,
      cycle: cycles.read(session).cycle,
      saved: null,
    });
    if (!isDue && !now) {
      // The window was emptied, by whatever means: that ends the cycle.
      if (state.flushedMs !== null && given !== undefined) await cycles.beginNext(session, state.emptied);
      return skipped('the window is not full');
    }
    if (state.flushedMs !== null && !now) {
      return skipped(`it was flushed at ${isoTime(state.flushedMs)} and not compacted since`);
    }
    const saved = await flushSession(context, session);
    const { cycle } = await cycles.noteFlush(session, context.clock.now());
    return { session, isDue, isFlushed: true, reason: null, tokens, threshold, cycle, saved };
  },
  http: { isLong: true },
  library: { name: 'flush' },
  cli: {
    path: 'session working flush',
    formerly: ['working flush'],
    notes: ({ saved }) => [...new Set(saved?.notes)],
  },
  render: async (view, output) => (await import('./render.ts')).renderFlushed(view, output),
});

/** For a client that is about to empty the window, whatever it holds. */
export const flushToEmpty = defineVerb({
  name: 'working flush all',
  summary: 'Save what matters of a conversation whose window is emptied now.',
  input: input.pick({ session: true }),
  effect: 'write',
  withoutLease: 'own',
  ...NOT_OFFERED,
  async run(context, { session }): Promise<SessionExtraction> {
    const saved = await flushSession(context, session);
    await endCycle(context, session, 0);
    return saved;
  },
});

function flushCyclesOf({ workspace }: OperationContext): FlushCycles {
  return new FlushCycles(nodeFileSystem, workspace.paths.journal);
}

/**
 * Writes what matters of a session that was not processed yet. Each statement is durable before the session counts as
 * processed, so a crash in between loses nothing, and what was written is found known the next time.
 */
export async function flushSession(
  context: OperationContext,
  session: string,
  { isDryRun, ask }: { readonly isDryRun?: boolean | undefined; readonly ask?: AskOptions | undefined } = {},
): Promise<SessionExtraction> {
  const chosen = chooseExtractors(undefined, context.extractors);
  const elsewhere = isDryRun === true ? undefined : await context.writer?.whyNot();
  const extract = (): Promise<SessionExtraction> =>
    extractSession(context, session, {
      chosen,
      isDryRun: isDryRun === true || elsewhere !== undefined,
      trigger: 'flush',
      isFlush: true,
      isUnasked: true,
      ask,
    });
  const permit = elsewhere === undefined ? context.writer?.permit() : undefined;
  const saved = await underPermit(permit, async () => (await context.parts.extraction()).exclusively(extract));
  if (elsewhere === undefined) return saved;
  return { ...saved, notes: [`${elsewhere} This is learned when it is this machine’s turn.`, ...saved.notes] };
}

/** The tokens said since the window was last emptied, plus those that remained then. */
function sessionTokens(context: OperationContext, session: string): number {
  const { emptied } = flushCyclesOf(context).read(session);
  const since = hearSession(context, session).turns.filter((turn) => turnNumber(turn) > (emptied?.turn ?? 0));
  const said = windowTokens(
    since.map((turn) => messageOfTurn(turn)),
    estimateCounter,
  );
  return (emptied?.tokens ?? 0) + said;
}

/** The window of a session is emptied now, down to so many tokens. */
export async function endCycle(context: OperationContext, session: string, tokens: number): Promise<void> {
  const last = hearSession(context, session).turns.at(-1);
  const turn = last === undefined ? 0 : turnNumber(last);
  await flushCyclesOf(context).beginNext(session, { turn, tokens });
}

const cycleSchema = z.object({
  /** Windows of the session that were compacted before this one. */
  cycle: z.number().int().min(0),
  /** When this one was flushed; null while it was not. */
  flushedMs: z.number().nullable(),
  /** The size of the window after it was last emptied, and the last turn before that. */
  emptied: z.object({ turn: z.number().int().min(0), tokens: z.number().int().min(0) }).nullable(),
});
type FlushCycle = z.output<typeof cycleSchema>;

const FIRST: FlushCycle = { cycle: 0, flushedMs: null, emptied: null };

/**
 * `journal/flush/<session>.json`: whether a session's window was flushed since it was last emptied. Losing it costs one more
 * flush, which finds everything known; so nothing is synced.
 */
class FlushCycles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'flush');
  }

  read(session: string): FlushCycle {
    const text = this.#fs.read(this.#file(session))?.toString('utf8');
    return text === undefined ? FIRST : parse(text);
  }

  async noteFlush(session: string, nowMs: number): Promise<FlushCycle> {
    return this.#write(session, { ...this.read(session), flushedMs: nowMs });
  }

  /** The window was emptied: the next time it is full it is flushed again. */
  async beginNext(session: string, emptied: FlushCycle['emptied'] = null): Promise<FlushCycle> {
    const { cycle, flushedMs } = this.read(session);
    return this.#write(session, { cycle: flushedMs === null ? cycle : cycle + 1, flushedMs: null, emptied });
  }

  async #write(session: string, cycle: FlushCycle): Promise<FlushCycle> {
    this.#fs.makeDirectory(this.#folder);
    const file = this.#file(session);
    this.#fs.write(`${file}.new`, Buffer.from(`${JSON.stringify(cycle)}\n`, 'utf8'));
    await this.#fs.rename(`${file}.new`, file);
    return cycle;
  }

  #file(session: string): string {
    return path.join(this.#folder, `${session}.json`);
  }
}

/** An unreadable file is treated as a missing one. */
function parse(text: string): FlushCycle {
  try {
    return cycleSchema.safeParse(JSON.parse(text)).data ?? FIRST;
  } catch (error) {
    if (error instanceof SyntaxError) return FIRST;
    throw error;
  }
}
