import { lowestTrust, type Trust } from '../../model/provenance.ts';
import type { Turn, TurnPart, TurnRole } from '../../workspace/formats/transcript.ts';
import type { Passage } from '../passage.ts';
import { dateInWords, momentOf } from './dates.ts';
import { oneLineOf, passagesOf, type ChunkContext } from './draft.ts';

/** What holds for all turns of a session. */
export interface SessionFrame {
  readonly session: string;
  /** The zone the turns' hours are in. */
  readonly timeZone: string;
  /** How far the whole transcript is trusted; `import` for one that is not the user's own. */
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

/** What a tool was given and gave back serves to recognise the call; more would drown what was said. */
const MAX_ARGUMENT_CHARS = 200;
const MAX_RESULT_CHARS = 300;
/** A turn that is all tool output. */
const MAX_OUTPUT_CHARS = 1200;

const ROLE_TRUST: Readonly<Record<TurnRole, Trust>> = { user: 'user', agent: 'agent', system: 'agent', tool: 'tool' };

export function chunkTurns(turns: readonly PlacedTurn[], frame: SessionFrame): Passage[] {
  return turns.flatMap((turn) => chunkTurn(turn, frame));
}

function chunkTurn(turn: PlacedTurn, { session, timeZone, trust, tags, context }: SessionFrame): Passage[] {
  const text = spokenText(turn);
  if (text.trim() === '') return [];
  const speaker = turn.name ?? turn.role;
  const roleTrust = ROLE_TRUST[turn.role];
  return passagesOf(
    {
      id: `${session}#${turn.id}`,
      text,
      lead: speaker,
      day: dateInWords(turn.date) ?? '',
      startLine: turn.startLine,
      endLine: turn.endLine,
      textLine: turn.textLine,
      type: 'turn',
      timeMs: momentOf(turn.date, turn.time, timeZone),
      speaker,
      turn: turn.id,
      session,
      source: trust === 'import' ? 'import' : 'conversation',
      trust: trust === undefined ? roleTrust : lowestTrust([roleTrust, trust]),
      importance: undefined,
      confidence: undefined,
      tags,
    },
    context,
  );
}

/** The words of a turn and, in short, what it did; spaced as the transcript is, so that lines can be counted. */
function spokenText(turn: Turn): string {
  let text = '';
  let previous: TurnPart['kind'] | undefined;
  for (const part of turn.parts) {
    const line = part.kind === 'text' ? wordsOf(turn.role, part.text) : markLine(part);
    const isSpaced = part.kind === 'text' || previous === 'text';
    if (previous !== undefined) text += isSpaced ? '\n\n' : '\n';
    text += line;
    previous = part.kind;
  }
  return text;
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
