import { logId } from '../../exchange/import/lines.ts';
import { sessionIdOf } from '../../exchange/import/session-writer.ts';

/** `claude-code:<id>`: the identity by which imports and captures know a session of another program. */
export function originOfLog(file: string, program = 'claude-code'): string {
  return `${program}:${logId(file)}`;
}

/** The session that a log belongs to, in this home. */
export function sessionOfLog(file: string, program?: string): string {
  return sessionIdOf(originOfLog(file, program));
}
