import { ToldStore } from '../../compile/told-store.ts';
import { hookAgent, type HookEvent } from '../../runtime/connect/hook-agents.ts';
import { type HookInput, parseHookInput, sessionOf } from './hook-input.ts';
import { answerHook } from './answer-hook.ts';
import { HookHome } from './hook-home.ts';
import { describeFailure, type HookOrder, type HookReport } from './report.ts';

/** Does what a hook is for and reports on the way; never throws. */
export async function doHookWork(
  { home, agent, event: named, text }: HookOrder,
  report: (sent: HookReport) => void,
  mayBlock: boolean,
): Promise<void> {
  let event: HookEvent | undefined;
  try {
    const input = parseHookInput(text, named, hookAgent(agent));
    event = input.event;
    const opened = await HookHome.open(home, (activity) => report({ kind: 'doing', activity }));
    report({ kind: 'started', event, timeoutMs: opened.settings.config.hooks.timeout_ms });
    const answer = await answerHook(input, opened, mayBlock);
    if (answer === undefined) {
      report({ kind: 'heavy' });
      return;
    }
    const said = [await findSettingsNote(input, opened), ...answer.notes].filter((note) => note !== undefined);
    // One line for a person, whatever there is to say.
    const notes = said.length === 0 ? [] : [said.join(' ')];
    report({ kind: 'done', event, answer: { ...answer, notes } });
  } catch (error) {
    report({ kind: 'done', event, answer: { context: undefined, notes: [describeFailure(error)] } });
  }
}

/**
 * A note for a person about their settings: once in a session, because a hook runs with every message. A setting
 * nobody reads changes nothing and can wait for `mneme check setup`.
 */
export async function findSettingsNote(input: HookInput, home: HookHome): Promise<string | undefined> {
  const findings = home.settings.findings.filter(({ kind }) => kind !== 'unknown-key');
  const last = findings.at(-1);
  if (last === undefined) return undefined;
  const said = findings.map(({ message }) => message).join(' ');
  const note = `${said} ${last.hint}`.replaceAll(/\s+/gu, ' ');
  const session = await sessionOf(input);
  if (session === undefined || home.isReadOnly) return input.event === 'SessionStart' ? note : undefined;
  const { isTold, keysOf } = await import('../../compile/told-store.ts');
  const store = new ToldStore(home.sessionsHome.fs, home.sessionsHome.paths.journal);
  const told = store.read(session);
  const piece = { id: 'mneme.yaml', said };
  if (isTold([piece], told)) return undefined;
  await store.write(session, { ...told, keys: new Set([...told.keys, ...keysOf(piece)]) });
  return note;
}
