import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { ImportHome } from '../../../test/support/imports.ts';
import { withProvenance } from './documents.ts';

const HEAD = '---\nsource: markdown:notes\ntrust: import\n---\n\n';

class Notes {
  readonly folder = path.join(makeTemporaryFolder(), 'Notes');

  write(relative: string, text: string | Buffer): void {
    const full = path.join(this.folder, relative);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
  }
}

function copyOf(home: ImportHome, relative: string, folder = 'notes'): string {
  return path.join(home.home, 'workspace', 'memory', 'reference', folder, relative);
}

function copies(home: ImportHome): string[] {
  const root = path.join(home.home, 'workspace', 'memory', 'reference');
  if (!fs.existsSync(root)) return [];
  const files = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))).sort();
}

function read(file: string): string {
  return fs.readFileSync(file, 'utf8');
}

describe('a folder of Markdown', () => {
  it('is copied with its paths, and says that it was imported', async () => {
    const notes = new Notes();
    notes.write('travel/lisbon.md', '# Lisbon\n');
    notes.write('own.md', '---\ntitle: Own\n# a comment\ntags: [x]\n---\nText\n');
    notes.write('.obsidian/x.md', 'settings');
    notes.write('picture.png', 'x');
    notes.write('bad.md', Buffer.from([0xff, 0xfe, 0]));
    notes.write('what: a "name"?.md', 'odd');
    const home = await ImportHome.make();
    const result = await home.import({ from: 'markdown', path: notes.folder });
    expect(result.documents).toBe(3);
    expect(fs.readFileSync(copyOf(home, 'travel/lisbon.md'), 'utf8')).toBe(`${HEAD}# Lisbon\n`);
    expect(fs.readFileSync(copyOf(home, 'own.md'), 'utf8')).toBe(
      '---\ntitle: Own\n# a comment\ntags: [x]\ntrust: import\n---\nText\n',
    );
    expect(fs.existsSync(copyOf(home, 'what-a-name.md'))).toBe(true);
    expect(result.skipped).toEqual([{ what: 'document', why: expect.stringContaining('not text'), count: 1 }]);
  });

  it('follows its source, keeps what a person changed here, and restores nothing that was removed', async () => {
    const notes = new Notes();
    notes.write('a.md', 'one\n\ntwo\n\nthree\n');
    notes.write('b.md', 'b\n');
    notes.write('c.md', 'c\n');
    const home = await ImportHome.make();
    await home.import({ from: 'markdown', path: notes.folder });
    expect((await home.import({ from: 'markdown', path: notes.folder })).documents).toBe(0);

    fs.writeFileSync(copyOf(home, 'a.md'), `${HEAD}one\n\ntwo\n\nthree, by hand\n`);
    fs.rmSync(copyOf(home, 'c.md'));
    notes.write('a.md', 'one, anew\n\ntwo\n\nthree\n');
    notes.write('b.md', 'b2\n');
    notes.write('c.md', 'c2\n');
    const result = await home.import({ from: 'markdown', path: notes.folder });
    expect(fs.readFileSync(copyOf(home, 'a.md'), 'utf8')).toBe(`${HEAD}one, anew\n\ntwo\n\nthree, by hand\n`);
    expect(fs.readFileSync(copyOf(home, 'b.md'), 'utf8')).toBe(`${HEAD}b2\n`);
    expect(fs.existsSync(copyOf(home, 'c.md'))).toBe(false);
    expect(result.skipped.map(({ why }) => why).sort()).toEqual([
      'changed here too: both changes were merged',
      'removed here since it was imported',
    ]);
  });

  it('does not replace a file that was there before', async () => {
    const notes = new Notes();
    notes.write('a.md', 'theirs\n');
    const home = await ImportHome.make();
    fs.mkdirSync(path.dirname(copyOf(home, 'a.md')), { recursive: true });
    fs.writeFileSync(copyOf(home, 'a.md'), 'mine\n');
    const result = await home.import({ from: 'markdown', path: notes.folder });
    expect(result.documents).toBe(0);
    expect(fs.readFileSync(copyOf(home, 'a.md'), 'utf8')).toBe('mine\n');
  });
});

describe('folders of the same name', () => {
  it('never share a target, and each keeps its own', async () => {
    const [one, two] = [new Notes(), new Notes()];
    one.write('README.md', 'one\n');
    two.write('README.md', 'two\n');
    const home = await ImportHome.make();
    for (const { folder } of [one, two]) {
      expect((await home.import({ from: 'markdown', path: folder })).documents).toBe(1);
    }
    expect(read(copyOf(home, 'README.md'))).toBe(`${HEAD}one\n`);
    expect(read(copyOf(home, 'README.md', 'notes-2'))).toContain('source: markdown:notes-2');

    two.write('README.md', 'two, anew\n');
    const link = path.join(makeTemporaryFolder(), 'elsewhere');
    fs.symlinkSync(two.folder, link);
    const again = await home.import({ from: 'markdown', path: path.join(link, 'README.md') });
    expect(again.documents).toBe(1);
    expect((await home.import({ from: 'markdown', path: one.folder })).documents).toBe(0);
    expect(read(copyOf(home, 'README.md'))).toBe(`${HEAD}one\n`);
    expect(read(copyOf(home, 'README.md', 'notes-2'))).toContain('two, anew');
    expect(copies(home)).toEqual(['notes-2/README.md', 'notes/README.md']);
  });

  it('are told apart for OpenClaw workspaces too, also from a folder called openclaw', async () => {
    const home = await ImportHome.make();
    for (const text of ['one', 'two']) {
      const root = path.join(makeTemporaryFolder(), 'workspace');
      fs.mkdirSync(root);
      fs.writeFileSync(path.join(root, 'MEMORY.md'), text);
      await home.import({ from: 'openclaw', path: path.dirname(root) });
    }
    const folder = path.join(makeTemporaryFolder(), 'openclaw');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'MEMORY.md'), 'three');
    await home.import({ from: 'markdown', path: folder });
    expect(copies(home)).toEqual(['openclaw-2/MEMORY.md', 'openclaw-3/MEMORY.md', 'openclaw/MEMORY.md']);
    expect(read(copyOf(home, 'MEMORY.md', 'openclaw'))).toContain('one');
  });

  it('in a dry run are not remembered', async () => {
    const [one, two] = [new Notes(), new Notes()];
    one.write('a.md', 'one\n');
    two.write('a.md', 'two\n');
    const home = await ImportHome.make();
    await home.import({ from: 'markdown', path: one.folder, dryRun: true });
    await home.import({ from: 'markdown', path: two.folder });
    expect(read(copyOf(home, 'a.md'))).toBe(`${HEAD}two\n`);
  });
});

describe('files whose names cannot all be kept', () => {
  it('have a name of their own each, the same in every import', async () => {
    const notes = new Notes();
    const names = ['a?b.md', 'a*b.md', 'a:b.md', 'a-b.md', 'x.markdown', 'X.md', 'x.md'];
    for (const name of names) notes.write(name, `${name}\n`);
    const home = await ImportHome.make();
    const first = await home.import({ from: 'markdown', path: notes.folder });
    expect([first.documents, first.skipped]).toEqual([7, []]);
    const before = new Map(copies(home).map((file) => [file, read(copyOf(home, file, '.'))]));
    expect(before.size).toBe(7);
    expect(before.get('notes/a-b.md')).toBe(`${HEAD}a-b.md\n`);
    expect(new Set(copies(home).map((file) => file.toLowerCase())).size).toBe(7);

    notes.write('a"b.md', 'later\n');
    for (const name of names) notes.write(name, `${name}\nmore\n`);
    expect((await home.import({ from: 'markdown', path: notes.folder })).documents).toBe(8);
    for (const [file, text] of before) expect(read(copyOf(home, file, '.'))).toBe(`${text}more\n`);
  });

  it('are left out when they are hidden', async () => {
    const notes = new Notes();
    notes.write('a.md', 'a\n');
    notes.write('.hidden.md', 'x\n');
    notes.write('.hidden.txt', 'x\n');
    const home = await ImportHome.make();
    const { skipped } = await home.import({ from: 'markdown', path: notes.folder });
    expect(skipped).toEqual([{ what: 'document', why: 'hidden: its name begins with a dot', count: 1 }]);
    expect(copies(home)).toEqual(['notes/a.md']);
  });
});

describe('a folder that holds a memory', () => {
  const left = { what: 'folder', why: 'a Mneme home, which is never imported' };

  it('is imported without it, whoever’s it is', async () => {
    const notes = new Notes();
    notes.write('a.md', 'a\n');
    notes.write('other/mneme.yaml', '');
    notes.write('other/workspace/memory/private.md', 'secret');
    const home = await ImportHome.make();
    const inside = path.join(notes.folder, 'mine');
    fs.renameSync(home.home, inside);
    fs.symlinkSync(inside, home.home);
    writeMemory(inside, 'workspace/memory/people/private.md');
    const result = await home.import({ from: 'markdown', path: notes.folder });
    expect(result.documents).toBe(1);
    expect(result.skipped).toEqual([{ ...left, count: 2 }]);
    expect(copies(home)).toEqual(['notes/a.md']);
  });

  it('is refused when it is the memory, or in it', async () => {
    const home = await ImportHome.make();
    writeMemory(home.home, 'workspace/memory/people/private.md');
    const other = makeTemporaryFolder();
    writeMemory(other, 'mneme.yaml');
    writeMemory(other, 'workspace/memory/private.md');
    writeMemory(other, 'notes/a.md');
    for (const folder of [
      home.home,
      path.join(home.home, 'workspace'),
      path.join(home.home, 'workspace', 'memory', 'people', 'private.md'),
      other,
      path.join(other, 'workspace', 'memory'),
    ]) {
      await expect(home.import({ from: 'markdown', path: folder })).rejects.toThrow('belongs to a Mneme home');
    }
    // A user may have made the home where their notes are.
    expect((await home.import({ from: 'markdown', path: path.join(other, 'notes') })).documents).toBe(1);
  });

  it('is not taken for an OpenClaw workspace either', async () => {
    const home = await ImportHome.make();
    writeMemory(home.home, 'workspace/MEMORY.md');
    const result = await home.import({ from: 'openclaw', path: home.home });
    expect([result.documents, result.skipped]).toEqual([0, [{ ...left, count: 1 }]]);
    expect(copies(home)).toEqual([]);
  });
});

function writeMemory(home: string, relative: string): void {
  fs.mkdirSync(path.dirname(path.join(home, relative)), { recursive: true });
  fs.writeFileSync(path.join(home, relative), 'private\n');
}

describe('the provenance of a document', () => {
  it.each([
    ['broken YAML', '---\ntitle: [x\ntrust: user\n---\r\nBody\n'],
    ['YAML that is no mapping', '---\n- x\n---\nBody\n'],
    ['YAML that cannot be edited', '---\n{trust: user, title: x}\n---\nBody\n'],
    ['frontmatter that never ends', '---\ntrust: user\nBody\n'],
  ])('stands above %s, which stays byte for byte', (_what, text) => {
    expect(withProvenance(text, 'markdown:notes')).toBe(`${HEAD}${text}`);
  });

  it('cannot be raised by the document itself', () => {
    expect(withProvenance('---\ntrust: user\n---\nx\n', 'n')).toBe('---\ntrust: import\n---\nx\n');
    expect(withProvenance('---\ntrust: external\n---\nx\n', 'n')).toBe('---\ntrust: external\n---\nx\n');
  });
});
