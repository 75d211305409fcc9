import { z } from 'zod';
import type { SessionBuffer } from '../../capture/session-buffers.ts';
import { defineVerb } from '../verb.ts';
import { assertKnown } from './message.ts';

const session = z.string().min(1).describe('The session’s id.');

/** The input that background work reads of an open session, built afresh; null when there is nothing new. */
export const sessionBuffer = defineVerb({
  name: 'session buffer',
  summary: 'Export what was said and not processed yet, for work in the background.',
  input: z.object({ session }),
  args: ['session'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<SessionBuffer | null> {
    assertKnown(context, given.session);
    return (await context.parts.sessions().exportBuffer(given.session)) ?? null;
  },
  render: async (view, output) => (await import('./render.ts')).renderBuffer(view, output),
});

/** Says how far a session was processed; what was, is not exported again. */
export const sessionProcessed = defineVerb({
  name: 'session processed',
  summary: 'Note how far a conversation was processed.',
  input: z.object({ session, turn: z.int().min(1).describe('The number of the last turn that was.') }),
  args: ['session'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<{ readonly processed: number }> {
    const sessions = context.parts.sessions();
    await sessions.markProcessed(given.session, given.turn);
    return { processed: sessions.processedUpTo(given.session) };
  },
  cli: false,
});
