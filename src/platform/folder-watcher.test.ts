import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { FolderWatcher, type FolderWatcherParts } from './folder-watcher.ts';

const isLinux = process.platform === 'linux';
/** Only to end what hangs. */
const WAIT = { timeout: 60_000, interval: 10 };

const open: FolderWatcher[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const watcher of open.splice(0)) watcher.close();
});

interface Watched {
  readonly root: string;
  readonly heard: Set<string>;
  readonly problems: string[];
  readonly watcher: FolderWatcher;
  readonly full: (relative: string) => string;
  readonly write: (relative: string, text?: string) => void;
  /** Forgets what was heard, acts, and waits until all of the paths were heard of. */
  readonly expectHeard: (paths: readonly string[], act: () => void) => Promise<void>;
}

function watchFolder(
  given: Partial<FolderWatcherParts> = {},
  files: readonly string[] = [],
  root = makeTemporaryFolder(),
): Watched {
  const heard = new Set<string>();
  const problems: string[] = [];
  const full = (relative: string): string => path.join(root, relative);
  const write = (relative: string, text = 'text\n'): void => {
    fs.mkdirSync(path.dirname(full(relative)), { recursive: true });
    fs.writeFileSync(full(relative), text);
  };
  for (const file of files) write(file);
  const watcher = new FolderWatcher(root, {
    onChange: (relative) => heard.add(relative),
    onProblem: (message) => problems.push(message),
    isIgnored: (relative) => relative.split('/').includes('.git'),
    ...given,
  });
  open.push(watcher);
  const expectHeard = async (paths: readonly string[], act: () => void): Promise<void> => {
    heard.clear();
    act();
    await vi.waitFor(() => expect(paths.filter((one) => !heard.has(one)).slice(0, 5)).toEqual([]), WAIT);
  };
  return { root, heard, problems, watcher, full, write, expectHeard };
}

function replaceByRename(file: string, text: string): void {
  const draft = path.join(makeTemporaryFolder(), 'draft');
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
}

/** The number of watches the kernel keeps for this process. */
function countWatches(): number {
  const infos = fs.readdirSync('/proc/self/fdinfo').map((descriptor) => {
    const info = path.join('/proc/self/fdinfo', descriptor);
    return fs.existsSync(info) ? fs.readFileSync(info, 'utf8') : '';
  });
  return infos.join('\n').match(/^inotify wd:/gmu)?.length ?? 0;
}

const ways: [string, Partial<FolderWatcherParts>, unknown[]][] = [
  ['a watched folder', {}, []],
  [
    'a folder that is looked through',
    { isRecursive: false, maxFolders: 0, scanPauseMs: 20 },
    [expect.stringContaining('it has more than 0 folders')],
  ],
];

describe.each(ways)('%s', (_name, given, told) => {
  it('tells of edits in place after a file was replaced by a rename, again and again', async () => {
    const { full, problems, expectHeard } = watchFolder(given, ['notes/a.md', 'top.md']);
    for (const file of ['notes/a.md', 'top.md', 'notes/a.md']) {
      await expectHeard([file], () => replaceByRename(full(file), 'replaced\n'));
      await expectHeard([file], () => fs.appendFileSync(full(file), 'one\n'));
      await expectHeard([file], () => fs.appendFileSync(full(file), 'two\n'));
    }
    expect(problems).toEqual(told);
  });

  it('tells of files in new folders, however deep and however quickly made', async () => {
    const { write, full, problems, expectHeard } = watchFolder(given);
    const made = Array.from({ length: 20 }, (_, index) => `n${index}/deep/er/a.md`);
    await expectHeard(made, () => made.forEach((file) => write(file)));
    await expectHeard(['n7/deep/er/a.md'], () => fs.appendFileSync(full('n7/deep/er/a.md'), 'more\n'));
    await expectHeard(['n7/deep/b.md', 'n7/x/y/z.md'], () => ['n7/deep/b.md', 'n7/x/y/z.md'].forEach((f) => write(f)));
    expect(problems).toEqual(told);
  });

  it('goes on with a folder that was removed and made anew, and one that became a file and a folder again', async () => {
    const { write, full, problems, expectHeard } = watchFolder(given, ['n/in/a.md', 'n/b.md']);
    for (let round = 0; round < 5; round += 1) {
      await expectHeard(['n/in/a.md', 'n/b.md'], () => {
        fs.rmSync(full('n'), { recursive: true });
        write('n/in/a.md', `round ${round}\n`);
      });
      await expectHeard(['n/in/a.md'], () => fs.appendFileSync(full('n/in/a.md'), 'more\n'));
      await expectHeard(['n/b.md'], () => write('n/b.md'));
    }
    await expectHeard(['n', 'n/b.md', 'n/in/a.md'], () => {
      fs.rmSync(full('n'), { recursive: true });
      write('n');
    });
    await expectHeard(['n', 'n/in/a.md'], () => {
      fs.rmSync(full('n'));
      write('n/in/a.md');
    });
    await expectHeard(['n/in/a.md'], () => fs.appendFileSync(full('n/in/a.md'), 'more\n'));
    expect(problems).toEqual(told);
  });

  // Elsewhere the system names only the folder.
  it.skipIf(!isLinux && told.length === 0)(
    'tells of all files of a folder that is moved in, about and out',
    async () => {
      const { full, problems, expectHeard } = watchFolder(given, ['a/in/one.md', 'a/two.md']);
      await expectHeard(['a/in/one.md', 'a/two.md', 'b/in/one.md', 'b/two.md'], () =>
        fs.renameSync(full('a'), full('b')),
      );
      await expectHeard(['b/in/one.md'], () => fs.appendFileSync(full('b/in/one.md'), 'more\n'));
      const elsewhere = path.join(makeTemporaryFolder(), 'b');
      await expectHeard(['b/in/one.md', 'b/two.md'], () => fs.renameSync(full('b'), elsewhere));
      await expectHeard(['c/in/one.md', 'c/two.md'], () => fs.renameSync(elsewhere, full('c')));
      await expectHeard(['c/in/one.md'], () => fs.appendFileSync(full('c/in/one.md'), 'more\n'));
      expect(problems).toEqual(told);
    },
  );

  it('misses the last of many quick edits of no file', async () => {
    const files = Array.from({ length: 50 }, (_, index) => `f${index % 5}/n${index}.md`);
    const { full, problems, expectHeard } = watchFolder(given, files);
    await expectHeard(files, () => {
      for (let round = 0; round < 20; round += 1) {
        for (const file of files) {
          if (round % 3 === 0) replaceByRename(full(file), `${round}\n`);
          else fs.appendFileSync(full(file), `${round}\n`);
        }
      }
    });
    for (const file of files.slice(0, 5)) await expectHeard([file], () => fs.appendFileSync(full(file), 'last\n'));
    expect(problems).toEqual(told);
  });

  it('sees each of 300 folders', async () => {
    const files = Array.from({ length: 300 }, (_, index) => `f${index}/a.md`);
    const { full, problems, expectHeard } = watchFolder(given, files);
    await expectHeard(files, () => files.forEach((file) => fs.appendFileSync(full(file), 'more\n')));
    expect(problems).toEqual(told);
  });

  it('hears nothing any more once it is closed', async () => {
    const { root, watcher, heard, write, expectHeard } = watchFolder(given, ['a.md']);
    await expectHeard(['a.md'], () => write('a.md', 'more\n'));
    watcher.close();
    heard.clear();
    const other = watchFolder(given, [], root);
    // The closed one would hear of the first while the other hears of the later ones.
    for (const file of ['b.md', 'c.md', 'd.md', 'e.md']) await other.expectHeard([file], () => other.write(file));
    expect([...heard]).toEqual([]);
  });

  it('leaves alone what is ignored, and what links lead to', async () => {
    const outside = makeTemporaryFolder();
    const { full, heard, write, expectHeard } = watchFolder(given, ['a.md', '.git/config', 'sub/.git/config']);
    await expectHeard(['link'], () => fs.symlinkSync(outside, full('link')));
    await expectHeard(['a.md'], () => {
      write('.git/config', 'x\n');
      write('.git/new/deep', 'x\n');
      write('sub/.git/config', 'x\n');
      fs.writeFileSync(path.join(outside, 'private.md'), 'x\n');
      write('a.md', 'x\n');
    });
    await expectHeard(['last.md'], () => write('last.md'));
    const others = [...heard].filter((one) => one.includes('.git') || one.includes('private'));
    expect(others).toEqual([]);
  });
});

describe.skipIf(!isLinux)('a watch for each folder', () => {
  it('is all that is kept, follows folders that come and go, and is freed when closed', async () => {
    const before = countWatches();
    const { watcher, full, write, expectHeard } = watchFolder({}, ['a/b/c/one.md', '.git/objects/ab/x']);
    expect(countWatches() - before).toBe(4);
    await expectHeard(['d/e/two.md'], () => write('d/e/two.md'));
    expect(countWatches() - before).toBe(6);
    await expectHeard(['a/b/c/one.md'], () => fs.rmSync(full('a'), { recursive: true }));
    await expectHeard(['last.md'], () => write('last.md'));
    expect(countWatches() - before).toBe(3);
    watcher.close();
    expect(countWatches() - before).toBe(0);
  });

  it('misses nothing when more happens at once than the system keeps', async () => {
    const { full, problems, write, expectHeard } = watchFolder({}, ['n/gone.md', 'n/last.md']);
    const quiet = watchFolder({}, ['old.md']);
    const files = Array.from({ length: 12_000 }, (_, index) => `n/f${index}.md`);
    await expectHeard([...files, 'n/gone.md', 'n/last.md', 'x/y.md'], () => {
      for (const file of files) fs.writeFileSync(full(file), 'x');
      fs.rmSync(full('n/gone.md'));
      fs.appendFileSync(full('n/last.md'), 'x');
      write('x/y.md');
      quiet.write('old.md', 'new\n');
    });
    await vi.waitFor(() => expect(quiet.heard.has('old.md')).toBe(true), WAIT);
    await expectHeard(['x/y.md'], () => fs.appendFileSync(full('x/y.md'), 'x'));
    expect(problems).toEqual([]);
  });

  it('goes on when the whole folder is replaced, and says so when it is gone', async () => {
    const { root, full, heard, problems, write, expectHeard } = watchFolder({ scanPauseMs: 20 }, ['a/one.md', 'b.md']);
    await expectHeard(['a/one.md', 'b.md'], () => {
      fs.rmSync(root, { recursive: true });
      write('a/one.md', 'new\n');
    });
    await expectHeard(['a/one.md'], () => fs.appendFileSync(full('a/one.md'), 'x'));
    expect(problems).toEqual([]);
    heard.clear();
    const elsewhere = path.join(makeTemporaryFolder(), 'away');
    fs.renameSync(root, elsewhere);
    await vi.waitFor(() => expect(problems.join('\n')).toContain('cannot be watched (it is gone)'), WAIT);
    await vi.waitFor(() => expect(problems.join('\n')).toContain('are not noticed'), WAIT);
    expect([...heard].filter((one) => one.endsWith('.md'))).toEqual([]);
    await expectHeard(['a/one.md'], () => fs.renameSync(elsewhere, root));
    await expectHeard(['a/one.md'], () => fs.appendFileSync(full('a/one.md'), 'x'));
  });

  it.each(['watch', 'readdirSync'] as const)(
    'misses nothing that comes while a new folder is taken up: at %s',
    async (at) => {
      const { full, problems, write, expectHeard } = watchFolder();
      const original = fs[at];
      const late = (call: 'before' | 'after'): void => write(`new/${call}/in.md`);
      vi.spyOn(fs, at).mockImplementation((...args: unknown[]) => {
        const isNew = args[0] === full('new');
        if (isNew) late('before');
        const result: unknown = Reflect.apply(original, fs, args);
        if (isNew) late('after');
        return result as never;
      });
      await expectHeard(['new/before/in.md', 'new/after/in.md'], () => fs.mkdirSync(full('new')));
      vi.restoreAllMocks();
      await expectHeard(['new/after/in.md'], () => fs.appendFileSync(full('new/after/in.md'), 'x'));
      expect(problems).toEqual([]);
    },
  );

  it('says so and goes on when the disk fails to answer', async () => {
    const { problems, write, expectHeard } = watchFolder({}, ['a.md']);
    const fail = vi.spyOn(fs, 'lstatSync').mockImplementation(() => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    });
    write('b.md');
    await vi.waitFor(() => expect(problems.join()).toContain('b.md cannot be looked at: EIO'), WAIT);
    fail.mockRestore();
    await expectHeard(['c.md'], () => write('c.md'));
  });

  it('takes up a folder once it may be read', async () => {
    const { full, problems, write, expectHeard } = watchFolder({}, ['a.md']);
    const refuse = vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    });
    fs.mkdirSync(full('closed'));
    await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining('closed are not noticed: EACCES')]), WAIT);
    refuse.mockRestore();
    write('closed/in.md');
    await expectHeard(['closed/in.md'], () => fs.chmodSync(full('closed'), 0o700));
    await expectHeard(['closed/in.md'], () => fs.appendFileSync(full('closed/in.md'), 'x'));
  });
});

describe('where watching is not possible', () => {
  it.each(['ENOSPC', 'EMFILE'])('says so and looks through the folder instead: %s at the start', async (code) => {
    const refuse = vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error(`${code}: no more`), { code });
    });
    const { root, full, problems, expectHeard } = watchFolder({ scanPauseMs: 20 }, ['n/a.md']);
    expect(problems).toEqual([expect.stringContaining(`${root} cannot be watched (${code}: no more)`)]);
    await expectHeard(['n/a.md'], () => fs.appendFileSync(full('n/a.md'), 'x'));
    await expectHeard(['n/a.md'], () => fs.rmSync(full('n'), { recursive: true }));
    expect(refuse).toHaveBeenCalledTimes(1);
    expect(problems).toHaveLength(1);
  });

  it.skipIf(!isLinux)('frees every watch when there are too many folders, and misses nothing', async () => {
    const before = countWatches();
    const { full, problems, write, expectHeard } = watchFolder({ maxFolders: 5, scanPauseMs: 20 }, ['a/b/one.md']);
    expect(countWatches() - before).toBe(3);
    const made = ['c/d/e/two.md', 'f/three.md', 'a/b/one.md'];
    await expectHeard(made, () => made.forEach((file) => write(file, 'new\n')));
    expect(problems).toEqual([expect.stringContaining('it has more than 5 folders')]);
    expect(countWatches() - before).toBe(0);
    for (const file of made) await expectHeard([file], () => fs.appendFileSync(full(file), 'x'));
  });

  it('tells of what came and went before the first look, whatever the clock says', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER);
    const parts = { isRecursive: false, maxFolders: 0, scanPauseMs: 20 };
    const { full, heard, write, expectHeard } = watchFolder(parts, ['kept.md', 'gone.md']);
    await expectHeard(['new.md', 'gone.md'], () => {
      fs.rmSync(full('gone.md'));
      write('new.md');
    });
    expect(heard.has('kept.md')).toBe(false);
  });

  it('looks through the folder when the system gives up on a whole tree', async () => {
    const watch = vi.spyOn(fs, 'watch');
    const { full, problems, write, expectHeard } = watchFolder({ isRecursive: true, scanPauseMs: 20 }, ['n/a.md']);
    await expectHeard(['n/b.md'], () => write('n/b.md'));
    const watcher = watch.mock.results[0]?.value;
    if (!(watcher instanceof Object && 'emit' in watcher)) throw new Error('nothing is watched');
    (watcher as fs.FSWatcher).emit('error', new Error('EPERM: gave up'));
    expect(problems).toEqual([expect.stringContaining('cannot be watched (EPERM: gave up)')]);
    await expectHeard(['n/a.md'], () => fs.appendFileSync(full('n/a.md'), 'x'));
  });

  it('tells of everything when the system cannot say what changed', async () => {
    const watch = vi.spyOn(fs, 'watch');
    const { problems, expectHeard } = watchFolder({ isRecursive: true }, ['n/a.md', 'b.md']);
    const listener = watch.mock.calls[0]?.at(-1);
    if (typeof listener !== 'function') throw new Error('nothing is watched');
    await expectHeard(['n/a.md', 'b.md'], () => Reflect.apply(listener, undefined, ['change', null]));
    expect(problems).toEqual([]);
  });
});

it.each(['closed', 'left open', 'looked through'])('does not keep a process alive: %s', (how) => {
  const root = makeTemporaryFolder();
  const module = fileURLToPath(new URL('folder-watcher.ts', import.meta.url));
  const script = `
    import fs from 'node:fs';
    import { FolderWatcher } from ${JSON.stringify(module)};
    fs.mkdirSync(${JSON.stringify(path.join(root, 'n'))});
    const watcher = new FolderWatcher(${JSON.stringify(root)}, {
      onChange: () => undefined,
      onProblem: () => undefined,
      isIgnored: () => false,
      ${how === 'looked through' ? 'isRecursive: false, maxFolders: 0,' : ''}
    });
    fs.writeFileSync(${JSON.stringify(path.join(root, 'n', 'a.md'))}, 'x');
    setTimeout(() => { ${how === 'closed' ? 'watcher.close();' : ''} console.log('done'); }, 50);
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(output).toBe('done\n');
});
