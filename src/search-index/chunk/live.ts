import { z } from 'zod';
import { isScope, type Scope } from '../../model/provenance.ts';
import { TURN_ROLES } from '../../workspace/formats/transcript.ts';
import type { ChunkContext, SourceFile } from './draft.ts';
import type { ChunkedFile } from './transcript.ts';
import { chunkTurns, type PlacedTurn } from './turns.ts';
import { parseJson } from '../../model/parse-json.ts';

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
