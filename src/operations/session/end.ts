import { z } from 'zod';
import { assertSessionId } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import { defineOperation } from '../operation.ts';

const input = z.object({ session: z.string().min(1).describe('The session’s id.') });

export interface EndedSession {
  readonly session: string;
  /** The transcript, relative to raw/; null when nothing was said. */
  readonly path: string | null;
  readonly turns: number;
}

export const endSession = defineOperation({
  name: 'session end',
  summary: 'End a conversation: its transcript is written and never changes again.',
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, { session }): Promise<EndedSession> {
    assertSessionId(session);
    const ended = await context.parts.sessions().end(session);
    if (ended !== undefined) {
      if (ended.path !== undefined) context.parts.learning.later(context, session);
      return { session, path: ended.path ?? null, turns: ended.turns };
    }
    throw new MnemeError('not-found', `No session ${session} is open.`, {
      hint: '`mneme session list` shows the open ones.',
    });
  },
});
