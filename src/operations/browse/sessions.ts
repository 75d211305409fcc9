import { z } from 'zod';
import { topicOf } from '../../capture/session-frontmatter.ts';
import { MnemeError } from '../../model/errors.ts';
import {
  parseTranscript,
  renderTurns,
  turnText,
  type Transcript,
  type Turn,
} from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { assertSessionId } from '../../capture/sessions.ts';

export interface ListedSession {
  readonly session: string;
  /** Of its first part that is listed here, in the home's zone: `2026-02-16 18:45`. */
  readonly started: string;
  readonly topic: string | null;
  readonly channel: string | null;
  readonly project: string | null;
  readonly turns: number;
  readonly isOpen: boolean;
  /** In raw/; null while it goes on. */
  readonly path: string | null;
}

export interface SessionHistory {
  /** The latest first. */
  readonly sessions: readonly ListedSession[];
  /** Give it as `before` for earlier ones; null at the end. */
  readonly next: string | null;
}

/** `conversations/2026/02/16/1845-ses_a1b2-slug.md` tells day and hour. */
const TRANSCRIPT_PATH = /^conversations\/(\d{4})\/(\d{2})\/(\d{2})\/(\d{2})(\d{2})-[^/]+\.md$/u;

export const sessionHistory = defineVerb({
  name: 'session history',
  summary: 'Conversations, those going on and those that ended, the latest first.',
  input: z.strictObject({
    limit: z.number().int().min(1).max(200).default(30),
    before: z.string().max(1000).optional().describe('Only what came before this place: `next` of an earlier answer.'),
  }),
  effect: 'read',
  async run(context, { limit, before }): Promise<SessionHistory> {
    const open = before === undefined ? openSessions(context) : [];
    const paths = transcriptPaths(context).filter((path) => before === undefined || path < before);
    const page = paths.slice(0, limit);
    const ended = page.flatMap((path) => describeTranscript(context, path));
    return { sessions: [...open, ...ended], next: paths.length > limit ? (page.at(-1) ?? null) : null };
  },
  cli: false,
});

/** The latest first; the path orders them by time. */
export function transcriptPaths({ homeIndex }: OperationContext): string[] {
  const found = homeIndex.files.list(({ path }) => TRANSCRIPT_PATH.test(plainName(path)), ['raw']);
  return [...new Set(found.map(({ path }) => plainName(path)))].sort().reverse();
}

export function dayOfTranscript(path: string): string {
  const [, year, month, day] = TRANSCRIPT_PATH.exec(path) ?? [];
  return `${year}-${month}-${day}`;
}

/** A conversation that has ended, packed or not; nothing when the file is none. */
export function readTranscript({ homeIndex: { files } }: OperationContext, path: string): Transcript[] {
  const file = files.read({ source: 'raw', path }) ?? files.read({ source: 'raw', path: `${path}.gz` });
  const transcript = parseTranscript(parseDocument(file?.text ?? ''));
  return transcript.frontmatter.session_id === undefined || transcript.turns.length === 0 ? [] : [transcript];
}

export function describeTranscript(context: OperationContext, path: string): ListedSession[] {
  const [{ frontmatter, turns, title } = { frontmatter: {}, turns: [], title: undefined }] = readTranscript(
    context,
    path,
  );
  const [first] = turns;
  if (frontmatter.session_id === undefined || first === undefined) return [];
  return [
    {
      session: frontmatter.session_id,
      started: `${first.date} ${first.time.slice(0, 5)}`,
      topic: frontmatter.topic ?? title ?? null,
      channel: frontmatter.channel ?? null,
      project: frontmatter.project ?? null,
      turns: turns.length,
      isOpen: false,
      path,
    },
  ];
}

export function openSessions(context: OperationContext): ListedSession[] {
  const sessions = context.parts.sessions();
  return sessions
    .list()
    .map((session) => {
      const { record, turns } = sessions.peek(session);
      const [first] = turns;
      return {
        session,
        started: first === undefined ? '' : `${first.date} ${first.time.slice(0, 5)}`,
        topic: topicOf(record ?? {}, turns) ?? null,
        channel: record?.channel ?? null,
        project: record?.project ?? null,
        turns: sessions.lastTurnNumber(session),
        isOpen: true,
        path: null,
      };
    })
    .toSorted((one, other) => (one.started < other.started ? 1 : -1));
}

export interface ShownTurn {
  readonly id: string;
  readonly number: number;
  readonly date: string;
  readonly time: string;
  readonly role: string;
  readonly name: string | null;
  /** The words that were said. */
  readonly text: string;
  /** The whole turn as the transcript has it, with tool calls and marks. */
  readonly markdown: string;
}

export interface TranscriptPage {
  readonly session: string;
  readonly isOpen: boolean;
  readonly topic: string | null;
  /** In raw/, in the order of the turns. */
  readonly paths: readonly string[];
  readonly total: number;
  /** The number of turns before this page. */
  readonly from: number;
  readonly turns: readonly ShownTurn[];
}

export const sessionTranscript = defineVerb({
  name: 'session transcript',
  summary: 'What was said in a conversation, page by page or around a turn.',
  input: z.strictObject({
    session: z.string().min(1).max(200),
    from: z.number().int().min(0).optional().describe('How many turns to leave out.'),
    around: z.string().max(40).optional().describe('A turn, such as t12, to put in the middle.'),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  args: ['session'],
  effect: 'read',
  async run(context, { session, from, around, limit }): Promise<TranscriptPage> {
    assertSessionId(session);
    const sessions = context.parts.sessions();
    const earlier = sessions.findEarlier(session);
    const isOpen = sessions.isOpen(session);
    if (earlier === undefined && !isOpen) {
      throw new MnemeError('not-found', `There is no session ${session}.`, {
        hint: '`mneme session list` shows the open ones; `mneme recall` finds the others.',
      });
    }
    const { record, turns: live } = isOpen ? sessions.peek(session) : { record: undefined, turns: [] };
    const said = (earlier?.said ?? []).filter((turn) => !live.some(({ id }) => id === turn.id));
    const all: readonly Turn[] = [...said, ...live];
    const middle = around === undefined ? -1 : all.findIndex(({ id }) => id === around);
    const start = from ?? (middle === -1 ? 0 : Math.max(0, middle - Math.floor(limit / 2)));
    return {
      session,
      isOpen,
      topic: earlier?.frontmatter.topic ?? topicOf(record ?? {}, all) ?? null,
      paths: earlier?.paths ?? [],
      total: all.length,
      from: start,
      turns: all.slice(start, start + limit).map(showTurn),
    };
  },
  cli: false,
});

function showTurn(turn: Turn): ShownTurn {
  const { id, date, time, role, name } = turn;
  const number = Number(/\d+/u.exec(id)?.[0] ?? 0);
  return { id, number, date, time, role, name: name ?? null, text: turnText(turn), markdown: renderTurns([turn], '') };
}
