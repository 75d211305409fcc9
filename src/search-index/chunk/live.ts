import { z } from 'zod';
import { type Scope, isScope } from '../../model/provenance.ts';
import { fileStem, scopeOfFile } from '../../workspace/formats/layout.ts';
import { TURN_ROLES, type Transcript, parseTranscript } from '../../workspace/formats/transcript.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';
import type { IndexedDocument } from '../passage.ts';
import { knownZone } from './dates.ts';
import type { ChunkContext, SourceFile } from './draft.ts';
import { type PlacedTurn, chunkTurns } from './turns.ts';
import { parseJson } from '../../model/records.ts';

const LOG_SUFFIX = '.jsonl';

/** The live log of a session, as it is named in the index. */
export function liveLogPath(session: string): string {
  return session + LOG_SUFFIX;
}

const words = z.string().optional();
const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('tool'), name: z.string(), args: z.string(), result: words }),
  z.object({ kind: z.literal('knowledge'), action: z.string(), path: z.string(), summary: words }),
  z.object({ kind: z.literal('attachment'), path: z.string(), note: words }),
]);
const turnSchema = z.object({
  id: z.string(),
  date: z.string(),
  time: z.string(),
  role: z.enum(TURN_ROLES),
  name: words,
  parts: z.array(z.unknown()),
});

/** A session that is still going on: the same passages its transcript will have, each on its line of the log. */
export function chunkLiveLog(file: SourceFile, context: ChunkContext): ChunkedFile {
  const session = file.path.replace(/^.*\//u, '').slice(0, -LOG_SUFFIX.length);
  const lines = file.text.split('\n');
  const turns = lines.flatMap((line, index) => {
    const turn = parseTurn(line, index + 1);
    return turn === undefined ? [] : [turn];
  });
  // A live log says no more than its turns do; their hours are the home's.
  const frame = { session, timeZone: context.timeZone, trust: undefined, tags: [], context };
  return { scope: scopeOfLog(lines), title: session, session, passages: chunkTurns(turns, frame) };
}

/** Each turn of a private session says whose it is; one that does makes the whole log private. */
function scopeOfLog(lines: readonly string[]): Scope {
  for (const line of lines) {
    if (!line.includes('"scope"')) continue;
    const stated = z.object({ scope: z.string().refine(isScope) }).safeParse(parseJson(line)).data?.scope;
    if (stated !== undefined && isScope(stated)) return stated;
  }
  return 'shared';
}

/** Undefined for a line that is no turn: the torn last line of a log that is being written, or a marker of its writer. */
function parseTurn(line: string, lineNumber: number): PlacedTurn | undefined {
  const turn = turnSchema.safeParse(parseJson(line)).data;
  if (turn === undefined) return undefined;
  const parts = turn.parts.flatMap((part) => partSchema.safeParse(part).data ?? []);
  return { ...turn, parts, startLine: lineNumber, endLine: lineNumber, textLine: lineNumber };
}

export type ChunkedFile = Pick<IndexedDocument, 'scope' | 'title' | 'session' | 'passages'>;

/** A finished session; undefined when nothing in the file can be read as a turn. */
export function chunkTranscript(
  file: SourceFile,
  document: MarkdownDocument,
  context: ChunkContext,
  folderScope: Scope,
): ChunkedFile | undefined {
  const { frontmatter, title, turns } = parseTranscript(document);
  if (turns.length === 0) return undefined;
  const session = sessionOf(frontmatter, file.path);
  const passages = chunkTurns(
    // An empty line stands between a turn's heading and its words.
    turns.map((turn) => Object.assign(turn, { textLine: Math.min(turn.startLine + 2, turn.endLine) })),
    {
      session,
      timeZone: knownZone(frontmatter.timezone) ?? 'UTC',
      trust: frontmatter.trust,
      tags: frontmatter.tags ?? [],
      context,
    },
  );
  return {
    scope: scopeOfFile(folderScope, document),
    title: frontmatter.topic ?? title ?? session,
    session,
    passages,
  };
}

/** The session's id, or what the file's name says of it: `1845-ses_a1b2c3d4-slug.part2.md`. */
function sessionOf(frontmatter: Transcript['frontmatter'], path: string): string {
  if (frontmatter.session_id !== undefined) return frontmatter.session_id;
  const stem = fileStem(path.replace(/\.gz$/iu, '')).replace(/\.part\d+$/u, '');
  return /^\d{4}-(ses_[A-Za-z0-9]+)/u.exec(stem)?.[1] ?? stem;
}
