import { z } from 'zod';
import { ToldStore } from '../../compile/told-store.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { defineVerb } from '../verb.ts';
import { showLearned, type EndedSession } from './end.ts';
import { assertKnown } from './message.ts';

/** For the moment an agent's window is emptied: everything said becomes a transcript, and may be told again. */
export const resetSession = defineVerb({
  name: 'session reset',
  summary: 'Keep what was said so far and go on with an empty window.',
  input: z.object({ session: z.string().min(1).describe('The session’s id.') }),
  args: ['session'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { session }): Promise<EndedSession> {
    assertKnown(context, session);
    const { path, turns } = await context.parts.sessions().exclusively(session, {}, (open) => open.nextPart());
    const { workspace, clock } = context;
    await new ToldStore(nodeFileSystem, workspace.paths.journal).forget(session, clock.now());
    // The agent no longer knows what leaves the window, so it is learned from.
    if (path !== undefined) context.parts.learning.later(context, session);
    return { session, path: path ?? null, turns };
  },
  cli: { finish: showLearned },
  render: async (view, output) => (await import('./render.ts')).renderEnded(view, output),
});
