import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { progress } from '../support.ts';
import type { Person } from './person.ts';

const TURN_MS = 30_000;
const LEARNED_AFTER_MS = 300_000;

/** Takes a person's conversations into a new home, each at its own time, and learns from it as soon as it has ended. */
export async function learnHistory(
  home: string,
  { id, person, sessions }: Pick<Person, 'id' | 'person' | 'sessions'>,
  /** After each conversation, with its place. */
  onLearned?: (mneme: Mneme, at: number) => Promise<void>,
): Promise<void> {
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  let nowMs = 0;
  const mneme = await openMneme({ home, actor: 'human:user', parts: { clock: { now: () => nowMs } } });
  try {
    for (const [at, { id: name, started, project, turns }] of sessions.entries()) {
      nowMs = Date.parse(started);
      if (at % 10 === 0) progress(`${id}: conversation ${at + 1} of ${sessions.length}`);
      const session = await mneme.session.start({
        id: name,
        user: person.name,
        ...(project === undefined ? {} : { project }),
      });
      for (const { role, text } of turns) {
        nowMs += TURN_MS;
        if (role === 'tool') await session.tool('shell', {}, text);
        else await session.message(role, text);
      }
      await session.end();
      nowMs += LEARNED_AFTER_MS;
      await mneme.extract({ sessions: [name] });
      await onLearned?.(mneme, at);
    }
    await syncIndex(mneme.internals);
  } finally {
    await mneme.close();
  }
}
