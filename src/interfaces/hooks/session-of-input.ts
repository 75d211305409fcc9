import type { HookInput } from './hook-input.ts';

/** The session an input is about; undefined when it names no log. */
export async function sessionOf({ agent, transcriptPath }: HookInput): Promise<string | undefined> {
  if (transcriptPath === undefined) return undefined;
  const { sessionOfLog } = await import('../../operations/session/session-of-log.ts');
  return sessionOfLog(transcriptPath, agent.name);
}
