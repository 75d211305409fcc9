import { turnNumber } from '../../capture/live-turn.ts';
import { SessionWishes } from '../../capture/session-wishes.ts';
import { hasWishes } from '../../capture/triggers/detect.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { HookHome } from './hook-home.ts';
import type { ToldWishes } from './report.ts';

/**
 * Fulfils what the user asked of the memory in the turns just captured ("remember that …"). Only a wish opens the home to
 * write; nearly every turn has none. Returns what a person should hear.
 */
export async function fulfilCaptured(home: HookHome, session: string): Promise<readonly string[]> {
  const wishes = wishesOf(home);
  const { upTo = 0, waiting = [] } = wishes.find(session) ?? {};
  const { record, turns } = home.sessions.peek(session);
  const fresh = turns.filter((turn) => turnNumber(turn) > upTo);
  const last = fresh.at(-1);
  if (last === undefined && waiting.length === 0) return [];
  if (last !== undefined && waiting.length === 0 && !hasWishes(fresh, record?.user)) {
    await wishes.pass(session, turnNumber(last));
    return [];
  }
  home.begin('wish');
  try {
    const [{ fulfilCapturedWishes }, { runOperation }, { internals }] = await Promise.all([
      import('../../operations/session/fulfil-wishes.ts'),
      import('../../operations/operation.ts'),
      home.openToWrite(),
    ]);
    const done = await runOperation(fulfilCapturedWishes, internals, { session });
    return done.flatMap(({ noted, reason }) =>
      noted.hasFailed === true && reason !== undefined ? [waits(reason)] : [],
    );
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return [waits(errorMessage(error))];
  }
}

function waits(reason: string): string {
  return `what you asked to be remembered waits: ${reason} The next hook, or \`mneme learn extract\`, does it.`;
}

/** Leaves word, before anything that may take too long, that the session may hold wishes. */
export async function expectWishes(home: HookHome, session: string): Promise<void> {
  await wishesOf(home).begin(session);
}

/** The answer is on its way to the agent. */
export async function noteTold(folder: string, { session, count }: ToldWishes): Promise<void> {
  const { HookHome: Home } = await import('./hook-home.ts');
  await wishesOf(await Home.open(folder)).noteTold(session, count);
}

export function wishesOf({ sessionsHome }: HookHome): SessionWishes {
  return new SessionWishes(sessionsHome);
}
