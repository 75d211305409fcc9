import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { adoptFolder } from '../../src/operations/home/adopt.ts';
import { makeTemporaryFolder } from '../support/home.ts';

/** Names, bytes and times of everything in a folder. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const full = path.join(folder, name);
    const stat = fs.statSync(full);
    hash.update(`${name}\0${stat.mode}\0`);
    if (stat.isFile()) hash.update(`${stat.mtimeMs}\0`).update(fs.readFileSync(full));
  }
  return hash.digest('hex');
}

function makeNotes(): string {
  const folder = path.join(makeTemporaryFolder(), 'notes');
  fs.mkdirSync(path.join(folder, 'sub folder'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'plain.md'), 'no frontmatter\r\nand CRLF\r\n');
  fs.writeFileSync(path.join(folder, 'sub folder', 'broken.md'), '---\nkey: [\n---\n\nstill a note');
  fs.writeFileSync(path.join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
  fs.writeFileSync(path.join(folder, 'latin1.md'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  return folder;
}

// SPEC FILE-4
describe('adopt', () => {
  it('changes no byte and keeps a history of its own', async () => {
    const folder = makeNotes();
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const before = fingerprint(folder);
    const home = path.join(makeTemporaryFolder(), 'home');
    const result = await adoptFolder({ home, folder, timeZone: 'UTC' });
    expect(fingerprint(folder)).toBe(before);
    expect(result).toMatchObject({ layout: 'vault', files: 4, heldBack: [], enclosingRepository: folder });
    const log = execFileSync('git', [`--git-dir=${result.gitDir}`, 'log', '--format=%s'], { encoding: 'utf8' });
    expect(log.trim().split('\n')[0]).toContain('adopted notes as it is');
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toContain('?? plain.md');
  });

  it('is a memory afterwards: writes, undoes, notices edits', async () => {
    const folder = makeNotes();
    const home = path.join(makeTemporaryFolder(), 'home');
    await adoptFolder({ home, folder, timeZone: 'UTC' });
    const mneme = await openMneme({ home, actor: 'manual' });
    const { mutation } = await mneme.append('plain.md', 'added\n');
    expect(fs.readFileSync(path.join(folder, 'plain.md'), 'utf8')).toBe('no frontmatter\r\nand CRLF\r\n\r\nadded\r\n');
    await mneme.rollback({ target: mutation ?? '' });
    expect(fs.readFileSync(path.join(folder, 'plain.md'), 'utf8')).toBe('no frontmatter\r\nand CRLF\r\n');
    await mneme.close();
  });

  it('takes edits of a vault over without a question, and leaves settings of the editor out of history', async () => {
    const folder = makeNotes();
    fs.mkdirSync(path.join(folder, '.obsidian'));
    fs.writeFileSync(path.join(folder, '.obsidian/app.json'), '{}');
    const home = path.join(makeTemporaryFolder(), 'home');
    const { gitDir } = await adoptFolder({ home, folder, timeZone: 'UTC' });
    fs.writeFileSync(path.join(folder, '.obsidian/app.json'), '{"theme": 1}');
    fs.appendFileSync(path.join(folder, 'plain.md'), 'edited by hand\n');
    fs.renameSync(path.join(folder, 'latin1.md'), path.join(folder, 'renamed.md'));
    const mneme = await openMneme({ home, actor: 'manual' });
    expect(await mneme.status()).toMatchObject({ alerts: [], externalEdits: [] });
    expect((await mneme.read('plain.md')).text).toContain('edited by hand');
    await mneme.close();
    const files = execFileSync('git', [`--git-dir=${gitDir}`, 'ls-files'], { encoding: 'utf8' });
    expect(files).toContain('renamed.md');
    expect(files).not.toContain('.obsidian');
  });

  it('refuses the workspace of another home', async () => {
    const folder = makeNotes();
    const [one, two] = [path.join(makeTemporaryFolder(), 'one'), path.join(makeTemporaryFolder(), 'two')];
    await adoptFolder({ home: one, folder, timeZone: 'UTC' });
    const mneme = await openMneme({ home: one, actor: 'manual' });
    await mneme.append('plain.md', 'added\n');
    await mneme.close();
    await expect(adoptFolder({ home: two, folder, timeZone: 'UTC' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('is the workspace of another home'),
    });
    expect(fs.existsSync(two)).toBe(false);
  });

  it('keeps files with secrets out of history and says so', async () => {
    const folder = makeNotes();
    const token = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz8Xc7'].join('_');
    fs.writeFileSync(path.join(folder, 'keys.md'), `my token ${token}\n`);
    const home = path.join(makeTemporaryFolder(), 'home');
    const result = await adoptFolder({ home, folder, timeZone: 'UTC' });
    expect(result.heldBack.join('\n')).toContain('keys.md');
    const objects = execFileSync('git', [`--git-dir=${result.gitDir}`, 'cat-file', '--batch', '--batch-all-objects'], {
      encoding: 'latin1',
    });
    expect(objects).not.toContain(token);
  });

  it('recognises an OpenClaw workspace', async () => {
    const folder = makeNotes();
    fs.mkdirSync(path.join(folder, 'memory'));
    fs.writeFileSync(path.join(folder, 'memory', '2026-02-16-call.md'), '# call\n');
    const home = path.join(makeTemporaryFolder(), 'home');
    expect((await adoptFolder({ home, folder, timeZone: 'UTC' })).layout).toBe('openclaw');
  });

  it('recognises an OpenClaw workspace in which nothing was remembered yet', async () => {
    const folder = makeTemporaryFolder();
    for (const name of ['AGENTS.md', 'BOOTSTRAP.md', 'IDENTITY.md', 'SOUL.md', 'USER.md']) {
      fs.writeFileSync(path.join(folder, name), `# ${name}\n`);
    }
    const home = path.join(makeTemporaryFolder(), 'home');
    expect((await adoptFolder({ home, folder, timeZone: 'UTC' })).layout).toBe('openclaw');
  });

  it('refuses a home inside the folder', async () => {
    const folder = makeNotes();
    await expect(adoptFolder({ home: path.join(folder, 'home'), folder, timeZone: 'UTC' })).rejects.toThrow('inside');
  });
});
