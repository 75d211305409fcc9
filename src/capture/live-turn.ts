import type { Turn, TurnPart, TurnRole } from '../workspace/formats/transcript.ts';

/** A turn as its live log keeps it: with the instant, and with what was read of another program's log up to here. */
export interface LiveTurn extends Turn {
  readonly timeMs?: number | undefined;
  /** Opaque here: whoever captures from a log notes how far it was read, in the same write as the turn. */
  readonly captured?: unknown;
}

/** A turn that has no number yet. */
export interface NewTurn {
  readonly role: TurnRole;
  readonly parts: readonly TurnPart[];
  readonly timeMs: number;
  readonly name?: string | undefined;
  readonly captured?: unknown;
}

export function turnNumber(turn: Turn): number {
  return Number(turn.id.slice(1));
}
