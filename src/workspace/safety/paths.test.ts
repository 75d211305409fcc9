import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isMnemeError } from '../../model/errors.ts';
import { assertNoSymlinkEscape, findCaseCollision, parseWorkspacePath, slugify } from './paths.ts';

const mnemeError = (code: string, part: string) =>
  expect.objectContaining({
    name: 'MnemeError',
    code,
    message: expect.stringContaining(part),
    hint: expect.stringMatching(/.{10}/),
  });

// SPEC SAFETY-2
describe('parseWorkspacePath', () => {
  it.each([
    'MEMORY.md',
    'memory.md',
    'memory/episodes/2026-02-16.2.md',
    'memory/graph/entities/person--alex.md',
    'topics/email-triage.md',
    '.gitignore',
    '.gitattributes',
    '.github/notes.md',
    'git/notes.md',
    'a.git/x',
    'notes/...and more.md',
    'a b/c, d (e) [f] #1 & co’s.md',
    'console.md',
    'common/nullable.md',
    'com/lpt/aux-files.md',
    'COM10.txt',
    '%2e%2e/encoded.md',
    '~notes.md',
    'Zürich/Café.md',
    'заметки/Москва.md',
    'Ελλάδα/αρχείο.md',
    '日本語/議事録。まとめ.md',
    '한국어/메모.md',
    'עברית/הערות.md',
    'العربية/ملاحظات.md',
    'فارسی/می\u200cخواهم.md',
    'हिन्दी/क्\u200dष.md',
    'ไทย/บันทึก.md',
    '❤️/👩🏽‍💻 notes.md',
    `${'a'.repeat(255)}`,
  ])('accepts %j', (input) => {
    expect(parseWorkspacePath(input)).toBe(input);
  });

  it('returns NFC for a decomposed name', () => {
    expect(parseWorkspacePath('Cafe\u0301.md')).toBe('Caf\u00e9.md');
  });

  it.each([
    ['', 'usage', 'empty'],
    ['/etc/passwd', 'refused', 'absolute'],
    ['//server/share', 'refused', 'absolute'],
    ['\\\\server\\share', 'refused', 'absolute'],
    ['\\windows', 'refused', 'absolute'],
    ['C:\\x', 'refused', 'absolute'],
    ['c:/x', 'refused', 'absolute'],
    ['c:x', 'refused', 'absolute'],
    ['~', 'refused', 'home directory'],
    ['~/x', 'refused', 'home directory'],
    ['..', 'refused', '".."'],
    ['../x', 'refused', '".."'],
    ['a/../../x', 'refused', '".."'],
    ['a/..', 'refused', '".."'],
    ['./a', 'refused', '"."'],
    ['a/./b', 'refused', '"."'],
    ['a//b', 'usage', 'empty segment'],
    ['a/', 'usage', 'empty segment'],
    ['a\\b', 'usage', 'backslash'],
    ['..\\x', 'usage', 'backslash'],
    ['a\0b', 'refused', 'control character'],
    ['a\nb', 'refused', 'control character'],
    ['a\tb', 'refused', 'control character'],
    ['a\u007fb', 'refused', 'control character'],
    ['a\u0085b', 'refused', 'control character'],
    ['a\u2028b', 'refused', 'control character'],
    ['a\ud800b', 'usage', 'not valid Unicode'],
    ['a<b', 'usage', 'contains one of'],
    ['a>b', 'usage', 'contains one of'],
    ['ab:c', 'usage', 'contains one of'],
    ['notes.md:stream', 'usage', 'contains one of'],
    ['a"b', 'usage', 'contains one of'],
    ['a|b', 'usage', 'contains one of'],
    ['a?b', 'usage', 'contains one of'],
    ['a*b', 'usage', 'contains one of'],
    ['file:///etc/passwd', 'usage', 'contains one of'],
    ['a.', 'usage', 'dot or space'],
    ['a ', 'usage', 'dot or space'],
    ['a./b', 'usage', 'dot or space'],
    ['.../b', 'usage', 'dot or space'],
    ['.. /b', 'usage', 'dot or space'],
    ['CON', 'usage', 'reserved'],
    ['con.md', 'usage', 'reserved'],
    ['NUL.tar.gz', 'usage', 'reserved'],
    ['a/aux/b', 'usage', 'reserved'],
    ['Prn .txt', 'usage', 'reserved'],
    ['COM1.txt', 'usage', 'reserved'],
    ['lpt9', 'usage', 'reserved'],
    ['COM¹', 'usage', 'reserved'],
    ['lpt³.md', 'usage', 'reserved'],
    ['CONIN$', 'usage', 'reserved'],
    ['conout$.md', 'usage', 'reserved'],
    ['.git', 'refused', 'git directory'],
    ['.git/config', 'refused', 'git directory'],
    ['.GIT/hooks/post-commit', 'refused', 'git directory'],
    ['a/.Git/x', 'refused', 'git directory'],
    ['git~1/config', 'refused', 'git directory'],
    ['GIT~2', 'refused', 'git directory'],
    ['.git./x', 'usage', 'dot or space'],
    ['.git /x', 'usage', 'dot or space'],
    ['.git::$INDEX_ALLOCATION/x', 'usage', 'contains one of'],
    ['.g\u200cit/config', 'refused', 'invisible'],
    ['.\u200dgit/config', 'refused', 'invisible'],
    ['.gi\u206ft/config', 'refused', 'invisible'],
    ['.git\ufeff/config', 'refused', 'invisible'],
    ['.gi\u202et/config', 'refused', 'reading direction'],
    ['.gіt/config', 'refused', 'looks like .git'],
    ['．git/config', 'refused', 'looks like .git'],
    ['notes\u202egpj.md', 'refused', 'reading direction'],
    ['notes\u2066x.md', 'refused', 'reading direction'],
    ['notes\u200f.md', 'refused', 'reading direction'],
    ['MEMORY\u200b.md', 'refused', 'invisible'],
    ['MEM\u00adORY.md', 'refused', 'invisible'],
    ['MEMORY\u2060.md', 'refused', 'invisible'],
    ['MEMORY\ufe0f.md', 'refused', 'invisible'],
    ['MEMORY.md\u{e0041}', 'refused', 'invisible'],
    ['memory\u3164/x.md', 'refused', 'invisible'],
    ['МEMORY.md', 'refused', 'looks like MEMORY.md'],
    ['MEMОRY.md', 'refused', 'looks like MEMORY.md'],
    ['ΜΕΜΟRY.md', 'refused', 'looks like MEMORY.md'],
    ['ＭＥＭＯＲＹ.md', 'refused', 'looks like MEMORY.md'],
    ['𝐌𝐄𝐌𝐎𝐑𝐘.md', 'refused', 'looks like MEMORY.md'],
    ['MEMORY․md', 'refused', 'looks like MEMORY.md'],
    ['MEM0RY.md', 'refused', 'looks like MEMORY.md'],
    ['lDENTITY.md', 'refused', 'looks like IDENTITY.md'],
    ['SОUL.md', 'refused', 'looks like SOUL.md'],
    ['UЅER.md', 'refused', 'looks like USER.md'],
    ['АGENTS.md', 'refused', 'looks like AGENTS.md'],
    ['memоry/vault/x.md', 'refused', 'looks like memory'],
    ['memory/vаult/x.md', 'refused', 'looks like vault'],
    ['mnеme.yaml', 'refused', 'looks like mneme.yaml'],
    ['a'.repeat(256), 'usage', '255 bytes'],
    ['ж'.repeat(128), 'usage', '255 bytes'],
    [`${'a/'.repeat(600)}b`, 'usage', '1024 bytes'],
  ])('rejects %j', (input, code, part) => {
    expect(() => parseWorkspacePath(input)).toThrow(mnemeError(code, part));
  });

  it('never shows raw control or direction characters in its message', () => {
    const controls = /[\p{Cc}\p{Bidi_Control}]/u;
    for (const input of ['a\u001b[31mb', 'a\u202eb', 'x\n'.repeat(200)]) {
      expect(() => parseWorkspacePath(input)).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(controls) }),
      );
    }
  });

  it('gives a fixed point that stays below the root', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', '', '.git', 'a', 'CON', '~', '\\'),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        let parsed: string;
        try {
          parsed = parseWorkspacePath(segments.join('/'));
        } catch (error) {
          if (isMnemeError(error)) return;
          throw error;
        }
        expect(parseWorkspacePath(parsed)).toBe(parsed);
        expect(path.posix.join('/root', parsed)).toBe(`/root/${parsed}`);
        expect(path.win32.join('C:\\root', parsed)).toBe(`C:\\root\\${parsed.replaceAll('/', '\\')}`);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('findCaseCollision', () => {
  it.each([
    ['notes.md', ['Notes.md'], 'Notes.md'],
    ['straße.md', ['STRASSE.md'], 'STRASSE.md'],
    ['Café.md', ['Cafe\u0301.md'], 'Cafe\u0301.md'],
    ['сору.md', ['copy.md'], 'copy.md'],
    ['copy.md', ['соpy.md'], 'соpy.md'],
    ['ｎotes.md', ['notes.md'], 'notes.md'],
    ['memory/Notes/a.md', ['x.md', 'memory/notes/b.md'], 'memory/notes/b.md'],
    ['Memory/a.md', ['memory/a.md'], 'memory/a.md'],
  ])('%s collides in %j', (name, existing, expected) => {
    expect(findCaseCollision(name, existing)).toBe(expected);
  });

  it.each([
    ['notes.md', ['notes.md', 'notes2.md']],
    ['l1.md', ['ll.md', 'I1.txt']],
    ['resume.md', ['résumé.md']],
    ['Москва.md', ['Moscow.md', 'Минск.md']],
    ['memory/a.md', ['memory/b.md', 'Memo/a.md']],
    ['a/b/c.md', ['a/b', 'a']],
    ['a', []],
  ])('%s does not collide in %j', (name, existing) => {
    expect(findCaseCollision(name, existing)).toBeUndefined();
  });
});

// Links need a privilege on Windows that test machines rarely grant.
describe.skipIf(process.platform === 'win32')('assertNoSymlinkEscape', () => {
  let base: string;
  let root: string;

  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'mneme-links-'));
    root = path.join(base, 'root');
    for (const folder of ['root/real/deep', 'root/.git/hooks', 'outside'])
      mkdirSync(path.join(base, folder), { recursive: true });
    writeFileSync(path.join(root, 'real/file.md'), 'x');
    writeFileSync(path.join(base, 'outside/file.md'), 'x');
  });

  afterEach(() => rmSync(base, { recursive: true }));

  const link = (target: string, name: string): void => symlinkSync(target, path.join(root, name));

  it.each(['real/file.md', 'real/new.md', 'new/folder/file.md', 'real/file.md/below'])(
    'accepts %s',
    async (relative) => {
      expect(await assertNoSymlinkEscape(root, relative)).toEqual({ finalIsSymlink: false });
    },
  );

  it('accepts links that stay inside and says when the last one is a link', async () => {
    link('real', 'alias');
    link('real/file.md', 'alias.md');
    expect(await assertNoSymlinkEscape(root, 'alias/file.md')).toEqual({ finalIsSymlink: false });
    expect(await assertNoSymlinkEscape(root, 'alias.md')).toEqual({ finalIsSymlink: true });
  });

  it('accepts a root that is itself reached through a link', async () => {
    link('real', 'alias');
    symlinkSync(root, path.join(base, 'entry'));
    expect(await assertNoSymlinkEscape(path.join(base, 'entry'), 'alias/file.md')).toEqual({ finalIsSymlink: false });
  });

  it.each([
    ['a folder outside', '../outside', 'out of the workspace'],
    ['an absolute path', '/etc', 'out of the workspace'],
    ['a name that begins like the root', '../root-2', 'nowhere'],
    ['nothing', '../missing', 'nowhere'],
    ['itself', 'link', 'nowhere'],
    ['the git directory', '.git', 'git directory'],
    ['a folder in the git directory', '.git/hooks', 'git directory'],
  ])('refuses a folder that links to %s', async (_what, target, part) => {
    link(target, 'link');
    await expect(assertNoSymlinkEscape(root, 'link/new.md')).rejects.toThrow(mnemeError('refused', part));
    await expect(assertNoSymlinkEscape(root, 'link')).rejects.toThrow(mnemeError('refused', part));
  });

  it('refuses a file that links outside, and a chain that ends there', async () => {
    link('../outside/file.md', 'file.md');
    link('file.md', 'chain.md');
    await expect(assertNoSymlinkEscape(root, 'file.md')).rejects.toThrow(mnemeError('refused', 'out of the workspace'));
    await expect(assertNoSymlinkEscape(root, 'chain.md')).rejects.toThrow(
      mnemeError('refused', 'out of the workspace'),
    );
  });

  it('refuses a sibling whose name begins like the root', async () => {
    mkdirSync(path.join(base, 'root-2'));
    link('../root-2', 'link');
    await expect(assertNoSymlinkEscape(root, 'link/x')).rejects.toThrow(mnemeError('refused', 'out of the workspace'));
  });

  it('refuses what is neither a file nor a folder', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path.join(root, 'socket.md'), resolve));
    await expect(assertNoSymlinkEscape(root, 'socket.md')).rejects.toThrow(mnemeError('refused', 'neither a file'));
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('slugify', () => {
  it.each([
    ['How to deploy', 'how-to-deploy'],
    ['  Zürich — Café & Søren’s Straße!  ', 'zurich-cafe-sorens-strasse'],
    ["don't panic", 'dont-panic'],
    ['Łódź Æther Þór', 'lodz-aether-thor'],
    ['İstanbul', 'istanbul'],
    ['Привет, мир', 'привет-мир'],
    ['日本語のメモ', '日本語のメモ'],
    ['がぎぐ', 'がぎぐ'],
    ['हिन्दी नोट', 'हिन्दी-नोट'],
    ['ﬁne ①②', 'fine-12'],
    ['a/b\\c:d', 'a-b-c-d'],
    ['../../etc/passwd', 'etc-passwd'],
    ['CON', 'note-con'],
    ['com1', 'note-com1'],
    ['mem0ry', 'note-mem0ry'],
    ['README', 'readme'],
  ])('%j becomes %s', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it('cuts between words where it can, and never inside a letter with marks', () => {
    expect(slugify('alpha beta gamma delta', 14)).toBe('alpha-beta');
    expect(slugify('alpha beta gamma', 10)).toBe('alpha-beta');
    expect(slugify('supercalifragilistic', 10)).toBe('supercalif');
    expect(slugify('नमस्ते', 3)).toBe('नम');
    expect(Buffer.byteLength(slugify('日'.repeat(300), 300))).toBeLessThanOrEqual(180);
  });

  it('names what has no letters by its hash, always the same', () => {
    expect(slugify('👍🎉')).toMatch(/^note-[0-9a-z]{8}$/);
    expect(slugify('👍🎉')).toBe(slugify('👍🎉'));
    expect(slugify('👍')).not.toBe(slugify('🎉'));
    expect(slugify('')).toMatch(/^note-/);
  });

  it('is a legal name for any text, and a fixed point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const slug = slugify(text);
        expect(parseWorkspacePath(`${slug}.md`)).toBe(`${slug}.md`);
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 3000 },
    );
  });
});
