import path from 'node:path';
import type { TranscriptFrontmatter } from '../model/schemas/transcript.ts';
import type { FileSystem } from '../platform/fs.ts';
import { parseTranscript, renderTurns, type Turn } from '../workspace/formats/transcript.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { plainName, readPacked } from '../workspace/packed.ts';

/** The parts of a session that raw/ already holds. */
export interface EarlierParts {
  readonly parts: number;
  readonly turns: number;
  /** Relative to raw/, in the order of the turns; by their plain names, packed or not. */
  readonly paths: readonly string[];
  /** Of the last part. */
  readonly frontmatter: Partial<TranscriptFrontmatter>;
  /** The user's latest name. */
  readonly user: string | undefined;
  /** Everything that was said, in order. */
  readonly said: readonly Turn[];
  /** Whether a turn stands there, by its number and its words. */
  readonly holds: (turn: Turn) => boolean;
}

/** Undefined for a session that has no transcript yet. */
export function findEarlierParts(fs: FileSystem, rawRoot: string, session: string): EarlierParts | undefined {
  const folder = path.join(rawRoot, 'conversations');
  const found: {
    readonly path: string;
    readonly lastTurn: number;
    readonly frontmatter: Partial<TranscriptFrontmatter>;
    readonly turns: readonly Turn[];
  }[] = [];
  for (const file of new Set(fs.listFiles(folder).map(plainName))) {
    // `HHMM-<session>-<slug>.md`: the name tells which files are worth opening.
    if (!path.basename(file).slice('HHMM-'.length).startsWith(session) || !file.endsWith('.md')) continue;
    const text = readPacked(fs, path.join(folder, file))?.toString('utf8');
    const transcript = text === undefined ? undefined : parseTranscript(parseDocument(text));
    if (transcript?.frontmatter.session_id !== session) continue;
    const lastTurn = (transcript.frontmatter.first_turn ?? 1) - 1 + transcript.turns.length;
    const relative = `conversations/${file.replaceAll(path.sep, '/')}`;
    found.push({ path: relative, lastTurn, frontmatter: transcript.frontmatter, turns: transcript.turns });
  }
  found.sort((a, b) => a.lastTurn - b.lastTurn);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const paths = found.map((part) => part.path);
  const said = found.flatMap((part) => part.turns);
  const user = said.findLast(({ role, name }) => role === 'user' && name !== undefined)?.name;
  const byId = Map.groupBy(said, ({ id }) => id);
  const holds = (turn: Turn): boolean => byId.get(turn.id)?.some((held) => isSame(held, turn)) ?? false;
  return { parts: found.length, turns: last.lastTurn, paths, frontmatter: last.frontmatter, user, said, holds };
}

/** Compared as a transcript shows them: that is all of a turn that is kept. */
function isSame(a: Turn, b: Turn): boolean {
  return renderTurns([a], '') === renderTurns([b], '');
}
