import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { TestCli } from '../../../test/support/cli.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { sessionOfLog } from '../../operations/session/session-of-log.ts';
import { HookHome } from './hook-home.ts';
import type { Activity, HookReport } from './report.ts';
import { describeTooSlow } from './run-hook.ts';
import { doHookWork } from './work.ts';

function makeLog(name: string): string {
  const file = path.join(makeTemporaryFolder(), `${name}.jsonl`);
  const lines = ['user', 'assistant'].map((type, at) =>
    JSON.stringify({
      type,
      uuid: `${name}-${at}`,
      sessionId: name,
      cwd: '/home/mira/lantern',
      timestamp: `2026-03-02T09:0${at}:00.000Z`,
      message: { role: type, content: `What ${type} ${name} says about the lantern` },
    }),
  );
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Runs a hook and returns what it was heard doing so far, and its end. */
function work(home: string, event: string, log: string): { readonly doing: Activity[]; readonly done: Promise<void> } {
  const doing: Activity[] = [];
  const hear = (report: HookReport): void => {
    if (report.kind === 'doing') doing.push(report.activity);
  };
  const text = JSON.stringify({ hook_event_name: event, transcript_path: log, source: 'startup' });
  return { doing, done: doHookWork({ home, agent: 'claude-code', event, text }, hear, true) };
}

function records(home: string): string[] {
  return fs.readdirSync(path.join(home, 'journal', 'sessions')).sort();
}

async function makeHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  return cli;
}

it('a hook tells what it is busy with', async () => {
  const cli = await makeHome();
  const log = makeLog('a1a1a1a1-0000-4000-8000-000000000001');
  const stop = work(cli.home, 'Stop', log);
  await stop.done;
  expect(stop.doing.slice(0, 3)).toEqual(['log', 'lock', 'log']);
  const end = work(cli.home, 'SessionEnd', log);
  await end.done;
  expect(end.doing.at(-1)).toBe('transcript');
  const start = work(cli.home, 'SessionStart', log);
  await start.done;
  expect(['search', 'index']).toContain(start.doing.at(-1));
});

it('notes an end before it waits for a lock', async () => {
  const cli = await makeHome();
  const log = makeLog('b2b2b2b2-0000-4000-8000-000000000002');
  await work(cli.home, 'Stop', log).done;
  const held = new DatabaseSync(path.join(cli.home, 'state', 'import.db'));
  held.exec('BEGIN IMMEDIATE');
  const end = work(cli.home, 'SessionEnd', log);
  await vi.waitFor(() => expect(end.doing.at(-1)).toBe('lock'), { timeout: 15_000 });
  expect(records(cli.home)).toEqual([expect.stringMatching(/\.ended$/u), expect.stringMatching(/\.json$/u)]);
  held.close();
  await end.done;
  expect(records(cli.home)).toEqual([]);
});

it('an end that nobody came to is made by the next session’s end, unless the session went on', async () => {
  const cli = await makeHome();
  const given = makeLog('c3c3c3c3-0000-4000-8000-000000000003');
  const resumed = makeLog('d4d4d4d4-0000-4000-8000-000000000004');
  for (const log of [given, resumed]) {
    await work(cli.home, 'Stop', log).done;
    (await HookHome.open(cli.home)).sessions.noteEnd(sessionOfLog(log));
  }
  await work(cli.home, 'Stop', resumed).done;
  await work(cli.home, 'SessionEnd', makeLog('e5e5e5e5-0000-4000-8000-000000000005')).done;
  expect(records(cli.home)).toEqual([`${sessionOfLog(resumed)}.json`]);
});

it.each([
  ['input', /waiting for standard input; .* closes it/u],
  ['opening', /starting; .*hooks\.timeout_ms 5000/u],
  ['lock', /waiting for another process .*mneme check setup/u],
  ['log', /log of this session.*`mneme import claude-code`/u],
  ['transcript', /writing the transcript/u],
  ['search', /searching; .*hooks\.timeout_ms/u],
  ['index', /index up to date; .*`mneme index sync`/u],
] as const)('a hook that gives up on %s says so and what helps', (activity, words) => {
  const said = describeTooSlow(activity, { timeoutMs: 1400, isConfigured: false });
  expect(said).toMatch(/^given up after 1400 ms while /u);
  expect(said).toMatch(words);
  expect(said.includes('index sync')).toBe(activity === 'index');
});
