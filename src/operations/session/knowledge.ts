import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import { parseWorkspacePath } from '../../workspace/safety/paths.ts';
import { defineVerb } from '../verb.ts';
import { appendTo, time, momentOf, type AppendedTurn } from './message.ts';

const line = (what: string) => z.string().trim().min(1).describe(what);

const NO_PATH = 'is no path of a file in the workspace, such as memory/graph/entities/person--ines.md';

/** Whether a file named in a transcript is a valid workspace path. */
function isWorkspacePath(path: string): boolean {
  try {
    parseWorkspacePath(path);
    return true;
  } catch (error) {
    if (isMnemeError(error)) return false;
    throw error;
  }
}

const input = z.object({
  session: z.string().min(1).describe('The session’s id.'),
  changes: z
    .array(
      z.object({
        path: line('The file that was changed, as a path in the workspace.').max(1000).refine(isWorkspacePath, NO_PATH),
        action: line('A word: added, updated, superseded, …').max(60),
        summary: line('What changed, in a line.').max(2000).optional(),
        mutation: line('The change in the history.').max(60).optional(),
      }),
    )
    .min(1)
    .max(1000)
    .describe('What the conversation changed in the memory.'),
  time,
});

/** For whatever turns conversations into knowledge. */
export const sessionKnowledge = defineVerb({
  name: 'session knowledge',
  summary: 'Note in a conversation what it changed in the memory.',
  input,
  args: ['session'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { session, changes, time: given }): Promise<AppendedTurn> {
    const timeMs = momentOf(context, given);
    return appendTo(context, session, (open) => open.appendChanges(changes, timeMs));
  },
  cli: false,
});
