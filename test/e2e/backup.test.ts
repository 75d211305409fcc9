import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openMneme, restoreBackup } from '../../src/index.ts';
import { sleep } from '../../src/platform/clock.ts';
import { ProcessLock } from '../../src/platform/process-lock.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';

const SECRET_BIRD = 'the bittern nests behind Marrowgate mill and only the two of us have ever seen it';
const WORD = 'Marrowgate';

interface Backup {
  readonly file: string;
  readonly removed: readonly string[];
}

async function filledHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('remember', 'The harbour office opens at seven.', '--store', 'episodic');
  await cli.ok('session', 'start', 'ses_backup01');
  await cli.ok('session', 'message', 'ses_backup01', 'user', 'We moved the meeting to Thursday.');
  await cli.ok('session', 'end', 'ses_backup01');
  return cli;
}

/** Everything a person can see of a home: files, histories, open and closed sessions. */
function contentsOf(home: string): Record<string, string> {
  const contents: Record<string, string> = {};
  for (const root of ['workspace', 'raw']) {
    const folder = path.join(home, root);
    if (!fs.existsSync(folder)) continue;
    const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of files) {
      const full = path.join(entry.parentPath, entry.name);
      if (!full.includes(`${path.sep}.git${path.sep}`))
        contents[path.relative(home, full)] = fs.readFileSync(full, 'utf8');
    }
    contents[`${root} log`] = execFileSync('git', ['log', '--all', '--format=%H %B'], {
      cwd: folder,
      encoding: 'utf8',
    });
    contents[`${root} refs`] = execFileSync('git', ['for-each-ref'], { cwd: folder, encoding: 'utf8' });
    contents[`${root} status`] = execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' });
  }
  return contents;
}

// SPEC BACKUP-1, BACKUP-2, BACKUP-3, BACKUP-4
describe('backup and restore', () => {
  it('gives back the same home: files, transcripts, histories, and it goes on from there', async () => {
    const cli = await filledHome();
    await cli.ok('tag', 'milestone/before');
    const { file } = await cli.json<Backup>('backup', 'create');
    const before = contentsOf(cli.home);
    const other = new TestCli();
    expect(await other.ok('backup', 'restore', file)).toContain(`Restored ${other.home}`);
    expect(contentsOf(other.home)).toEqual(before);
    expect(await other.ok('check')).toContain('Everything agrees.');
    expect(await other.ok('recall', 'when does the harbour office open')).toContain('opens at seven');
    await other.ok('remember', 'The ferry leaves at nine.', '--store', 'episodic');
    expect(await other.ok('log')).toContain('The ferry leaves at nine');
    expect(await other.json('tag')).toMatchObject([{ name: 'milestone/before' }]);
  });

  it('a home that is there is replaced only with --force, and put aside whole', async () => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create');
    await cli.ok('remember', 'Learnt after the backup.', '--store', 'episodic');
    expect(await cli.run(['backup', 'restore', file])).toMatchObject({ code: 5 });
    expect(await cli.ok('recall', 'learnt after the backup')).toContain('Learnt after');
    const { before } = await cli.json<{ before: string }>('backup', 'restore', file, '--force');
    expect((await cli.run(['recall', 'learnt after the backup'])).out).not.toContain('Learnt after');
    const aside = new TestCli(before);
    expect(await aside.ok('recall', 'learnt after the backup')).toContain('Learnt after');
    // The backups stay with the home.
    expect(await cli.json<unknown[]>('backup', 'list')).toHaveLength(1);
  });

  it('is refused while a daemon runs on the home that would be replaced', async () => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create');
    const lock = ProcessLock.tryTake(path.join(cli.home, 'state', 'daemon.lock'));
    expect(await cli.run(['backup', 'restore', file, '--force'])).toMatchObject({ code: 6 });
    lock?.release();
  });

  it('an adopted folder is restored inside the home, and the original is left alone', async () => {
    const vault = makeTemporaryFolder();
    fs.writeFileSync(path.join(vault, 'note.md'), '# Note\n\nA note of my own.\n');
    const cli = new TestCli();
    await cli.ok('adopt', vault);
    const { file } = await cli.json<Backup>('backup', 'create');
    fs.writeFileSync(path.join(vault, 'note.md'), '# Note\n\nChanged since.\n');
    const other = new TestCli();
    expect(await other.ok('backup', 'restore', file)).toContain('inside the restored home');
    expect(fs.readFileSync(path.join(other.home, 'workspace', 'note.md'), 'utf8')).toContain('of my own');
    expect(fs.readFileSync(path.join(vault, 'note.md'), 'utf8')).toContain('Changed since');
    expect(await other.ok('check')).toContain('Everything agrees.');
  });

  it('nothing is left behind, whether it works or not', async () => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create');
    const { code } = await cli.run(['backup', 'restore', `${file}.none`, '--force']);
    expect(code).toBe(3);
    fs.writeFileSync(file, fs.readFileSync(file).subarray(0, 2000));
    expect(await cli.run(['backup', 'restore', file, '--force'])).toMatchObject({ code: 7 });
    expect(fs.readdirSync(path.dirname(cli.home))).toEqual(['home']);
    expect(fs.existsSync(path.join(cli.home, 'state', 'backup', String(process.pid)))).toBe(false);
    expect(await cli.ok('recall', 'harbour office')).toContain('opens at seven');
  });
});

describe('incremental backups', () => {
  const partsOf = (cli: TestCli): string[] => {
    const folder = path.join(cli.home, 'backups');
    const parts = fs.readdirSync(folder).find((name) => name.endsWith('.parts')) ?? '';
    return fs.readdirSync(path.join(folder, parts)).map((name) => path.join(folder, parts, name));
  };

  it('store only what is new, and each gives back the home it was made of', async () => {
    const cli = await filledHome();
    const long = path.join(cli.home, 'journal', 'long.log');
    // Four pieces and a half, each another: a log that only grows leaves the full ones as they are.
    const lines = Array.from({ length: 30_000 }, (_, number) => `line ${number} of something long and dull\n`);
    fs.writeFileSync(long, lines.join(''));
    const first = await cli.json<Backup>('backup', 'create', '--incremental');
    const before = contentsOf(cli.home);
    const stored = partsOf(cli);
    await cli.ok('remember', 'The ferry leaves at nine.', '--store', 'episodic');
    fs.appendFileSync(long, 'and one more\n');
    const second = await cli.json<Backup>('backup', 'create', '--incremental');
    const later = contentsOf(cli.home);
    const added = partsOf(cli).filter((part) => !stored.includes(part));
    expect(added.length).toBeGreaterThan(0);
    expect(added.length).toBeLessThan(stored.length);
    const ofLog = (parts: readonly string[]): string[] =>
      parts.filter((part) => gunzipSync(fs.readFileSync(part)).includes('long and dull'));
    expect([ofLog(stored).length, ofLog(added).length]).toEqual([5, 1]);
    for (const [file, contents, log] of [
      [first.file, before, lines.join('')],
      [second.file, later, fs.readFileSync(long, 'utf8')],
    ] as const) {
      const other = new TestCli();
      await other.ok('backup', 'restore', file);
      expect(contentsOf(other.home)).toEqual(contents);
      expect(fs.readFileSync(path.join(other.home, 'journal', 'long.log'), 'utf8') === log).toBe(true);
      expect(await other.ok('check')).toContain('Everything agrees.');
    }
  });

  it('a part that is missing or changed is found, and made anew', async () => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create', '--incremental');
    const holding = (text: string): string[] =>
      partsOf(cli).filter((one) => gunzipSync(fs.readFileSync(one)).toString('utf8').startsWith(text));
    const [part = ''] = holding(fs.readFileSync(path.join(cli.home, 'workspace', 'MEMORY.md'), 'utf8'));
    fs.writeFileSync(part, gzipSync('something else'));
    expect(await cli.run(['backup', 'verify', file])).toMatchObject({ code: 7 });
    // The next one reads it again, and takes it away.
    expect(await cli.run(['backup', 'create', '--incremental'])).toMatchObject({ code: 7 });
    await cli.ok('backup', 'create', '--incremental');
    expect(await cli.ok('backup', 'verify')).toContain('Whole');
    fs.rmSync(part);
    for (const list of holding('[{"path":"MEMORY.md"')) fs.writeFileSync(list, gzipSync('[]'));
    const { notes } = await cli.json<Backup & { notes: string[] }>('backup', 'create', '--incremental');
    expect(notes).toEqual(['the list of workspace in the last backup was damaged and is made anew']);
    expect(await cli.ok('backup', 'verify')).toContain('Whole');
  });

  it('keep as many as they are told, and no part that none of them needs', async () => {
    const cli = await filledHome();
    await cli.ok('config', 'set', 'backup.keep_count', '1');
    for (let count = 0; count < 4; count += 1) {
      await cli.ok('remember', `Crate ${count} went to the northern shed.`, '--store', 'episodic');
      await cli.ok('backup', 'create', '--incremental');
    }
    const [{ file } = { file: '' }, ...others] = await cli.json<Backup[]>('backup', 'list');
    expect(others).toEqual([]);
    const lists = partsOf(cli).map((part) => gunzipSync(fs.readFileSync(part)).toString('utf8'));
    const needed = [fs.readFileSync(file, 'utf8'), ...lists.filter((text) => text.startsWith('[{"path"'))].join('\n');
    const spare = partsOf(cli).filter((part) => !needed.includes(path.basename(part)));
    expect(spare.length).toBeLessThanOrEqual(partsOf(cli).length / 4);
    expect(await cli.ok('backup', 'verify')).toContain('Whole');
  });

  it('an erasure reaches into their parts', async () => {
    const cli = await filledHome();
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    await mneme.remember(SECRET_BIRD, { store: 'episodic' });
    const { file } = await mneme.backup.create({ incremental: true });
    const result = await mneme.erase(SECRET_BIRD);
    await mneme.close();
    expect(result.unreachable).toEqual([]);
    expect(partsOf(cli).filter((part) => gunzipSync(fs.readFileSync(part)).includes(WORD))).toEqual([]);
    const other = new TestCli();
    await other.ok('backup', 'restore', file);
    const everything = Object.values(contentsOf(other.home)).join('\n');
    expect(everything).not.toContain(WORD);
    expect(everything).toContain('opens at seven');
  });
});

describe('a damaged backup', () => {
  it.each<[string, (plain: Buffer) => Buffer]>([
    [
      'a changed word',
      (plain) => Buffer.from(plain.toString('latin1').replace('opens at seven', 'opens at eight'), 'latin1'),
    ],
    [
      'a changed list of contents',
      (plain) => Buffer.from(plain.toString('latin1').replace('"sha256": "', '"sha256": "f'), 'latin1'),
    ],
    [
      'a file that leads out of the home',
      (plain) => Buffer.from(plain.toString('latin1').replace('workspace/MEMORY.md', 'workspace/../../x.y'), 'latin1'),
    ],
  ])('%s is found', async (_name, damage) => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create');
    expect(await cli.ok('backup', 'verify')).toContain('Whole');
    fs.writeFileSync(file, gzipSync(damage(gunzipSync(fs.readFileSync(file)))));
    expect(await cli.run(['backup', 'verify', file])).toMatchObject({ code: 7 });
    expect(await cli.run(['backup', 'restore', file, '--home', path.join(makeTemporaryFolder(), 'new')])).toMatchObject(
      {
        code: 7,
      },
    );
  });
});

it('keeps as many as it is told, and only removes its own', async () => {
  const cli = await filledHome();
  await cli.ok('config', 'set', 'backup.keep_count', '2');
  const folder = path.join(cli.home, 'backups');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'holiday.tar.gz'), 'not ours');
  fs.writeFileSync(path.join(folder, 'mneme-00000000-20200101T000000Z.tar.gz'), 'of another home');
  for (let count = 0; count < 4; count += 1) await cli.ok('backup', 'create');
  expect(await cli.json<unknown[]>('backup', 'list')).toHaveLength(2);
  expect(fs.readdirSync(folder)).toEqual(
    expect.arrayContaining(['holiday.tar.gz', 'mneme-00000000-20200101T000000Z.tar.gz']),
  );
});

it('a second one at the same time is refused', async () => {
  const cli = await filledHome();
  const lock = ProcessLock.tryTake(path.join(cli.home, 'state', 'backup.lock'));
  expect(await cli.run(['backup', 'create'])).toMatchObject({ code: 6 });
  lock?.release();
  expect(await cli.run(['backup', 'create'])).toMatchObject({ code: 0 });
});

it('while others write: whatever was acknowledged before is in it, and the restored home agrees with itself', async () => {
  const cli = new TestCli();
  await cli.init();
  const writer = await openMneme({ home: cli.home });
  const acknowledged: string[] = [];
  const state = { isWriting: true };
  const write = async (name: string): Promise<void> => {
    for (let count = 0; state.isWriting; count += 1) {
      const text = `${name} counted sheep number ${count} on the northern meadow.`;
      await writer.remember(text, { store: 'episodic' });
      acknowledged.push(text);
      await sleep(30);
    }
  };
  const writing = Promise.all([write('Ada'), write('Grace')]);
  const backups: { file: string; certain: string[] }[] = [];
  for (let round = 0; round < 2; round += 1) {
    const certain = [...acknowledged];
    const { file } = await writer.backup.create();
    backups.push({ file, certain });
  }
  state.isWriting = false;
  await writing;
  await writer.close();
  expect(acknowledged.length).toBeGreaterThan(4);
  for (const { file, certain } of backups) {
    const home = path.join(makeTemporaryFolder(), 'home');
    await restoreBackup({ archive: file, home });
    const restored = new TestCli(home);
    const text = Object.values(contentsOf(home)).join('\n');
    expect(certain.filter((line) => !text.includes(line))).toEqual([]);
    expect((await restored.run(['check'])).out).toContain('Everything agrees.');
    // Nothing was taken for somebody's own edit.
    expect(await restored.json('status')).toMatchObject({ externalEdits: [] });
  }
});

describe('erasure', () => {
  it('reaches into backups, their histories included, and leaves the rest of them whole', async () => {
    const cli = await filledHome();
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    await mneme.remember(SECRET_BIRD, { store: 'episodic' });
    const first = await mneme.backup.create();
    await mneme.append('memory/reference/birds.md', `# Birds\n\n${SECRET_BIRD}\n`);
    await mneme.edit({ path: 'memory/reference/birds.md', replace: SECRET_BIRD, with: 'gone again' });
    const second = await mneme.backup.create();
    const result = await mneme.erase(SECRET_BIRD);
    await mneme.close();
    expect(result.reports.find(({ where }) => where === 'backups')).toMatchObject({ occurrences: 2 });
    expect(result.unreachable).toEqual([]);
    for (const { file } of [first, second]) {
      const home = path.join(makeTemporaryFolder(), 'home');
      await restoreBackup({ archive: file, home });
      const everything = Object.values(contentsOf(home)).join('\n');
      expect(everything).not.toContain(WORD);
      expect(everything).toContain('opens at seven');
      expect(gunzipSync(fs.readFileSync(file)).includes(WORD)).toBe(false);
      const objects = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
        cwd: path.join(home, 'workspace'),
      });
      expect(objects.includes(WORD)).toBe(false);
      expect(await new TestCli(home).ok('check')).toContain('Everything agrees.');
    }
  });

  it('a backup that cannot be read is named as left', async () => {
    const cli = await filledHome();
    const { file } = await cli.json<Backup>('backup', 'create');
    fs.writeFileSync(file, 'broken');
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    const { left } = await mneme.erase(SECRET_BIRD);
    await mneme.close();
    expect(left).toEqual([{ step: 'backups', what: expect.stringContaining(file) }]);
  });

  it('one in the making does not bring back what was erased meanwhile', async () => {
    const cli = await filledHome();
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    await mneme.remember(SECRET_BIRD, { store: 'episodic' });
    const { runBackup } = await import('../../src/operations/backup/create.ts');
    let erasing: Promise<unknown> | undefined;
    const making = runBackup(mneme.internals, {
      onProgress: () => {
        erasing ??= mneme.erase(SECRET_BIRD);
      },
    });
    const made = await making.then(
      ({ file }) => file,
      () => undefined,
    );
    await erasing;
    await mneme.close();
    expect(erasing).toBeDefined();
    const left = fs.readdirSync(path.join(cli.home, 'backups')).map((name) => path.join(cli.home, 'backups', name));
    expect(left).toEqual(made === undefined ? [] : [made]);
    for (const file of left) {
      const home = path.join(makeTemporaryFolder(), 'home');
      await restoreBackup({ archive: file, home });
      expect(Object.values(contentsOf(home)).join('\n')).not.toContain(WORD);
    }
  });
});
