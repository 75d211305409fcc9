import { errorMessage } from '../../model/errors.ts';
import { underPermit } from '../../workspace/door/permit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OperationContext } from '../context.ts';
import type { SessionExtraction } from './extract-session.ts';

/** What was learned while nobody waited for it, and what went wrong. */
export interface Learned {
  readonly sessions: readonly SessionExtraction[];
  readonly problems: readonly string[];
}

interface Learning {
  queue: Promise<void>;
  readonly stop: AbortController;
  /** Stops what nobody in this process asked for: whoever closes the home need not wait for it. */
  readonly stopWaiting: AbortController;
  readonly sessions: SessionExtraction[];
  readonly problems: string[];
}

/** One for each open home. Apart from extraction itself, so that a process which learns nothing loads none of it. */
const learnings = new WeakMap<Workspace, Learning>();

/** What closing a home spends on it: a conversation takes a fraction of a second, unless a language model is asked. */
const CLOSING_MS = 15_000;
/** For what the heuristic still has to do when the model did not answer. */
const AFTER_MODEL_MS = 10_000;

/** A model that does not answer is given up on first, so that what it was asked is judged without it. */
function closingMs({ reasoner }: OperationContext['config']): number {
  return reasoner.provider === 'heuristic' ? CLOSING_MS : Math.max(CLOSING_MS, reasoner.timeout_ms + AFTER_MODEL_MS);
}

/**
 * Learns from conversations behind whoever ended them, one after the other, in this process: nothing is left running
 * when it ends. What time does not suffice for waits for `mneme extract`, or for the next process that stays.
 */
export function learnLater(context: OperationContext, which: readonly string[] | 'waiting'): void {
  if (context.config.extract.trigger !== 'on_session_end') return;
  const learning = learningOf(context);
  learning.queue = learning.queue.then(() => learn(context, which, learning));
}

function learningOf({ workspace }: OperationContext): Learning {
  const known = learnings.get(workspace);
  if (known !== undefined) return known;
  const learning: Learning = {
    queue: Promise.resolve(),
    stop: new AbortController(),
    stopWaiting: new AbortController(),
    sessions: [],
    problems: [],
  };
  learnings.set(workspace, learning);
  return learning;
}

async function learn(
  context: OperationContext,
  which: readonly string[] | 'waiting',
  { stop, stopWaiting, sessions, problems }: Learning,
): Promise<void> {
  const { signal } = which === 'waiting' ? stopWaiting : stop;
  if (signal.aborted) return;
  try {
    // Another machine writes: it waits for `mneme extract`, or for the daemon when it is this machine's turn.
    if ((await context.writer?.whyNot()) !== undefined) return;
    await underPermit(context.writer?.permit(), () => learnNow(context, which, sessions, signal));
  } catch (error) {
    // Whoever closes the home wants to go; what was not finished is found waiting.
    if (!signal.aborted) problems.push(`Nothing was learned from a conversation: ${errorMessage(error)}`);
  }
}

async function learnNow(
  context: OperationContext,
  which: readonly string[] | 'waiting',
  sessions: SessionExtraction[],
  signal: AbortSignal,
): Promise<void> {
  const [{ extract, runExtract }, { findPending }] = await Promise.all([
    import('./extract.ts'),
    import('./find-pending.ts'),
  ]);
  const { imports } = context.config.extract;
  const names = which === 'waiting' ? findPending(context, { withImports: imports }) : which;
  if (names.length === 0) return;
  const given = extract.input.parse({ sessions: [...names] });
  const learned = (await runExtract(context, given, { signal })).sessions;
  sessions.push(...learned);
  if (which === 'waiting' || signal.aborted) return;
  const { isLongEnough } = await import('../reflect/due.ts');
  const ends = learned.map(({ to }) => to);
  if (!isLongEnough(context, ends)) return;
  const { reflect } = await import('../reflect/reflect.ts');
  await reflect.run(context, reflect.input.parse({ trigger: 'session-end' }));
}

/** Waits until everything was learned, or gives up after a while, and tells what came of it, once. */
export async function settleLearning(
  { workspace, config }: Pick<OperationContext, 'workspace' | 'config'>,
  withinMs = closingMs(config),
): Promise<Learned> {
  const learning = learnings.get(workspace);
  if (learning === undefined) return { sessions: [], problems: [] };
  learning.stopWaiting.abort();
  const timer = setTimeout(() => learning.stop.abort(), withinMs);
  await learning.queue;
  clearTimeout(timer);
  return { sessions: learning.sessions.splice(0), problems: learning.problems.splice(0) };
}
