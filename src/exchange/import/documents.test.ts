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

function copyOf(home: ImportHome, relative: string): string {
  return path.join(home.home, 'workspace', 'memory', 'reference', 'notes', relative);
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

describe('the provenance of a document', () => {
  it('cannot be raised by the document itself', () => {
    expect(withProvenance('---\ntrust: user\n---\nx\n', 'n')).toBe('---\ntrust: import\n---\nx\n');
    expect(withProvenance('---\ntrust: external\n---\nx\n', 'n')).toBe('---\ntrust: external\n---\nx\n');
  });
});
