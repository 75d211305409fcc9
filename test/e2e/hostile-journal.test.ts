import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { makeHostileHomes, plantJournal, type HostileHomes } from '../support/hostile-homes.ts';

const FILES = [
  { path: 'first.md', text: 'first\n' },
  { path: '../../outside.md', text: 'evil\n' },
  { repository: 'raw', path: 'second.md', text: 'second\n' },
  { path: '.git/hooks/pre-commit', text: 'evil\n' },
  { path: `${'long'.repeat(64)}.md`, text: 'evil\n' },
  { repository: 'raw', path: `${'long'.repeat(64)}.md`, text: 'evil\n' },
] as const;

function subjects(home: string): string[] {
  return execFileSync('git', ['log', '--format=%s'], { cwd: path.join(home, 'workspace'), encoding: 'utf8' }).split(
    '\n',
  );
}

function asideFolders(home: string): string[] {
  return fs.readdirSync(path.join(home, 'journal')).filter((name) => name.startsWith('refused-'));
}

// SPEC SAFETY-6
describe('a journal with records that lead out', () => {
  let homes: HostileHomes;
  beforeAll(async () => {
    homes = await makeHostileHomes();
  });

  it('keeps the home closed, names the record, and says what to do', async () => {
    const { home } = homes.copy();
    plantJournal(home, FILES);
    for (const command of ['status', 'check']) {
      const { code, err } = await new TestCli(home).run([command]);
      expect(code).toBe(7);
      expect(err).toContain('a record that must not be replayed');
      expect(err).toContain('"../../outside.md" has the segment ".."');
      expect(err).toContain('`mneme check --repair`');
    }
    expect(fs.existsSync(path.join(home, 'workspace/first.md'))).toBe(false);
  });

  it('loses only those records by check --repair', async () => {
    const { home, folder } = homes.copy();
    plantJournal(home, FILES);
    const cli = new TestCli(home);
    expect(await cli.ok('check', '--repair')).toMatch(/repaired journal: 4 refused and kept in .*refused-/u);
    expect(fs.readFileSync(path.join(home, 'workspace/first.md'), 'utf8')).toBe('first\n');
    expect(fs.readFileSync(path.join(home, 'raw/second.md'), 'utf8')).toBe('second\n');
    expect(fs.readFileSync(path.join(folder, 'outside.md'), 'utf8')).not.toContain('evil');
    expect(await cli.ok('read', 'notes.md')).toContain('kept');
    expect(subjects(home).filter((line) => line.includes('planted'))).toHaveLength(1);
    const [aside = ''] = asideFolders(home);
    expect(fs.readFileSync(path.join(home, 'journal', aside, '000000000900.wal'), 'latin1')).toContain('outside.md');
    expect(await cli.ok('check', '--repair')).not.toContain('refused');
    expect(asideFolders(home)).toEqual([aside]);
  });

  it('is repaired once also when an earlier repair was interrupted', async () => {
    const { home } = homes.copy();
    plantJournal(home, FILES);
    const wal = path.join(home, 'journal/wal');
    // What stands there when the others were written and the old segments not deleted yet.
    fs.copyFileSync(path.join(wal, '000000000900.wal'), path.join(wal, '000000000901.wal'));
    await new TestCli(home).ok('check', '--repair');
    expect(subjects(home).filter((line) => line.includes('planted'))).toHaveLength(1);
  });

  it('is left alone by actors who may not write', async () => {
    const { home } = homes.copy();
    plantJournal(home, FILES);
    const { code } = await new TestCli(home).run(['--as', 'reader:guest', 'check', '--repair']);
    expect(code).not.toBe(0);
    expect(asideFolders(home)).toEqual([]);
  });
});
