import { sleepUntilAborted } from '../../memory/procedures/workflow/sleep.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OperationContext } from '../context.ts';

/** A run that this process drives. */
interface Driven {
  readonly run: string;
  /** Settles when this process has let go of it. */
  readonly done: Promise<unknown>;
  /** Somebody else may take it from now on. */
  readonly letGo: () => void;
}

interface Running {
  readonly closing: AbortController;
  readonly runs: Set<Driven>;
}

const opened = new WeakMap<Workspace, Running>();

function runningIn({ workspace }: Pick<OperationContext, 'workspace'>): Running {
  const known = opened.get(workspace) ?? { closing: new AbortController(), runs: new Set() };
  opened.set(workspace, known);
  return known;
}

/** Aborted when the home is being closed: runs are paused as soon as their present step has ended. */
export function closingSignal(context: OperationContext): AbortSignal {
  return runningIn(context).closing.signal;
}

export function hasRuns(context: OperationContext): boolean {
  return (opened.get(context.workspace)?.runs.size ?? 0) > 0;
}

/** Keeps account of a run for as long as it is driven. */
export async function countRun<T>(
  context: OperationContext,
  run: string,
  letGo: () => void,
  done: Promise<T>,
): Promise<T> {
  const { runs } = runningIn(context);
  const driven = { run, done, letGo };
  runs.add(driven);
  try {
    return await done;
  } finally {
    runs.delete(driven);
  }
}

/** A step that takes longer than this is left to itself: closing must not hang for as long as somebody's action does. */
const PATIENCE_MS = 30_000;

/** Pauses every run when its present step has ended, and waits for that. Returns what was left under way, in words. */
export async function pauseRuns(context: OperationContext, patienceMs = PATIENCE_MS): Promise<string[]> {
  const running = opened.get(context.workspace);
  if (running === undefined) return [];
  running.closing.abort();
  const settled = new AbortController();
  const all = Promise.allSettled(Array.from(running.runs, ({ done }) => done)).then(() => settled.abort());
  await Promise.race([all, sleepUntilAborted(patienceMs, settled.signal)]);
  const left = [...running.runs];
  running.runs.clear();
  return left.map(({ run, letGo }) => {
    letGo();
    return `A step of ${run} was still under way ${patienceMs / 1000} s after the home was told to close; \`mneme procedure resume ${run}\` goes on from there.`;
  });
}
