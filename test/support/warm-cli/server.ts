/**
 * The command line in a process that has already been loaded: starting it takes most of what a short command costs. Runs
 * one command at a time, as `client.mjs` asks for it, in the folder and with the variables of whoever asks.
 *
 *   node server.ts SOCKET
 */
import net from 'node:net';
import { createInterface } from 'node:readline';
import { runCli } from '../../../src/interfaces/cli/run.ts';
import { readEnvironment } from '../../../src/platform/environment.ts';

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Asked = { readonly command: Command } | { readonly input: string };

let isBusy = false;

/** In the environment itself: the system looks there for the user's home, not at an object that stands in for it. */
function takeOver(env: Command['env']): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function serve(socket: net.Socket): Promise<void> {
  const send = (message: unknown): void => void socket.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const read = async (): Promise<Asked | undefined> => {
    const { value, done } = await lines.next();
    return done === true ? undefined : (JSON.parse(value) as Asked);
  };
  const asked = await read();
  if (asked === undefined || !('command' in asked)) return;
  if (isBusy) {
    send({ busy: true });
    return;
  }
  isBusy = true;
  const { args, cwd, env } = asked.command;
  process.chdir(cwd);
  takeOver(env);
  const code = await runCli(args, readEnvironment(), {
    out: (text) => send({ out: text }),
    err: (text) => send({ err: text }),
    readInput: async () => {
      send({ wantsInput: true });
      const given = await read();
      return given !== undefined && 'input' in given ? given.input : '';
    },
    ask: () => Promise.resolve(undefined),
    askSecret: () => Promise.resolve(undefined),
    onInterrupt: () => () => undefined,
    isTerminal: false,
    wantsColor: false,
    columns: 100,
  });
  isBusy = false;
  send({ code });
}

const server = net.createServer((socket) => {
  socket.on('error', (error) => console.error(error.message));
  serve(socket).then(
    () => socket.end(),
    (error: Error) => {
      isBusy = false;
      socket.end(`${JSON.stringify({ err: `error: ${error.stack ?? error.message}\n` })}\n{"code":70}\n`);
    },
  );
});
server.listen(process.argv[2], () => process.send?.('ready'));
process.once('disconnect', () => process.exit());
