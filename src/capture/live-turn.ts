import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';
import type { Turn, TurnPart, TurnRole } from '../workspace/formats/transcript.ts';

/** A change that a conversation made in the memory, as listed in the transcript. */
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
  /** The owner's scope, when it is private: the log is searched before there is a transcript. */
  readonly scope?: string | undefined;
  /** Changes the turn made in the memory; its parts list the same as text, without the mutations. */
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
  const bytes = fs.read(logFile) ?? Buffer.alloc(0);
  let end = bytes.lastIndexOf('\n');
  while (end > 0) {
    const start = bytes.lastIndexOf('\n', end - 1) + 1;
    const turn = parseLiveTurn(bytes.toString('utf8', start, end));
    if (turn !== undefined) return turn;
    end = start - 1;
  }
  return undefined;
}

/** Undefined for a line that is no turn: a disk or an editor may have damaged it. */
function parseLiveTurn(line: string): LiveTurn | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isTurn =
      typeof value === 'object' &&
      value !== null &&
      'id' in value &&
      typeof value.id === 'string' &&
      /^t\d+$/u.test(value.id) &&
      'parts' in value &&
      Array.isArray(value.parts);
    return isTurn ? (value as LiveTurn) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface LiveLines {
  readonly turns: readonly LiveTurn[];
  /** The lines those stand in, and the lines that nobody can read. */
  readonly readable: readonly string[];
  readonly unreadable: readonly string[];
}

/** Behind the last line end stands at most what is being written at this moment. */
export function readLiveLines(fs: FileSystem, logFile: string): LiveLines {
  const text = fs.read(logFile)?.toString('utf8') ?? '';
  const turns: LiveTurn[] = [];
  const readable: string[] = [];
  const unreadable: string[] = [];
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '') continue;
    const turn = parseLiveTurn(line);
    if (turn === undefined) unreadable.push(line);
    else {
      turns.push(turn);
      readable.push(line);
    }
  }
  return { turns, readable, unreadable };
}

/** Beside the log, with the lines that had to be taken out of it. */
export function unreadableFile(logFile: string): string {
  return logFile.replace(/\.jsonl$/u, '.unreadable');
}

/** Counts the unreadable lines of a session's log, including those already moved aside. */
export function countUnreadable(fs: FileSystem, logFile: string, inLog: readonly string[]): number {
  const aside = fs.read(unreadableFile(logFile))?.toString('utf8') ?? '';
  return aside.split('\n').filter((line) => line !== '').length + inLog.length;
}

/** One damaged line must not keep a conversation from going on or ending: it is put aside, and nothing of it is lost. */
export async function setAsideUnreadable(fs: FileSystem, logFile: string): Promise<void> {
  const { readable, unreadable } = readLiveLines(fs, logFile);
  if (unreadable.length === 0) return;
  const aside = unreadableFile(logFile);
  const before = fs.read(aside)?.toString('utf8') ?? '';
  await replaceFile(fs, aside, `${before}${unreadable.join('\n')}\n`);
  await replaceFile(fs, logFile, readable.length === 0 ? '' : `${readable.join('\n')}\n`);
}

async function replaceFile(fs: FileSystem, target: string, text: string): Promise<void> {
  const temporary = `${target}.new`;
  const file = fs.open(temporary);
  try {
    file.truncate(0);
    file.write(Buffer.from(text, 'utf8'), 0);
    await file.sync();
  } finally {
    file.close();
  }
  await fs.rename(temporary, target);
  fs.syncDirectory(path.dirname(target));
}
