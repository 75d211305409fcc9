import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';
import type { Turn, TurnPart, TurnRole } from '../workspace/formats/transcript.ts';

/** What a conversation changed in the memory, as the transcript tells it. */
export interface KnowledgeChange {
  /** The file that was changed, in the workspace. */
  readonly path: string;
  /** A word: added, updated, superseded, … */
  readonly action: string;
  readonly summary?: string | undefined;
  /** The change in the history. */
  readonly mutation?: string | undefined;
}

/** A turn as its live log keeps it: with the instant, and with what was read of another program's log up to here. */
export interface LiveTurn extends Turn {
  readonly timeMs?: number | undefined;
  /** What the turn changed in the memory; its parts say the same in lines, without the mutations. */
  readonly changes?: readonly KnowledgeChange[] | undefined;
  /** Opaque here: whoever captures from a log notes how far it was read, in the same write as the turn. */
  readonly captured?: unknown;
}

/** A turn that has no number yet. */
export interface NewTurn {
  readonly role: TurnRole;
  readonly parts: readonly TurnPart[];
  readonly timeMs: number;
  readonly name?: string | undefined;
  readonly tag?: string | undefined;
  readonly changes?: readonly KnowledgeChange[] | undefined;
  readonly captured?: unknown;
}

export function turnNumber(turn: Pick<Turn, 'id'>): number {
  return Number(turn.id.slice(1));
}

export function liveLogFile(journal: string, session: string): string {
  return path.join(journal, 'live', `${session}.jsonl`);
}

/** The last turn that was acknowledged. Adding to a long conversation should not cost reading all of it. */
export function readLastLiveTurn(fs: FileSystem, logFile: string): LiveTurn | undefined {
  const bytes = fs.read(logFile);
  const end = bytes?.lastIndexOf('\n') ?? -1;
  if (bytes === undefined || end <= 0) return undefined;
  const start = bytes.lastIndexOf('\n', end - 1) + 1;
  return JSON.parse(bytes.toString('utf8', start, end)) as LiveTurn;
}
