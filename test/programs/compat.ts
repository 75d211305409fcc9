/**
 * Puts the same calls to the real `@modelcontextprotocol/server-memory` from npm and to `mneme mcp --compat server-memory`, and prints
 * where the answers differ: `npm run test:compat`. With `--write` it records what the real server answered, for the test without npm.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { CALLS, readAnswer, type Call } from './compat-calls.ts';
import { runProgram } from './run-program.ts';

const FOLDER = path.join(import.meta.dirname, 'packages', 'server-memory');
const REAL = path.join(FOLDER, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
const MNEME = path.resolve(import.meta.dirname, '../../bin/mneme');
const RECORDED = path.join(import.meta.dirname, 'server-memory-answers.json');

async function connect(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'compare', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: 'ignore',
    env: { ...getDefaultEnvironment(), ...env },
  });
  await client.connect(transport);
  return client;
}

async function ask(client: Client, [name, args]: Call): Promise<unknown> {
  return readAnswer(await client.callTool({ name, arguments: args }));
}

const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
const installed = await runProgram('npm', npm, { cwd: FOLDER, env: process.env, limitMs: 200_000 });
if (installed.code !== 0 || !fs.existsSync(REAL)) throw new Error(`server-memory was not installed: ${installed.out}`);
const home = makeTemporaryFolder();
await initTestHome(home);
const real = await connect([REAL], { MEMORY_FILE_PATH: path.join(makeTemporaryFolder(), 'memory.jsonl') });
const ours = await connect([MNEME, '--home', home, 'mcp', '--compat', 'server-memory'], { MNEME_WORKER: 'off' });
const recorded: unknown[] = [];
let differing = 0;
for (const call of CALLS) {
  const answer = await ask(real, call);
  recorded.push(answer);
  const [theirs, mine] = [answer, await ask(ours, call)].map((one) => JSON.stringify(one, undefined, 1));
  if (theirs === mine) continue;
  differing += 1;
  console.log(`${call[0]} ${JSON.stringify(call[1])}\n--- server-memory\n${theirs}\n--- mneme\n${mine}\n`);
}
await Promise.all([real.close(), ours.close()]);
console.log(`${CALLS.length - differing} passed, ${differing} failed`);
if (process.argv.includes('--write')) fs.writeFileSync(RECORDED, `${JSON.stringify(recorded, undefined, 1)}\n`);
process.exitCode = differing === 0 ? 0 : 1;
