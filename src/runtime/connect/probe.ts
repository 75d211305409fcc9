import { start } from '../../platform/process.ts';
import { splitCommand } from '../../platform/programs/start.ts';
import { errorMessage } from '../../model/errors.ts';

/** The answer of a program that was started: its version, or the problem. */
export type ProbeResult =
  | { readonly isOk: true; readonly version: string }
  | { readonly isOk: false; readonly problem: string };

/** Clients wait at least ten seconds for a server; a person who waits for `doctor` has less patience. */
export const PROBE_TIMEOUT_MS = 8000;
/** Of what it complains about; the reason stands near the beginning. */
const MAX_HEARD = 16_000;
const MAX_WORDS = 200;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'mneme-doctor', version: '1' },
  },
};

/** Starts a server as a client would and says hello to it. */
export function probeServer(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<ProbeResult> {
  const child = start(command, args, { env });
  return converse(child, `${JSON.stringify(INITIALIZE)}\n`, timeoutMs, readGreeting);
}

/**
 * Starts what a hook starts and asks for the version. Claude Code gives the command to bash, on Windows too; here it is
 * started without a shell, so that what else an entry holds is not run.
 */
export async function probeHook(command: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<ProbeResult> {
  const { words, needsShell } = splitCommand(command, 'linux');
  const [program, ...args] = words;
  if (needsShell || program === undefined) {
    return { isOk: false, problem: `its hook does more than start Mneme and was not tried: ${command}` };
  }
  return converse(start(program, [...args, '--version']), '', timeoutMs, (line) => line.trim());
}

function readGreeting(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const answer = JSON.parse(line) as { result?: { serverInfo?: { name?: string; version?: string } } };
  const { name, version } = answer.result?.serverInfo ?? {};
  return name === undefined ? undefined : `${name} ${version ?? ''}`.trim();
}

/** Runs a program until its first complete answer, its end, or the time limit, and never leaves it running. */
function converse(
  child: ReturnType<typeof start>,
  input: string,
  timeoutMs: number,
  read: (line: string) => string | undefined,
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    let out = '';
    let err = '';
    let result: ProbeResult | undefined;
    const take = (line: string): void => {
      try {
        const version = read(line);
        if (version !== undefined && version !== '') result ??= { isOk: true, version };
      } catch (error) {
        result ??= { isOk: false, problem: `it answered with something else (${errorMessage(error)})` };
      }
      // Its input ending is how a client says goodbye.
      if (result !== undefined) child.stdin.end();
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (out + chunk).split('\n');
      out = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err = (err + chunk).slice(0, MAX_HEARD);
    });
    const finish = (problem: string): void => {
      clearTimeout(timer);
      resolve(result ?? { isOk: false, problem });
    };
    // Whether the pipes are closed as well is not waited for: what the program started may hold them.
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(withWords(`no answer within ${timeoutMs / 1000} s`, err));
    }, timeoutMs);
    child.on('error', (error) => finish(`it cannot be started (${errorMessage(error)})`));
    child.on('close', (code) => {
      if (out !== '') take(out);
      finish(withWords(`it ended with ${String(code)}`, err));
    });
    // A program that ends at once closes the pipe; its exit tells the story.
    child.stdin.on('error', () => undefined);
    if (input === '') child.stdin.end();
    else child.stdin.write(input);
  });
}

/** Where Node prints a source line or a stack, what its loader says of itself, and its version at the very end. */
const SURROUNDINGS = [
  /^\s+at /u,
  /^(?:file:\/\/\S+|node:\S+|\S+\.[cm]?[jt]s):\d+$/u,
  /^\s*\^+\s*$/u,
  /^\s*throw /u,
  /^Node\.js v\d/u,
  /^[\s{}[\],]*$/u,
  /^\(node:\d+\)|^\(Use `node /u,
];
const NAMED_ERROR = /^(?:Uncaught )?(?:\w*Error|error)\b.*[:\s]/u;

/** The line that tells why: what a program says last is often only how it ends. */
function withWords(problem: string, err: string): string {
  const lines = err.split('\n').filter((line) => !SURROUNDINGS.some((pattern) => pattern.test(line)));
  const words = (lines.find((line) => NAMED_ERROR.test(line)) ?? lines[0] ?? '').trim().slice(0, MAX_WORDS);
  return words === '' ? problem : `${problem}: ${words}`;
}
