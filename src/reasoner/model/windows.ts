import type { HeardConversation, HeardTurn } from '../port.ts';
import { shortenTurn } from './render.ts';

/**
 * The amount a small model reads at once with attention to all of it, about ten thousand tokens; a day of coding is cut into a
 * few of these.
 */
const WINDOW_CHARACTERS = 40_000;
/** The text before a window, so that "yes, do that" has something to refer to. */
const OVERLAP_CHARACTERS = 6000;
const OVERLAP_TURNS = 6;

export interface Window {
  /** Turns to be worked on. */
  readonly fresh: readonly HeardTurn[];
  /** Turns before them, to be understood from. */
  readonly context: readonly HeardTurn[];
}

/** Cuts a conversation into pieces that fit, each with the turns before it. */
export function cutIntoWindows({ turns }: HeardConversation, fromTurn?: string): Window[] {
  const found = fromTurn === undefined ? 0 : turns.findIndex(({ id }) => id === fromTurn);
  const windows: Window[] = [];
  // A pointer to a turn that is not there must not hide the conversation.
  for (let start = Math.max(0, found); start < turns.length;) {
    let end = start + 1;
    let size = sizeOf(turns[start]);
    while (end < turns.length && size + sizeOf(turns[end]) <= WINDOW_CHARACTERS) {
      size += sizeOf(turns[end]);
      end += 1;
    }
    windows.push({ fresh: turns.slice(start, end), context: contextBefore(turns, start) });
    start = end;
  }
  return windows;
}

function contextBefore(turns: readonly HeardTurn[], start: number): HeardTurn[] {
  let first = start;
  let size = 0;
  while (first > 0 && start - first < OVERLAP_TURNS && size + sizeOf(turns[first - 1]) <= OVERLAP_CHARACTERS) {
    first -= 1;
    size += sizeOf(turns[first]);
  }
  return turns.slice(first, start);
}

function sizeOf(turn: HeardTurn | undefined): number {
  return turn === undefined ? 0 : shortenTurn(turn.text).length;
}
