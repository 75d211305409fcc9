import type { ClaudeCodeInput } from './claude-code-input.ts';

/** The session an input is about; undefined when it names no log. */
export async function sessionOf({ transcriptPath }: ClaudeCodeInput): Promise<string | undefined> {
  if (transcriptPath === undefined) return undefined;
  const { sessionOfLog } = await import('../../operations/session/session-of-log.ts');
  return sessionOfLog(transcriptPath);
}
