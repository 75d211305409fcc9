import { isWindowName, windowName } from '../compile/compaction/read-messages.ts';
import type { ContextMessage } from '../compile/compaction/message.ts';
import type { AskOptions } from '../reasoner/port.ts';
import type { OperationContext } from './context.ts';
import type { WindowSource } from './compact-source.ts';
import type { SessionExtraction } from './extract/extract-session.ts';
import { runImport } from './import.ts';
import { flushSession } from './working/flush.ts';

/** A moment as the importer takes it. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/iu;

/** Keeps the words of a window and what matters of them, before anything of it is dropped. */
export async function saveWindow(
  context: OperationContext,
  { session, unsaved, isKnownSession, messages }: WindowSource,
  ask: AskOptions,
): Promise<readonly SessionExtraction[]> {
  const saved: SessionExtraction[] = [];
  if (isKnownSession) saved.push(await flushSession(context, session, { ask }));
  if (unsaved.length > 0) {
    // Beside the session the home follows, never into it: its turns are numbered by whoever captures it.
    const name = isKnownSession && !isWindowName(session) ? windowName(messages) : session;
    await keepWords(context, name, unsaved);
    saved.push(await flushSession(context, name, { ask }));
  }
  return saved;
}

/** As a transcript of somebody's conversation: what a file says was said is not taken for the user's word. */
async function keepWords(
  context: OperationContext,
  session: string,
  messages: readonly ContextMessage[],
): Promise<void> {
  let time = new Date(context.clock.now()).toISOString();
  const lines = messages.map((message) => {
    if (message.time !== undefined && TIME.test(message.time) && !Number.isNaN(Date.parse(message.time))) {
      ({ time } = message);
    }
    const { role, name, text } = message;
    return JSON.stringify({ session, time, role, ...(name === undefined ? {} : { name }), text });
  });
  const input = { from: 'transcript', path: '-' } as const;
  await runImport(context, input, { readInput: () => Promise.resolve(lines.join('\n')) });
}
