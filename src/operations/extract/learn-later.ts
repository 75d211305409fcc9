import { errorMessage } from '../../model/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { learnsByItself } from '../background/learns-by-itself.ts';
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
 * Learns from a conversation behind whoever ended it: in this process, before it closes the home, or where a worker does
 * such things and it may take longer than a moment, there. What time does not suffice for waits for background work.
 */
export function learnLater(context: OperationContext, session: string): void {
  const { config, worker } = context;
  if (!learnsByItself(context)) return;
  if (worker !== undefined && (worker.learnsForOthers || config.reasoner.provider !== 'heuristic')) {
    worker.wake();
    return;
  }
  const learning = learningOf(context);
  learning.queue = learning.queue.then(() => learn(context, session, learning));
}

function learningOf({ workspace }: OperationContext): Learning {
  const known = learnings.get(workspace);
  if (known !== undefined) return known;
  const learning: Learning = {
    queue: Promise.resolve(),
    stop: new AbortController(),
    sessions: [],
    problems: [],
  };
  learnings.set(workspace, learning);
  return learning;
}

async function learn(
  context: OperationContext,
  session: string,
  { stop: { signal }, sessions, problems }: Learning,
): Promise<void> {
  if (signal.aborted) return;
  try {
    // Loaded now: a process that ends no conversation has no use for it.
    const { learnFrom, reflectOn } = await import('../background/conversations.ts');
    const learned = await learnFrom(context, session, { signal });
    if (learned === undefined) return;
    sessions.push(learned);
    if (!signal.aborted) await reflectOn(context, [learned]);
  } catch (error) {
    // Whoever closes the home wants to go; what was not finished is found waiting.
    if (!signal.aborted) problems.push(`Nothing was learned from a conversation: ${errorMessage(error)}`);
  }
}

/** Waits until everything was learned, or gives up after a while, and tells what came of it, once. */
export async function settleLearning(
  { workspace, config }: Pick<OperationContext, 'workspace' | 'config'>,
  withinMs = closingMs(config),
): Promise<Learned> {
  const learning = learnings.get(workspace);
  if (learning === undefined) return { sessions: [], problems: [] };
  const timer = setTimeout(() => learning.stop.abort(), withinMs);
  await learning.queue;
  clearTimeout(timer);
  return { sessions: learning.sessions.splice(0), problems: learning.problems.splice(0) };
}
