import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeClaudeCodeLogs } from '../../../../test/support/claude-code-logs.ts';
import { TestCli } from '../../../../test/support/cli.ts';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { Mneme } from '../../../mneme.ts';
import { elapsedMs } from '../../../platform/clock.ts';
import { Cli } from '../cli.ts';
import { processIo } from '../io.ts';
import { ProgressLine } from '../progress.ts';
import { createStyle } from '../../../operations/command-line/style.ts';
import { describeProgress, learnWithProgress, renderLearned, type LearnedNow } from './learn-now.ts';

afterEach(() => vi.unstubAllEnvs());

describe('learnWithProgress', () => {
  /** A home with two imported conversations, and time that is over already unless said otherwise. */
  async function learn(commands: readonly string[][] = [], untilMs = elapsedMs() - 1): Promise<LearnedNow> {
    const userHome = makeTemporaryFolder();
    writeClaudeCodeLogs(userHome, [
      { project: 'ferry', day: '2026-03-01', said: ['Never use tabs in YAML files.'] },
      { project: 'ferry', day: '2026-03-02', said: ['Henrik leads the ticketing team.'] },
    ]);
    const test = new TestCli(path.join(userHome, '.mneme'), { logPlaces: { userHome } });
    await test.ok('init', '--yes');
    await test.ok('import', 'claude-code');
    for (const command of commands) await test.ok(...command);
    const cli = new Cli(processIo(false), test.environment);
    const mneme = await Mneme.open({ home: test.home, isShortLived: true, background: [process.execPath, '-e', ''] });
    try {
      const line = new ProgressLine(cli, {});
      return await learnWithProgress(cli, mneme.internals, { line, signal: new AbortController().signal, untilMs });
    } finally {
      await mneme.close();
    }
  }

  it('leaves to the background worker what does not fit into the time', async () => {
    vi.stubEnv('MNEME_WORKER', '');
    expect(await learn()).toEqual({ conversations: 0, statements: 0, left: 2, leftTo: 'background' });
  });

  it('names the command that goes on where no worker does', async () => {
    expect(await learn()).toMatchObject({ left: 2, leftTo: 'extract' });
    expect(await learn([['config', 'set', 'extract.imports', 'false']], Infinity)).toMatchObject({
      conversations: 0,
      left: 2,
      leftTo: 'extract',
    });
    expect(await learn([['pause']], Infinity)).toMatchObject({ left: 2, leftTo: 'resume' });
  });

  it('learns from everything where there is time', async () => {
    expect(await learn([], Infinity)).toEqual({ conversations: 2, statements: 2, left: 0, leftTo: null });
  });
});

it('shows how far learning is, and how long it takes', () => {
  const about = { done: 4, left: 8, roomMs: 50_000, isHandedOver: true };
  expect(describeProgress({ ...about, eachMs: undefined })).toBe('learning  4 of 12 conversations');
  expect(describeProgress({ ...about, eachMs: 2000 })).toBe('learning  4 of 12 conversations · about 16 s left');
  expect(describeProgress({ ...about, left: 300, eachMs: 2000 })).toBe(
    'learning  4 of 304 conversations · about 10 min in all; in 50 s the rest goes on in the background',
  );
  expect(describeProgress({ ...about, left: 300, eachMs: 2000, isHandedOver: false })).toMatch(/; in 50 s it stops$/u);
});

it('says what was learned and what becomes of the rest', () => {
  const render = (learned: LearnedNow): string => renderLearned(createStyle(false), learned);
  expect(render({ conversations: 3, statements: 1, left: 0, leftTo: null })).toBe(
    'Learned 1 statement from 3 conversations.\n',
  );
  expect(render({ conversations: 0, statements: 0, left: 0, leftTo: null })).toBe('');
  expect(render({ conversations: 2, statements: 0, left: 40, leftTo: 'background' })).toBe(
    'Nothing new was learned from 2 conversations.\n40 conversations left. The background worker goes on with them: ' +
      '`mneme status` shows how far it is, `mneme` what is known by then.\n',
  );
});
