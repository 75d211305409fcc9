import type { ChildProcess } from 'node:child_process';

/**
 * Waits for a process to end. Undefined when all went well, otherwise how it ended and what it said on standard error,
 * which has to be a pipe: an exit code alone explains no failure.
 */
export function failureOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const how = signal === null ? `exit ${code}` : `ended by ${signal}`;
      resolve(code === 0 ? undefined : [how, said.trim()].filter((part) => part !== '').join(': '));
    });
  });
}
