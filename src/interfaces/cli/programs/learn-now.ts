import { learnsByItself } from '../../../operations/background/background-worker.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { waitingConversations } from '../../../operations/extract/waiting.ts';
import { runOperation } from '../../../operations/operation.ts';
import { elapsedMs } from '../../../platform/clock.ts';
import { runBackground, type LoopEnd } from '../../../runtime/worker/background-loop.ts';
import { countOf } from '../../../operations/command-line/plain.ts';
import type { Cli } from '../cli.ts';
import type { ProgressLine } from '../progress.ts';
import type { Style } from '../../../operations/command-line/style.ts';
import { countLearned } from '../../../operations/learned-counts.ts';

/** The result of the first learning run, and the fate of the rest. */
export interface LearnedNow {
  /** Conversations that were learned from. */
  readonly conversations: number;
  readonly statements: number;
  /** Conversations that wait. */
  readonly left: number;
  /** The process or command that learns from those that wait; null without one. */
  readonly leftTo: 'background' | 'resume' | 'extract' | null;
}

interface LearnWork {
  readonly line: ProgressLine;
  readonly signal: AbortSignal;
  /** By `elapsedMs`. */
  readonly untilMs: number;
}

/** Learns from conversations that wait, the newest first, until the time is up. */
export async function learnWithProgress(
  cli: Cli,
  context: OperationContext,
  { line, signal, untilMs }: LearnWork,
): Promise<LearnedNow> {
  const startedMs = elapsedMs();
  let conversations = 0;
  let statements = 0;
  const end = await runBackground({
    context,
    signal,
    isAwaited: true,
    whyStop: () => (elapsedMs() >= untilMs ? 'the time is up' : undefined),
    onLearning: (_session, left) => {
      const eachMs = conversations === 0 ? undefined : (elapsedMs() - startedMs) / conversations;
      const roomMs = untilMs - elapsedMs();
      const isHandedOver = context.worker !== undefined;
      line.show(describeProgress({ done: conversations, left: left + 1, eachMs, roomMs, isHandedOver }));
    },
    onLearned: ({ items }) => {
      conversations += 1;
      statements += countLearned(items).learned;
    },
    onProblem: (message) => {
      line.clear();
      cli.warn(message);
    },
  });
  const waiting = await runOperation(waitingConversations, context, {});
  const left = waiting.own + waiting.imported;
  const isWanted = learnsByItself(context) && (waiting.own > 0 || context.config.extract.imports);
  return { conversations, statements, left, leftTo: left === 0 ? null : whoLearns(context, end, isWanted) };
}

interface Progress {
  readonly done: number;
  readonly left: number;
  /** Undefined before the first was learned from. */
  readonly eachMs: number | undefined;
  readonly roomMs: number;
  /** Whether another process goes on when the time is up. */
  readonly isHandedOver: boolean;
}

export function describeProgress({ done, left, eachMs, roomMs, isHandedOver }: Progress): string {
  const counted = `learning  ${done} of ${countOf(done + left, 'conversation')}`;
  if (eachMs === undefined) return counted;
  const neededMs = eachMs * left;
  const seconds = (milliseconds: number): string => `${Math.max(1, Math.round(milliseconds / 1000))} s`;
  if (neededMs <= roomMs) return `${counted} · about ${seconds(neededMs)} left`;
  const minutes = Math.max(1, Math.round(neededMs / 60_000));
  const then = isHandedOver ? 'the rest goes on in the background' : 'it stops';
  return `${counted} · about ${minutes} min in all; in ${seconds(roomMs)} ${then}`;
}

function whoLearns({ worker }: OperationContext, end: LoopEnd, isWanted: boolean): LearnedNow['leftTo'] {
  if (!isWanted) return 'extract';
  if (end === 'paused') return 'resume';
  return worker !== undefined || end === 'another process does it' ? 'background' : 'extract';
}

const REST: Readonly<Record<NonNullable<LearnedNow['leftTo']>, string>> = {
  background:
    'The background worker goes on with them: `mneme status` shows how far it is, `mneme` what is known by then.',
  resume: 'Background work is paused; `mneme daemon resume` goes on.',
  extract: '`mneme learn extract` learns from them.',
};

export function renderLearned(style: Style, { conversations, statements, left, leftTo }: LearnedNow): string {
  const learned =
    statements === 0 ? 'Nothing new was learned' : `${style.green('Learned')} ${countOf(statements, 'statement')}`;
  const done = conversations === 0 ? '' : `${learned} from ${countOf(conversations, 'conversation')}.\n`;
  const rest = leftTo === null ? '' : `${countOf(left, 'conversation')} left. ${REST[leftTo]}\n`;
  return `${done}${rest}`;
}
