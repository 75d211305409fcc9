/**
 * A real server that is stopped, restarted, frozen, made read-only and filled up, while an agent goes on remembering and
 * asking: what it wrote must be found each time, it must be told what is stale, and the server must catch up.
 *
 *   npm run test:failures -- [--folder DIR] [--port 55435] [--megabytes 320]
 *
 * Brings the server up by itself (`scripts/postgres-server.ts`); its data lie on a small file system in memory so that
 * they can be filled up, which needs root.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(os.tmpdir(), 'mneme-failing-postgres') },
    port: { type: 'string', default: '55435' },
    megabytes: { type: 'string', default: '320' },
  },
});
const folder = path.resolve(values.folder);
const data = path.join(folder, 'data');
const filler = path.join(data, 'filler');
const URL_VARIABLE = 'MNEME_FAILURES_URL';
/** Past every pause before the server is tried anew. */
const LATER_MS = 120_000;

interface Trouble {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** What the agent must be told meanwhile; undefined when it should notice nothing. */
  readonly told: RegExp | undefined;
}

const TROUBLES: readonly Trouble[] = [
  { name: 'gone', begin: () => server('stop'), end: () => void server('start'), told: /cannot be reached/u },
  {
    name: 'restarted',
    begin: () => {
      server('stop');
      server('start');
    },
    end: () => undefined,
    told: undefined,
  },
  {
    name: 'slow',
    begin: () => signal('SIGSTOP'),
    end: () => signal('SIGCONT'),
    told: /takes too long|cannot be reached/u,
  },
  { name: 'read-only', begin: () => setReadOnly('on'), end: () => setReadOnly('off'), told: /takes no writes/u },
  { name: 'full', begin: fill, end: () => fs.rmSync(filler, { force: true }), told: /no room left|cannot be reached/u },
];

fs.mkdirSync(data, { recursive: true });
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${values.megabytes}m,mode=755`, 'tmpfs', data]);
let nowMs = Date.parse('2026-03-01T10:00:00Z');
const problems: string[] = [];
try {
  process.env[URL_VARIABLE] = server('start').trim();
  const [agent, other] = [await open('bot:main'), await open('manual')];
  for (const trouble of TROUBLES) await live(trouble, agent, other);
  await agent.close();
  await other.close();
} finally {
  server('stop');
  execFileSync('umount', [data]);
}
process.stdout.write(`${JSON.stringify({ troubles: TROUBLES.map(({ name }) => name), problems })}\n`);
process.exit(problems.length === 0 ? 0 : 1);

async function live({ name, begin, end, told }: Trouble, agent: Mneme, other: Mneme): Promise<void> {
  const expect = (isTrue: boolean, what: string): void => void (isTrue || problems.push(`${name}: ${what}`));
  const text = `The ${name} lantern hangs in the boathouse.`;
  await begin();
  let notes: readonly string[] = [];
  try {
    // More than fits into what the server has put by: a full disk shows only when a file has to grow.
    await agent.append(`memory/reference/${name}.md`, randomLines());
    await agent.remember(text);
    const found = await agent.recall(`${name} lantern`);
    ({ notes } = found);
    expect(found.hits[0]?.text.includes(text) === true, 'what was just remembered is not found');
    expect(told === undefined ? notes.length === 0 : told.test(notes.join(' ')), `it said: ${notes.join(' ')}`);
  } finally {
    await end();
  }
  nowMs += LATER_MS;
  const after = await agent.recall(`${name} lantern`);
  expect(after.notes.length === 0, `still said when it was over: ${after.notes.join(' ')}`);
  // The other machine has no such file: it hears of it from the server.
  const there = await other.recall(`${name} lantern`);
  expect(there.hits[0]?.text.includes(text) === true, 'the server did not catch up');
  process.stderr.write(`… ${name}: ${notes.length === 0 ? 'nothing was said' : notes.join(' ')}\n`);
}

function randomLines(): string {
  return Array.from({ length: 3000 }, () => `- ${randomBytes(40).toString('base64')}\n`).join('');
}

async function open(actor: string): Promise<Mneme> {
  const home = makeTemporaryFolder('mneme-failures-');
  await initTestHome(home);
  const lines = ['engine: postgres', 'postgres_namespace: team/failures', `postgres_url_env: ${URL_VARIABLE}`];
  const settings = ['index:', ...[...lines, 'postgres_timeout_ms: 15000'].map((line) => `  ${line}`)];
  fs.appendFileSync(path.join(home, 'mneme.yaml'), `${settings.join('\n')}\n`);
  return openMneme({ home, actor, parts: { clock: { now: () => (nowMs += 5) } } });
}

function server(command: 'start' | 'stop'): string {
  const script = path.join(import.meta.dirname, '..', '..', 'scripts', 'postgres-server.ts');
  const args = [script, command, '--folder', folder, '--port', values.port];
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The whole server stands still, connections and all. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  const [main = ''] = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', main], { encoding: 'utf8' }).split('\n').filter(Boolean);
  for (const pid of [main, ...children]) process.kill(Number(pid), name);
}

async function setReadOnly(state: 'on' | 'off'): Promise<void> {
  const client = new Client({ connectionString: process.env[URL_VARIABLE] });
  await client.connect();
  await client.query(`ALTER SYSTEM SET default_transaction_read_only TO ${state}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

function fill(): void {
  const block = Buffer.alloc(1 << 20);
  const file = fs.openSync(filler, 'w');
  try {
    for (;;) fs.writeSync(file, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    fs.closeSync(file);
  }
}
