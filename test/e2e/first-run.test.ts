import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogPlaces } from '../../src/platform/environment.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { fixture } from '../support/imports.ts';

/** A user's folder with logs of two programs in it. */
function somebodysLogs(): LogPlaces {
  const userHome = makeTemporaryFolder();
  fs.cpSync(fixture('claude-code'), path.join(userHome, '.claude', 'projects'), { recursive: true });
  fs.cpSync(fixture('codex'), path.join(userHome, '.codex'), { recursive: true });
  return { userHome };
}

const nobodysLogs = (): LogPlaces => ({ userHome: makeTemporaryFolder() });

function begin(logPlaces: LogPlaces, answers?: readonly string[]): TestCli {
  return new TestCli(path.join(logPlaces.userHome, '.mneme'), { logPlaces, answers });
}

describe('mneme without a home', () => {
  it('finds the logs, asks once, imports them and answers a question with quote, date, session and turn', async () => {
    const cli = begin(somebodysLogs(), ['', 'which port does the parcel service listen on?', '']);
    const { code, out } = await cli.run([]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}Claude Code {2}3 sessions {2}\d{4}-\d\d-\d\d … \d{4}-\d\d-\d\d {2}15 KB$/mu);
    expect(out).toMatch(/^ {2}Codex +4 sessions/mu);
    expect(out).toContain('Make a memory home in ~/.mneme and import them? Nothing leaves this machine. [Y/n]');
    expect(out).toContain('Imported from Claude Code: 2 sessions, 11 turns');
    expect(out).toMatch(/^2026-03-05 09:00 · episodic\/\w+\/t\d · conversations\/\S+ses_\w+\S*:\d+ · \d\.\d\d$/mu);
    expect(out).toContain('agent: On 8431');
    expect(out.slice(out.indexOf('Next:'))).toContain('mneme recall');
    expect(out.slice(out.indexOf('Next:'))).toContain('mneme install');
  });

  it('does nothing when the answer is no, or the input ends', async () => {
    for (const answers of [['n'], []]) {
      const cli = begin(somebodysLogs(), answers);
      expect(await cli.ok()).toContain('Nothing was done.');
      expect(fs.existsSync(cli.home)).toBe(false);
    }
  });

  it('makes a home and says how to begin when there are no logs', async () => {
    const cli = begin(nobodysLogs(), ['y']);
    const out = await cli.ok();
    expect(out).toContain('No logs of Claude Code, Codex or OpenClaw');
    expect(out).toContain('mneme import transcript FILE');
    await cli.ok('remember', 'it works');
  });

  it('never asks where nobody can answer: it says what it found and what to run', async () => {
    const cli = begin(somebodysLogs());
    const out = await cli.ok();
    expect(out).toContain('3 sessions');
    expect(out).toContain('mneme --yes');
    expect(await cli.json()).toMatchObject({
      exists: false,
      command: 'mneme --yes',
      found: [{ from: 'claude-code', sessions: 3 }, { from: 'codex' }],
    });
    expect(fs.existsSync(cli.home)).toBe(false);
    expect(await cli.ok('--home', path.join(makeTemporaryFolder(), 'other'))).toContain('mneme --home ');
  });

  it('does all of it at once with --yes, and again without harm', async () => {
    const cli = begin(somebodysLogs());
    expect(await cli.ok('--yes')).toContain('Imported from Codex: 3 sessions');
    expect(await cli.ok('recall', 'parcel port')).toContain('8431');
    expect(await cli.json('--yes')).toMatchObject({ made: false, imported: [{ sessions: 0 }, { sessions: 0 }] });
  });

  it('says that it goes on when it was stopped', async () => {
    const logPlaces = somebodysLogs();
    const cli = new TestCli(path.join(logPlaces.userHome, '.mneme'), { logPlaces, isInterrupted: true });
    const { code, err } = await cli.run(['--yes']);
    expect(code).toBe(1);
    expect(err).toContain('`mneme --yes` goes on');
    expect(await begin(logPlaces).json('--yes')).toMatchObject({ imported: [{ sessions: 2 }, { sessions: 3 }] });
  });

  it('refuses those who may not write, and options it does not have', async () => {
    const cli = begin(somebodysLogs());
    expect((await cli.run(['--yes', '--as', 'reader:x'])).code).toBe(5);
    expect((await cli.run(['--bogus'])).code).toBe(2);
    expect(fs.existsSync(cli.home)).toBe(false);
  });
});

describe('mneme with a home', () => {
  it('shows what there is, what is new, and the most useful commands', async () => {
    const cli = begin(somebodysLogs());
    await cli.ok('init', '--yes');
    await cli.ok('import', 'codex');
    const out = await cli.ok();
    expect(out).toContain('~/.mneme: 1 file, 9 passages to search');
    expect(out).toContain('3 sessions of Claude Code: mneme import claude-code');
    expect(out).not.toContain('of Codex');
    expect(out).toContain('mneme help');
    expect(await cli.json()).toMatchObject({ exists: true, notImported: [{ from: 'claude-code', sessions: 3 }] });
    expect(await cli.ok('doctor')).toMatch(/^ok +logs +3 sessions not imported yet \(mneme import claude-code\)$/mu);
  });
});
