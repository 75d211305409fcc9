import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isLongRun } from '../support/effort.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function startDaemon(home: string, ...options: string[]): Running {
  const child = spawn(process.execPath, [path.join(root, 'bin/mneme'), '--home', home, 'daemon', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  return { child, said: () => said, ended };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error(`waited in vain until ${what}`);
}

async function newHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  return cli;
}

async function isAlive(cli: TestCli): Promise<boolean> {
  const { out } = await cli.run(['daemon', 'status', '--json']);
  return (JSON.parse(out) as { heartbeat: unknown }).heartbeat !== null;
}

// SPEC JOB-3, JOB-4
it('one for each home; notices edits, serves the API if asked to, says what it does, ends when asked', async () => {
  const cli = await newHome();
  expect(await cli.run(['daemon', 'status'])).toMatchObject({ code: 3 });
  const { token } = await cli.json<{ token: string }>('serve', 'tokens', 'add', 'phone', '--role', 'reader');
  await cli.ok('config', 'set', 'daemon.serve', 'true');
  await cli.ok('config', 'set', 'server.port', '0');
  const daemon = startDaemon(cli.home);
  await until('it gives a sign of life', () => isAlive(cli));
  await until('it serves', () => Promise.resolve(/ at http:/u.test(daemon.said())));
  const url = / at (http:\S+)/u.exec(daemon.said())?.[1] ?? '';
  const ask = (headers: Record<string, string>): Promise<Response> => fetch(`${url}/api/v1/me`, { headers });
  expect((await ask({})).status).toBe(401);
  const me = (await (await ask({ authorization: `Bearer ${token}` })).json()) as unknown;
  expect(me).toMatchObject({ name: 'phone', role: 'reader', canWrite: false });
  const second = await cli.run(['daemon']);
  expect(second.code).toBe(6);
  expect(second.err).toContain('runs on');
  // A person's editor.
  await until('the edit is in the history', async () => {
    fs.writeFileSync(path.join(cli.home, 'workspace', 'by-hand.md'), '# By hand\n');
    return (await cli.run(['log'])).out.includes('by-hand.md');
  });
  expect(await cli.ok('daemon', 'stop')).toContain(`Stopped process ${daemon.child.pid}`);
  expect(await daemon.ended).toBe(0);
  expect(daemon.said()).not.toContain('before everything was finished');
  expect(fs.existsSync(path.join(cli.home, 'state', 'daemon.json'))).toBe(false);
  await expect(ask({})).rejects.toThrow('fetch failed');
  const lines = await cli.json<{ event: string }[]>('daemon', 'service', 'logs');
  const events = lines.map(({ event }) => event);
  // What is due at this minute may run in between.
  expect([events[0], events.at(-1)]).toEqual(['started', 'stopped']);
  expect(await cli.ok('daemon', 'stop')).toContain('No daemon was running');
});

it('killed, it leaves nothing that keeps the next one from starting; a deleted state folder does not end it', async () => {
  const cli = await newHome();
  const first = startDaemon(cli.home);
  await until('the first gives a sign of life', () => isAlive(cli));
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await cli.run(['daemon', 'status'])).toMatchObject({ code: 3 });
  const second = startDaemon(cli.home);
  await until('the second gives a sign of life', () => isAlive(cli));
  // The daemon goes on writing into the folder while it is emptied, so one pass may find it not empty.
  fs.rmSync(path.join(cli.home, 'state'), { recursive: true, maxRetries: 20, retryDelay: 20 });
  await until('it has its lock again', () => isAlive(cli));
  expect(await cli.run(['daemon'])).toMatchObject({ code: 6 });
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

it.runIf(isLongRun)('makes up for a job that was missed, and takes up changed settings', async () => {
  const cli = await newHome();
  const time = Date.now() - 3 * 86_400_000;
  const known = { event: 'known', job: 'explore-prune', time, schedule: '30 4 * * * UTC' };
  const folder = path.join(cli.home, 'journal', 'jobs');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, `${new Date(time).toISOString().slice(0, 7)}.jsonl`),
    `${JSON.stringify(known)}\n`,
  );
  const daemon = startDaemon(cli.home);
  await until('the job has run', async () => {
    const runs = await cli.json<{ state: string; scheduled: string | null }[]>('jobs', 'history', 'explore-prune');
    return runs.some(({ state, scheduled }) => state === 'done' && scheduled !== null);
  });
  await cli.ok('config', 'set', 'scheduler.explore_prune', 'null');
  await until('the settings are taken up', () => Promise.resolve(daemon.said().includes('mneme.yaml has changed')));
  daemon.child.kill('SIGTERM');
  expect(await daemon.ended).toBe(0);
});

it('a home that does not exist is an error before anything is written', async () => {
  const cli = new TestCli(path.join(makeTemporaryFolder(), 'none'));
  const { code, err } = await cli.run(['daemon']);
  expect(code).toBe(3);
  expect(err).toContain('mneme init');
  expect(fs.existsSync(cli.home)).toBe(false);
});

it('a service is shown before it is set up, and nothing is done without a yes', async () => {
  const userHome = makeTemporaryFolder();
  const cli = new TestCli(path.join(userHome, '.mneme'), { logPlaces: { userHome } });
  await cli.init();
  const shown = await cli.ok('daemon', 'service', 'install', '--dry-run');
  expect(shown).toContain(' --home ');
  expect(await cli.run(['daemon', 'service', 'install'])).toMatchObject({ code: 2 });
  expect(fs.readdirSync(userHome)).toEqual(['.mneme']);
  expect(await cli.ok('daemon', 'service', 'uninstall')).toContain('There is no service');
  expect(await cli.json('daemon', 'service', 'status')).toMatchObject({ isInstalled: false, isActive: false });
});
