import { z } from 'zod';
import { assertSessionId } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Terminal } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { countLearned } from '../learned-counts.ts';

const input = z.object({ session: z.string().min(1).describe('The session’s id.') });

export interface EndedSession {
  readonly session: string;
  /** The transcript, relative to raw/; null when nothing was said. */
  readonly path: string | null;
  readonly turns: number;
}

export const endSession = defineVerb({
  name: 'session end',
  summary: 'End a conversation: its transcript is written and never changes again.',
  input,
  args: ['session'],
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
  cli: { finish: showLearned },
  render: async (view, output) => (await import('./render.ts')).renderEnded(view, output),
});

/** Learning would go on behind the end; at a shell the user sees what came of it. */
export async function showLearned(
  context: OperationContext,
  ended: EndedSession,
  _progress: unknown,
  terminal: Pick<Terminal, 'warn'>,
): Promise<EndedSession> {
  const { sessions, problems } = await context.parts.learning.settle();
  for (const note of new Set([...problems, ...sessions.flatMap(({ notes }) => notes)])) terminal.warn(note);
  return { ...ended, ...countLearned(sessions.flatMap(({ items }) => items)) };
}
