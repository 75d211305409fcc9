import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogPlaces } from '../../src/platform/environment.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { writeClaudeCodeLogs } from '../support/claude-code-logs.ts';
import { fixture } from '../support/imports.ts';

/** A user's folder with logs of two programs in it. */
function somebodysLogs(): LogPlaces {
  const userHome = makeTemporaryFolder();
  fs.cpSync(fixture('claude-code'), path.join(userHome, '.claude', 'projects'), { recursive: true });
  fs.cpSync(fixture('codex'), path.join(userHome, '.codex'), { recursive: true });
  return { userHome };
}

const nobodysLogs = (): LogPlaces => ({ userHome: makeTemporaryFolder() });

const said = (project: string, day: string, ...words: string[]) => ({ project, day, said: words });

/** Conversations with things to know in them: thirteen that hold, one that was replaced, one that was said twice. */
const TALKS = [
  said('ferry', '2026-02-02', 'We deploy the ferry service on Tuesdays.', 'The ferry API listens on port 8443.'),
  said('ferry', '2026-03-02', 'The ferry API listens on port 9443 now, no longer on 8443.'),
  said('garden', '2026-03-05', 'Never use tabs in YAML files.', 'I prefer short answers without tables.'),
  said('garden', '2026-03-06', 'Never use tabs in YAML files.', 'Ines is our designer, she lives in Porto.'),
  said(
    'ferry',
    '2026-03-07',
    'Always run the linter before a commit.',
    'We use PostgreSQL 17 for the booking database.',
  ),
  said('ferry', '2026-03-08', 'Henrik leads the ticketing team.', 'We decided to keep backups for 90 days.'),
  said('garden', '2026-03-09', 'The greenhouse sensor reports every ten minutes.', 'My timezone is Europe/Lisbon.'),
  said('garden', '2026-03-10', 'Release notes are written in German.', 'I prefer TypeScript over Python.'),
];

function talkativeLogs(): LogPlaces {
  const userHome = makeTemporaryFolder();
  writeClaudeCodeLogs(userHome, TALKS);
  return { userHome };
}

interface Known {
  readonly text: string;
  readonly day: string;
  readonly project: string;
  readonly from: string;
  readonly session: string;
}

interface Begun {
  readonly learned: { readonly conversations: number; readonly statements: number; readonly left: number };
  readonly knows: readonly Known[];
  readonly connected: readonly { readonly client: string; readonly connected: boolean }[];
}

function begin(logPlaces: LogPlaces, answers?: readonly string[]): TestCli {
  return new TestCli(path.join(logPlaces.userHome, '.mneme'), { logPlaces, answers });
}

describe('mneme without a home', () => {
  it('finds the logs, asks once, imports them and answers a question with quote, date, session and turn', async () => {
    const cli = begin(somebodysLogs(), ['', 'n', 'n', 'which port does the parcel service listen on?', '']);
    const { code, out } = await cli.run([]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}Claude Code {2}3 sessions {2}\d{4}-\d\d-\d\d … \d{4}-\d\d-\d\d {2}15 KB$/mu);
    expect(out).toMatch(/^ {2}Codex +4 sessions/mu);
    expect(out).toContain(
      'Make a memory home in ~/.mneme, import them and learn from them? Nothing leaves this machine. [Y/n]',
    );
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

describe('mneme learns at the first run', () => {
  it('shows the ten most useful things it knows, each with day, project and program, and connects on a yes', async () => {
    const logPlaces = talkativeLogs();
    const out = await begin(logPlaces, ['', 'y', '']).ok();
    expect(out).toMatch(/^Learned 1\d statements from 8 conversations\.$/mu);
    const known = out.slice(out.indexOf('What is known now'), out.indexOf('Connect Claude Code?')).split('\n').slice(1);
    const lines = known.filter((line) =>
      /^ {2}\d{4}-\d\d-\d\d {2}\S.* {2}\((?:ferry|garden), Claude Code\)$/u.test(line),
    );
    expect(lines).toHaveLength(10);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(out).toContain('  2026-03-06  Ines is our designer, she lives in Porto.  (garden, Claude Code)\n');
    expect(out).toContain('Connected Claude Code.');
    expect(fs.readFileSync(path.join(logPlaces.userHome, '.claude.json'), 'utf8')).toContain('mneme');
    expect(await begin(logPlaces).ok()).toContain(lines.join('\n'));
  });

  it('does all of it with --yes, in the order of a session start, nothing superseded and nothing twice', async () => {
    const cli = begin(talkativeLogs());
    const { learned, knows, connected } = await cli.json<Begun>('--yes');
    expect(learned).toMatchObject({ conversations: 8, left: 0, leftTo: null });
    expect(knows).toHaveLength(10);
    expect(new Set(knows.map(({ text }) => text)).size).toBe(10);
    expect(knows.map(({ text }) => text).join('\n')).not.toMatch(/port 8443\.|may be superseded/u);
    expect(knows[0]).toEqual({
      id: expect.any(String) as string,
      text: 'Never use tabs in YAML files.',
      day: expect.stringMatching(/^2026-03-0[56]$/u) as string,
      path: 'memory/graph/entities/person--user.md',
      session: expect.stringMatching(/^ses_/u) as string,
      turn: 't1',
      project: 'garden',
      from: 'claude-code',
    });
    expect(connected).toMatchObject([{ client: 'claude-code', connected: true, problem: null }]);
    const { prompt } = await cli.json<{ prompt: string }>('context', '--event', 'session-start');
    const places = knows.filter(({ text }) => prompt.includes(text));
    expect(places.length).toBeGreaterThanOrEqual(9);
    const again = await cli.json<Begun>('--yes');
    expect(again).toMatchObject({ learned: { conversations: 0, statements: 0, left: 0 }, knows, connected: [] });
  });

  it('names an open task as one', async () => {
    const userHome = makeTemporaryFolder();
    writeClaudeCodeLogs(userHome, [said('ferry', '2026-03-02', 'I still have to renew the certificate of the API.')]);
    const { knows } = await begin({ userHome }).json<Begun>('--yes', '--no-connect');
    expect(knows.map(({ text }) => text)).toEqual([expect.stringMatching(/^To do: .*renew the certificate/iu)]);
  });

  it('connects nothing with --no-connect', async () => {
    const logPlaces = talkativeLogs();
    expect(await begin(logPlaces).json('--yes', '--no-connect')).toMatchObject({ connected: [] });
    expect(fs.existsSync(path.join(logPlaces.userHome, '.claude.json'))).toBe(false);
  });

  it('connects the other agents when the settings of one cannot be read', async () => {
    const logPlaces = somebodysLogs();
    fs.writeFileSync(path.join(logPlaces.userHome, '.claude', 'settings.json'), '{ "hooks": [');
    const { code, out, err } = await begin(logPlaces).run(['--yes']);
    expect(err).toMatch(/Claude Code was not connected: .*settings\.json/u);
    expect(out).toContain('Connected Codex.');
    expect(out).not.toContain('Connected Claude Code.');
    expect(code).toBe(0);
  });

  it('says plainly that nothing was learned, and what to do', async () => {
    const out = await begin(somebodysLogs()).ok('--yes');
    expect(out).toContain('Nothing new was learned from 5 conversations.\n');
    expect(out).toContain('Nothing is known yet: no conversation states a fact, a decision or a preference');
    expect(out).toContain('mneme remember "…"');
  });

  it('stops at Ctrl-C while it learns, keeps what it has, and goes on when it is run again', async () => {
    const whole = await begin(talkativeLogs()).json<Begun>('--yes', '--no-connect');
    const texts = ({ knows }: Begun): string[] => knows.map(({ text }) => text);
    for (const again of [['--yes', '--no-connect'], []]) {
      const logPlaces = talkativeLogs();
      const home = path.join(logPlaces.userHome, '.mneme');
      const stopped = await new TestCli(home, { logPlaces, answers: [''], interruptAt: /learning {2}[1-6] of 8/u }).run(
        [],
      );
      expect([stopped.code, stopped.err.includes('`mneme --yes` goes on from there')]).toEqual([1, true]);
      expect(stopped.out).toMatch(/[1-7] conversations? left\. `mneme learn extract` learns from them\./u);
      await begin(logPlaces, ['y']).ok(...again);
      const after = await begin(logPlaces).json<Begun>('--yes', '--no-connect');
      expect(after.learned).toMatchObject({ conversations: 0, left: 0 });
      expect(texts(after)).toEqual(texts(whole));
    }
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
