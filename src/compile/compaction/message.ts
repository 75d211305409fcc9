import type { TurnRole } from '../../workspace/formats/transcript.ts';
import type { TokenCounter } from '../tokens.ts';

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
  /** Whoever made the window says that it must stay, word for word. */
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
