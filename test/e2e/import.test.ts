import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { copyLogs, fixture } from '../support/imports.ts';

describe('import', () => {
  let cli: TestCli;
  beforeEach(async () => {
    cli = new TestCli();
    await cli.init();
  });

  it('says what was taken and what was not, and the next question finds it', async () => {
    const out = await cli.ok('import', 'claude-code', fixture('claude-code'));
    expect(out).toMatch(
      /^Imported from Claude Code: 2 sessions, 11 turns, 2026-01-31 … 2026-03-05 \(15 KB in \S+ s\)\.$/mu,
    );
    expect(out).toMatch(/^ {2}2 +messages +written by the program$/mu);
    expect(out).toContain('mneme recall');
    expect(await cli.ok('recall', 'which zone does the station use?')).toContain('Europe/Lisbon');
    const again = await cli.ok('import', 'claude-code', fixture('claude-code'));
    expect(again).toContain('Nothing new in Claude Code');
  });

  it('answers with one JSON value, the index included', async () => {
    expect(await cli.json('import', 'codex', fixture('codex'))).toMatchObject({
      from: 'codex',
      sessions: 3,
      interrupted: false,
      index: { isComplete: true },
    });
  });

  it('takes transcripts from a file and from standard input', async () => {
    expect(await cli.json('import', 'transcript', fixture('transcripts/two-sessions.jsonl'))).toMatchObject({
      sessions: 2,
    });
    const line = { session: 'tea', time: '2026-05-01T10:00:00Z', role: 'user', name: 'Mia', text: 'Oolong at four' };
    const { code } = await cli.run(['import', 'transcript', '-'], `${JSON.stringify(line)}\n`);
    expect(code).toBe(0);
    expect(await cli.ok('recall', 'when is the oolong?', '--speakers', 'Mia')).toContain('Oolong at four');
  });

  it('takes a folder of notes and an OpenClaw workspace', async () => {
    const folder = path.join(makeTemporaryFolder(), 'garden');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'beds.md'), '# Beds\n\nThe rhubarb is behind the shed.\n');
    expect(await cli.ok('import', 'markdown', folder)).toContain('1 document');
    expect(await cli.ok('recall', 'rhubarb')).toContain('memory/reference/garden/beds.md');
    expect(await cli.json('import', 'openclaw', copyLogs('openclaw'))).toMatchObject({ from: 'openclaw' });
  });

  it('leaves the home out of a folder it is in, and refuses the home itself', async () => {
    const outer = path.dirname(cli.home);
    fs.writeFileSync(path.join(outer, 'beds.md'), 'The rhubarb is behind the shed.\n');
    expect(await cli.json('import', 'markdown', outer)).toMatchObject({
      documents: 1,
      skipped: [{ what: 'folder', why: 'a Mneme home, which is never imported', count: 1 }],
    });
    for (const folder of [cli.home, path.join(cli.home, 'workspace')]) {
      const refused = await cli.run(['import', 'markdown', folder]);
      expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('belongs to a Mneme home')]);
    }
  });

  it('only tells with --dry-run', async () => {
    const out = await cli.ok('import', 'claude-code', fixture('claude-code'), '--dry-run', '--since', '2026-03-01');
    expect(out).toContain('Would import from Claude Code: 1 session');
    expect(fs.existsSync(path.join(cli.home, 'raw', 'conversations'))).toBe(false);
  });

  it.each([
    [['import'], 2, 'missing'],
    [['import', 'myspace'], 2, 'claude-code, codex, gemini, openclaw, opencode, markdown, transcript'],
    [['import', 'markdown'], 2, 'needs a path'],
    [['import', 'transcript', '/no/such/file'], 3, '/no/such/file'],
    [['import', 'claude-code', fixture('claude-code'), '--since', 'soon'], 2, '"soon" is no time'],
    [['import', 'claude-code', fixture('claude-code'), '--as', 'reader:x'], 5, 'may not run import'],
  ])('refuses %j in words', async (args, code, message) => {
    const result = await cli.run(args);
    expect(result.code).toBe(code);
    expect(result.err.toLowerCase()).toContain(message.toLowerCase());
  });

  it('stops on Ctrl-C, and the same command goes on', async () => {
    const stopped = await new TestCli(cli.home, { isInterrupted: true }).run(['import', 'codex', fixture('codex')]);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toContain('the same command goes on');
    expect(await cli.json('import', 'codex', fixture('codex'))).toMatchObject({ sessions: 3 });
  });
});

describe('import without a home', () => {
  it('needs --yes where nobody can be asked', async () => {
    const cli = new TestCli();
    const refused = await cli.run(['import', 'codex', fixture('codex')]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('--yes');
    expect((await cli.run(['import', 'codex', fixture('codex'), '--yes', '--dry-run'])).code).toBe(3);
    expect(fs.existsSync(cli.home)).toBe(false);
    expect(await cli.ok('import', 'codex', fixture('codex'), '--yes')).toContain('3 sessions');
  });

  it('asks on a terminal, and takes no for an answer', async () => {
    const no = new TestCli(undefined, { answers: ['no'] });
    expect((await no.run(['import', 'codex', fixture('codex')])).code).toBe(0);
    expect(fs.existsSync(no.home)).toBe(false);
    const yes = new TestCli(undefined, { answers: [''] });
    const { code, out, err } = await yes.run(['import', 'codex', fixture('codex')]);
    expect(code).toBe(0);
    expect(out).toContain('Imported from Codex');
    expect(err).toContain('importing Codex');
    expect(err.endsWith('\r\u001B[2K')).toBe(true);
  });
});
