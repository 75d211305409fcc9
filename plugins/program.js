/** Runs `mneme` for plugins of programs whose own runtime lacks what the library needs. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** After this the program goes on without its memory. */
const TIMEOUT_MS = 5000;

/** The one in the package of this file; else the one on the PATH. */
function findProgram() {
  const beside = path.resolve(import.meta.dirname, '..', 'bin', 'mneme');
  return existsSync(beside) ? beside : 'mneme';
}

/** Resolves to what `mneme` printed, or to nothing once `onProblem` heard why it failed: a memory never stops its program. */
export function mnemeRunner({ cwd, command = [findProgram()], onProblem }) {
  const [program, ...start] = command;
  return async (args, input) => {
    try {
      const running = run(program, [...start, ...args], { cwd, timeout: TIMEOUT_MS });
      // A program that ends before it has read says so by its exit.
      running.child.stdin.on('error', () => undefined);
      running.child.stdin.end(input);
      return (await running).stdout.trim();
    } catch (error) {
      await onProblem(String(error.stderr || error.message).trim());
      return '';
    }
  };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The name that an import of the program's sessions gives them as well, so that nothing is taken in twice. */
export function sessionName(origin) {
  const bytes = createHash('sha256').update(origin).digest();
  let bits = BigInt(`0x${bytes.subarray(0, 9).toString('hex')}`) >> 7n;
  let name = '';
  for (let count = 0; count < 13; count += 1, bits >>= 5n) name = ALPHABET[Number(bits & 31n)] + name;
  return `ses_${name}`;
}
