import { z } from 'zod';
import { type Scope, type Trust, isScope, lowestTrust } from '../../model/provenance.ts';
import { parseJson } from '../../model/records.ts';
import { fileStem, scopeOfFile } from '../../workspace/formats/layout.ts';
import {
  TURN_ROLES,
  type Transcript,
  type Turn,
  type TurnPart,
  type TurnRole,
  isOwnCall,
  memorableParts,
  parseTranscript,
  turnText,
} from '../../workspace/formats/transcript.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import type { IndexedDocument, Passage } from '../passage.ts';
import { dateInWords, knownZone, momentOf } from './dates.ts';
import { type ChunkContext, type SourceFile, oneLineOf, passagesOf } from './draft.ts';

/** Properties of all turns of a session. */
export interface SessionFrame {
  readonly session: string;
  /** The zone the turns' hours are in. */
  readonly timeZone: string;
  /** The trust of the whole transcript; `import` for one that is not the user's own. */
  readonly trust: Trust | undefined;
  readonly tags: readonly string[];
  readonly context: ChunkContext;
}

export interface PlacedTurn extends Turn {
  readonly startLine: number;
  readonly endLine: number;
  /** The line on which the words begin. */
  readonly textLine: number;
}

/** A tool's input and output serve to recognise the call; more would drown the conversation. */
const MAX_ARGUMENT_CHARS = 200;
const MAX_RESULT_CHARS = 300;
/** A turn that is all tool output. */
const MAX_OUTPUT_CHARS = 1200;
/** So much of its words helps to find what a turn's tools did, and of their calls to find its words. */
const MAX_SHARED_CHARS = 80;

const ROLE_TRUST: Readonly<Record<TurnRole, Trust>> = { user: 'user', agent: 'agent', system: 'agent', tool: 'tool' };

export function chunkTurns(turns: readonly PlacedTurn[], frame: SessionFrame): Passage[] {
  return turns.flatMap((turn) => chunkTurn(turn, frame));
}

/**
 * A turn's words and, behind them, what its tools did. A tool's answer may hold anything, such as a page written for
 * agents to stumble upon: it is a passage of its own and never has the trust of whoever called the tool.
 */
function chunkTurn(turn: PlacedTurn, frame: SessionFrame): Passage[] {
  const placed = placeParts(turn);
  const said = joinParts(placed.filter(({ part }) => part.kind !== 'tool'));
  const done = joinParts(placed.filter(({ part }) => part.kind === 'tool'));
  const speaker = turn.name ?? turn.role;
  const calls = turn.parts.flatMap((part) =>
    part.kind === 'tool' && !isOwnCall(part) ? [oneLineOf(part.args, MAX_SHARED_CHARS)] : [],
  );
  const { startLine, endLine } = turn;
  const roleTrust = ROLE_TRUST[turn.role];
  return [
    ...chunkVoice(turn, frame, {
      ...said,
      speaker,
      trust: roleTrust,
      lead: [speaker, ...calls].join(' '),
      startLine,
      endLine,
    }),
    ...chunkVoice(turn, frame, {
      ...done,
      speaker: 'tool',
      trust: lowestTrust([roleTrust, 'tool']),
      lead: `tool ${oneLineOf(turnText({ parts: placed.map(({ part }) => part) }), MAX_SHARED_CHARS)}`,
      startLine: Math.min(done.lines[0] ?? startLine, endLine),
      endLine: Math.min(done.lines.at(-1) ?? endLine, endLine),
    }),
  ];
}

/** The contribution of one speaker, or of a tool, to a turn. */
interface Voice extends JoinedParts, Pick<Passage, 'lead' | 'trust' | 'startLine' | 'endLine'> {
  readonly speaker: string;
}

function chunkVoice(turn: PlacedTurn, frame: SessionFrame, voice: Voice): Passage[] {
  if (voice.text.trim() === '') return [];
  const { session, timeZone, trust, tags, context } = frame;
  return passagesOf(
    {
      ...voice,
      id: `${session}#${turn.id}`,
      day: dateInWords(turn.date) ?? '',
      type: 'turn',
      timeMs: momentOf(turn.date, turn.time, timeZone),
      turn: turn.id,
      session,
      source: trust === 'import' ? 'import' : 'conversation',
      trust: trust === undefined ? voice.trust : lowestTrust([voice.trust, trust]),
      importance: undefined,
      confidence: undefined,
      tags,
    },
    context,
  );
}

interface PlacedPart {
  readonly part: TurnPart;
  /** Its words or, in short, what it did. */
  readonly text: string;
  /** The line of the file on which it begins. */
  readonly line: number;
}

/** The parts that can be remembered, each on its line of the file. */
function placeParts(turn: PlacedTurn): PlacedPart[] {
  let line = turn.textLine;
  const memorable = memorableParts(turn);
  return turn.parts.flatMap((part, index) => {
    if (isSpaced(turn.parts[index - 1], part)) line += 1;
    const at = line;
    line += part.kind === 'text' ? part.text.split('\n').length : 1;
    const kept = memorable[index];
    if (kept === undefined) return [];
    return [{ part: kept, text: kept.kind === 'text' ? wordsOf(turn.role, kept.text) : markLine(kept), line: at }];
  });
}

interface JoinedParts {
  readonly text: string;
  /** The file's line for each line of the text. */
  readonly lines: readonly number[];
}

function joinParts(parts: readonly PlacedPart[]): JoinedParts {
  const rows: string[] = [];
  const lines: number[] = [];
  for (const [index, { part, text, line }] of parts.entries()) {
    if (isSpaced(parts[index - 1]?.part, part)) {
      rows.push('');
      lines.push(line - 1);
    }
    for (const [offset, row] of text.split('\n').entries()) {
      rows.push(row);
      lines.push(line + offset);
    }
  }
  return { text: rows.join('\n'), lines };
}

/** Whether an empty line stands between two parts, in a transcript and here. */
function isSpaced(before: TurnPart | undefined, part: TurnPart): boolean {
  return before !== undefined && (part.kind === 'text' || before.kind === 'text');
}

function wordsOf(role: TurnRole, text: string): string {
  return role === 'tool' ? oneLineOf(text, MAX_OUTPUT_CHARS) : text;
}

function markLine(mark: Exclude<TurnPart, { kind: 'text' }>): string {
  const detail = (separator: string, text: string | undefined, maxChars: number): string =>
    text === undefined || text === '' ? '' : `${separator} ${oneLineOf(text, maxChars)}`;
  switch (mark.kind) {
    case 'tool':
      return `> [tool:${mark.name}]${detail('', mark.args, MAX_ARGUMENT_CHARS)}${detail(' →', mark.result, MAX_RESULT_CHARS)}`;
    case 'knowledge':
      return `> [knowledge:${mark.action}]${detail('', mark.path, MAX_ARGUMENT_CHARS)}${detail(' —', mark.summary, MAX_RESULT_CHARS)}`;
    case 'attachment':
      return `> [attachment:${mark.path}]${detail('', mark.note, MAX_RESULT_CHARS)}`;
  }
}

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
