import type { ContextMessage } from './message.ts';

/** A stretch of a conversation that is summarised as one. */
export interface MessageGroup {
  readonly messages: readonly ContextMessage[];
}

/** About what is said on one subject before another comes up. */
const MIN_SIZE = 16;
/** Each may be a question to a model, and a window of thousands of messages must not become hundreds of them. */
const MAX_GROUPS = 24;
const PAUSE_MS = 45 * 60_000;

/** Cut where somebody went away for a while, and where it gets long; what an earlier compaction made stands alone. */
export function cutIntoGroups(messages: readonly ContextMessage[]): MessageGroup[] {
  const groups: ContextMessage[][] = [];
  const size = Math.max(MIN_SIZE, Math.ceil(messages.length / MAX_GROUPS));
  let open: ContextMessage[] | undefined;
  let lastMs: number | undefined;
  for (const message of messages) {
    const timeMs = message.time === undefined ? Number.NaN : Date.parse(message.time);
    const isPause = lastMs !== undefined && Math.abs(timeMs - lastMs) > PAUSE_MS;
    if (
      open === undefined ||
      open.length >= size ||
      (isPause && open.length >= size / 4) ||
      message.standsFor !== undefined
    ) {
      open = [];
      groups.push(open);
    }
    open.push(message);
    if (message.standsFor !== undefined) open = undefined;
    if (!Number.isNaN(timeMs)) lastMs = timeMs;
  }
  return groups.map((each) => ({ messages: each }));
}
