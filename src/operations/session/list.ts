import { z } from 'zod';
import type { LiveTurn } from '../../capture/live-turn.ts';
import { topicOf } from '../../capture/session-frontmatter.ts';
import { assertSessionId, type Sessions } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import { findTranscript } from '../find-turn.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { assertSeesSession, scopeOfSession } from './session-scope.ts';

export interface OpenSessionSummary {
  readonly session: string;
  readonly channel: string | null;
  readonly project: string | null;
  readonly topic: string | null;
  readonly turns: number;
  /** Nothing said in it is kept. */
  readonly isPrivate: boolean;
  readonly lastActiveMs: number | null;
  /** Lines of its log that nobody can read; they are kept in `journal/live/<session>.unreadable`. */
  readonly unreadable: number;
}

export const listSessions = defineVerb({
  name: 'session list',
  summary: 'List the conversations that are going on.',
  input: z.object({}),
  effect: 'read',
  reach: 'filtered',
  async run(context): Promise<readonly OpenSessionSummary[]> {
    const sessions = context.parts.sessions();
    const { seesHome, sees } = visibleTo(context);
    const seen = sessions.list().filter((session) => seesHome || sees(scopeOfSession(context, session)));
    return seen.map((session) => summarize(sessions, session));
  },
  cli: { isDefault: true },
  render: async (view, output) => (await import('./render.ts')).renderSessions(view, output),
});

function summarize(sessions: Sessions, session: string): OpenSessionSummary {
  const { record, turns, unreadable } = sessions.peek(session);
  return {
    session,
    channel: record?.channel ?? null,
    project: record?.project ?? null,
    topic: topicOf(record ?? {}, turns) ?? null,
    turns: sessions.lastTurnNumber(session),
    isPrivate: sessions.isPrivate(session),
    lastActiveMs: sessions.lastActiveMs(session) ?? null,
    unreadable,
  };
}

export type ShownSession =
  | { readonly session: string; readonly isOpen: true; readonly turns: readonly Omit<LiveTurn, 'captured'>[] }
  | { readonly session: string; readonly isOpen: false; readonly paths: readonly string[]; readonly text: string };

export const showSession = defineVerb({
  name: 'session show',
  summary: 'Show what was said in a conversation.',
  input: z.object({ session: z.string().min(1).describe('The session’s id.') }),
  args: ['session'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { session }): Promise<ShownSession> {
    assertSessionId(session);
    assertSeesSession(context, session);
    const sessions = context.parts.sessions();
    if (sessions.isOpen(session)) {
      const { record, turns } = sessions.peek(session);
      // A session that goes on after its end, or is very long, has parts that are transcripts already.
      const isFirstPart = record !== undefined && record.part === 1 && record.isEnding !== true;
      const earlier = isFirstPart ? undefined : sessions.findEarlier(session);
      const said = (earlier?.said ?? []).filter((turn) => !turns.some(({ id }) => id === turn.id));
      return { session, isOpen: true, turns: [...said, ...turns.map(withoutNotes)] };
    }
    const earlier = sessions.findEarlier(session);
    if (earlier === undefined) {
      throw new MnemeError('not-found', `There is no session ${session}.`, {
        hint: '`mneme session list` shows the open ones; `mneme recall` finds the others.',
      });
    }
    const texts = await Promise.all(earlier.paths.map((path) => findTranscript(context, path)));
    return { session, isOpen: false, paths: earlier.paths, text: texts.join('\n') };
  },
  render: async (view, output) => (await import('./render.ts')).renderSession(view, output),
});

function withoutNotes({ captured: _notes, ...turn }: LiveTurn): Turn {
  return turn;
}
