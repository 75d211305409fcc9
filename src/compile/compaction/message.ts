import { detectTriggers } from '../../capture/triggers/detect.ts';
import { ownWords } from '../../judge/handed-over/split.ts';
import type { TurnRole } from '../../workspace/formats/transcript.ts';
import type { TokenCounter } from '../tokens/estimate.ts';

/** The messages that a message made by compaction replaces. */
export interface StandsFor {
  /** The first and last message, by id. */
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  /** Where their words are kept. */
  readonly session?: string | undefined;
}

/** A message of an agent's window. */
export interface ContextMessage {
  /** `t12`, or its place among the messages; unique in a window. */
  readonly id: string;
  readonly role: TurnRole;
  /** The role as the program that wrote it calls it, such as `assistant`. */
  readonly spokenRole?: string | undefined;
  readonly text: string;
  readonly name?: string | undefined;
  /** As it was written, such as 2026-02-16T18:45:00Z. */
  readonly time?: string | undefined;
  /** Set by the program that made the window: the message must stay, word for word. */
  readonly isCritical?: boolean | undefined;
  /** The message as the program that keeps the window wrote it: what stays as it is goes back as it came. */
  readonly original?: Readonly<Record<string, unknown>> | undefined;
  /** Ids of the tool calls it makes, and of those it answers. */
  readonly calls?: readonly string[] | undefined;
  readonly answers?: readonly string[] | undefined;
  /** Set on what an earlier compaction made. */
  readonly standsFor?: StandsFor | undefined;
}

/** The speaker name of compaction. No user has this name, so that a summary is not taken for the user's own words. */
export const SUMMARY_NAME = 'mneme-summary';

/** The overhead per message for its role and its borders, rounded up above that of every service. */
const MESSAGE_OVERHEAD_TOKENS = 4;

export function messageTokens(message: Pick<ContextMessage, 'text' | 'name'>, counter: TokenCounter): number {
  const name = message.name === undefined ? 0 : counter.count(message.name);
  return MESSAGE_OVERHEAD_TOKENS + name + counter.count(message.text);
}

export function windowTokens(
  messages: readonly Pick<ContextMessage, 'text' | 'name'>[],
  counter: TokenCounter,
): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, counter), 0);
}

/** A line that its writer marks as one to be kept. */
const MARKED_LINE =
  /^[\s>*#_-]*(?:decisions?|decided|important|remember|critical|warning|error|exception|fatal|panic)[*_]*\s?:/iu;

/** A text of this length hides no request; a pasted book seems full of them. */
const MAX_WISH_CHARS = 20_000;

/** True for messages that must never be shortened: the host's instructions, and those marked critical. */
export function isFixed({ role, isCritical, standsFor }: ContextMessage): boolean {
  return isCritical === true || (role === 'system' && standsFor === undefined);
}

/**
 * The lines of a message that its own words mark as critical: a decision, a warning, an error that was named, something to
 * be remembered. What tools print marks nothing: a log is full of errors, and one line of it is kept anyway.
 */
export function criticalLines({ role, text, standsFor }: ContextMessage): string | undefined {
  if (role === 'tool' || standsFor !== undefined) return undefined;
  const wishes = role === 'user' && text.length <= MAX_WISH_CHARS ? detectTriggers(text) : [];
  const remembered = wishes.filter(({ kind }) => kind === 'remember');
  // A pasted "Important:" is its author's mark, not the user's.
  const own = role === 'user' ? ownWords(text) : text;
  let start = 0;
  const kept = text.split('\n').filter((line) => {
    const [from, to] = [start, start + line.length];
    start = to + 1;
    return MARKED_LINE.test(own.slice(from, to)) || remembered.some((wish) => wish.start < to && wish.end > from);
  });
  return kept.length === 0 ? undefined : kept.join('\n');
}

/**
 * S1's reserve and soft limit, and the shares that take their place in small windows, so that most of one is left to work in.
 * A caller names its own window, the messages to keep, or both.
 */
export const COMPACTION = {
  windowTokens: 200_000,
  keepMessages: 10,
  reserveTokens: 20_000,
  reserveMaxShare: 0.1,
  softTokens: 4000,
  softMaxShare: 0.02,
  targetShare: 0.5,
} as const;

/** The tokens at which a window counts as full: what an answer needs, and the flush itself, must still fit. */
export function flushThreshold(windowTokens: number): number {
  const reserve = Math.min(COMPACTION.reserveTokens, Math.floor(windowTokens * COMPACTION.reserveMaxShare));
  const soft = Math.min(COMPACTION.softTokens, Math.floor(windowTokens * COMPACTION.softMaxShare));
  return windowTokens - reserve - soft;
}

/** The size to compact a full window to: just below the threshold the next message would fill it again. */
export function compactionTarget(windowTokens: number): number {
  return Math.min(Math.floor(windowTokens * COMPACTION.targetShare), flushThreshold(windowTokens));
}
