import { ToldStore } from '../../compile/told-store.ts';
import type { HookInput } from './hook-input.ts';
import type { HookHome } from './hook-home.ts';
import { sessionOf } from './session-of-input.ts';

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
  const { isTold, keysOf } = await import('../../compile/told.ts');
  const store = new ToldStore(home.sessionsHome.fs, home.sessionsHome.paths.journal);
  const told = store.read(session);
  const piece = { id: 'mneme.yaml', said };
  if (isTold([piece], told)) return undefined;
  await store.write(session, { ...told, keys: new Set([...told.keys, ...keysOf(piece)]) });
  return note;
}
