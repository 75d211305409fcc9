import fs from 'node:fs';
import path from 'node:path';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import {
  humanGit,
  makeTemporaryFolder,
  readWorkspaceFile,
  workspaceFile,
  writeWorkspaceFile,
} from '../../../test/support/home.ts';
import { runOperation } from '../operation.ts';
import { startExploration } from './explore.ts';
import { sync, type SyncInput, type Synced } from './sync.ts';
import { makeBareRepository, openTestHome, TestClock, type TestHome } from './testing.ts';

function syncHome(home: TestHome, input: SyncInput = {}): Promise<Synced> {
  return runOperation(sync, home.context, input);
}

function tipOf({ home }: TestHome): string {
  return humanGit(home, 'rev-parse', 'main').trim();
}

function isClean({ home }: TestHome): boolean {
  return humanGit(home, 'status', '--porcelain') === '';
}

/** Two machines with the same memory, synced through one remote. */
async function makePair(): Promise<{ first: TestHome; second: TestHome; remote: string }> {
  const remote = await makeBareRepository();
  const first = await openTestHome();
  await first.write({ 'memory/reference/a.md': '# A\n\n- base\n', 'memory/reference/old.md': 'old\n' });
  await syncHome(first, { remote });
  const second = await openTestHome({ clock: new TestClock('2026-02-16T13:00:00Z') });
  await syncHome(second, { remote, allowUnrelated: true });
  await syncHome(first);
  return { first, second, remote };
}

// SPEC HISTORY-5
describe('sync', () => {
  it('says what went and what came', async () => {
    const remote = await makeBareRepository();
    const first = await openTestHome();
    await first.write({ 'memory/reference/a.md': '# A\n\n- base\n' });
    expect(await syncHome(first, { remote })).toMatchObject({
      remote: { name: 'origin', url: remote, isNew: true },
      branch: 'main',
      pulled: { commits: 0, files: [] },
      conflicts: [],
      pushed: { commits: 2, refusedTags: [] },
      tip: tipOf(first),
      attempts: 1,
      repositories: [
        { repository: 'workspace', went: 2, toPush: 0, toPull: 0 },
        { repository: 'raw', remote: null },
        { repository: 'chain', remote: null },
      ],
    });
    const second = await openTestHome();
    await second.write({ 'memory/reference/b.md': 'b\n' });
    await expect(syncHome(second, { remote })).rejects.toMatchObject({ code: 'conflict' });
    expect(await syncHome(second, { allowUnrelated: true })).toMatchObject({
      remote: { isNew: false },
      pulled: { commits: 2, files: [{ path: 'memory/reference/a.md', status: 'added' }] },
      pushed: { commits: 3 },
    });
    expect(await syncHome(first)).toMatchObject({
      pulled: { files: [{ path: 'memory/reference/b.md' }] },
      pushed: { commits: 0 },
    });
    expect(tipOf(first)).toBe(tipOf(second));
    expect(readWorkspaceFile(first.home, 'memory/reference/b.md')).toBe('b\n');
    expect([first, second].every(isClean)).toBe(true);
    expect(await syncHome(second)).toMatchObject({ pulled: { commits: 0, files: [] }, pushed: { commits: 0 } });
  });

  it('joins edits of one file by block, and takes deletions along', async () => {
    const { first, second } = await makePair();
    await first.write({
      'memory/reference/a.md': '# A\n\n- base\n- from the first\n',
      'memory/reference/old.md': undefined,
    });
    await second.write({ 'memory/reference/a.md': '# A\n\n- from the second\n- base\n' });
    await syncHome(first);
    expect(await syncHome(second)).toMatchObject({ conflicts: [], pushed: { commits: 2 } });
    await syncHome(first);
    for (const one of [first, second]) {
      expect(readWorkspaceFile(one.home, 'memory/reference/a.md')).toBe(
        '# A\n\n- from the second\n- base\n- from the first\n',
      );
      expect(fs.existsSync(workspaceFile(one.home, 'memory/reference/old.md'))).toBe(false);
      expect(isClean(one)).toBe(true);
      // Changes from git are not external edits.
      expect(await one.context.workspace.scan()).toEqual([]);
      expect(humanGit(one.home, 'log', '--format=%an')).not.toContain('external');
    }
  });

  it('keeps both versions where both changed the same, and reports it once', async () => {
    const { first, second } = await makePair();
    await first.write({ 'memory/reference/a.md': '# A\n\n- base, said the first\n' });
    await second.write({ 'memory/reference/a.md': '# A\n\n- base, said the second\n' });
    await syncHome(first);
    const result = await syncHome(second);
    expect(result.conflicts).toMatchObject([{ path: 'memory/reference/a.md', kind: 'text', places: 1 }]);
    expect(second.conflicts).toMatchObject([{ path: 'memory/reference/a.md', conflicts: [{ kind: 'both-edited' }] }]);
    expect((await syncHome(first)).conflicts).toEqual([]);
    const text = readWorkspaceFile(first.home, 'memory/reference/a.md');
    expect(text).toContain('said the first');
    expect(text).toContain('said the second');
    expect(await syncHome(second)).toMatchObject({ pulled: { commits: 0 }, pushed: { commits: 0 }, conflicts: [] });
  });

  it('takes unsaved and just saved work of a person along', async () => {
    const { first, second } = await makePair();
    await first.write({ 'memory/reference/a.md': '# A\n\n- base\n- first\n' });
    await syncHome(first);
    writeWorkspaceFile(second.home, 'memory/reference/a.md', '# A\n\n- typed\n- base\n');
    writeWorkspaceFile(second.home, 'memory/reference/mine.md', 'mine\n');
    await syncHome(second);
    await syncHome(first);
    expect(readWorkspaceFile(first.home, 'memory/reference/a.md')).toBe('# A\n\n- typed\n- base\n- first\n');
    expect(readWorkspaceFile(first.home, 'memory/reference/mine.md')).toBe('mine\n');
  });

  it('pulls beside writers without losing or repeating anything', async () => {
    const { first, second } = await makePair();
    const acknowledged: string[] = [];
    let isDone = false;
    const writer = async (): Promise<void> => {
      for (let index = 0; !isDone; index += 1) {
        const line = `- second ${index}`;
        await second.context.workspace.commit({
          actor: 'bot:writer',
          summary: line,
          changes: [{ path: 'memory/reference/busy.md', edit: (current) => `${current ?? ''}${line}\n` }],
        });
        acknowledged.push(line);
      }
    };
    const writing = writer();
    for (let round = 0; round < repetitions(1, 3); round += 1) {
      await first.write({ 'memory/reference/a.md': `# A\n\n- base\n${'- first\n'.repeat(round + 1)}` });
      await syncHome(first);
      await syncHome(second);
    }
    isDone = true;
    await writing;
    await syncHome(second);
    await syncHome(first);
    expect(tipOf(first)).toBe(tipOf(second));
    expect(readWorkspaceFile(first.home, 'memory/reference/busy.md').trim().split('\n')).toEqual(acknowledged);
    expect(humanGit(second.home, 'log', '--format=%an')).not.toContain('external');
    expect([first, second].every(isClean)).toBe(true);
  });

  it('moves the branch alone during an exploration', async () => {
    const { first, second } = await makePair();
    await first.write({ 'memory/reference/a.md': '# A\n\n- base\n- first\n' });
    await syncHome(first);
    await runOperation(startExploration, second.context, { name: 'x' });
    expect(await syncHome(second)).toMatchObject({ pulled: { commits: 1 } });
    expect(tipOf(second)).toBe(tipOf(first));
    expect(readWorkspaceFile(second.home, 'memory/reference/a.md')).toBe('# A\n\n- base\n');
    expect(isClean(second)).toBe(true);
  });

  it('only pulls or only pushes when told to', async () => {
    const { first, second } = await makePair();
    await first.write({ 'memory/reference/a.md': '# A\n\n- first\n' });
    expect(await syncHome(first, { pullOnly: true })).toMatchObject({ pushed: { commits: 0 } });
    expect(await syncHome(second)).toMatchObject({ pulled: { commits: 0 } });
    expect(await syncHome(first, { pushOnly: true })).toMatchObject({ pushed: { commits: 1 } });
    await second.write({ 'memory/reference/b.md': 'b\n' });
    await expect(syncHome(second, { pushOnly: true })).rejects.toMatchObject({ code: 'conflict' });
    await expect(syncHome(second, { pushOnly: true, pullOnly: true })).rejects.toMatchObject({ code: 'usage' });
  });

  it('keeps private scopes here unless told otherwise', async () => {
    const { first } = await makePair();
    await first.write({ 'memory/scopes/user--jana/memory/reference/x.md': 'private\n' });
    await expect(syncHome(first)).rejects.toMatchObject({ code: 'refused' });
    await syncHome(first, { pullOnly: true });
    expect(await syncHome(first, { withPrivateScopes: true })).toMatchObject({ pushed: { commits: 1 } });
  });

  it.skipIf(process.platform === 'win32')('brings along whether a file is executable', async () => {
    const { first, second } = await makePair();
    fs.writeFileSync(workspaceFile(first.home, 'run.sh'), 'echo\n', { mode: 0o755 });
    await first.context.workspace.scan();
    await syncHome(first);
    await second.write({ 'memory/reference/b.md': 'b\n' });
    await syncHome(second);
    expect(fs.statSync(workspaceFile(second.home, 'run.sh')).mode & 0o111).toBe(0o111);
    expect(isClean(second)).toBe(true);
  });

  it('goes back to the former remote when the new one cannot be reached', async () => {
    const { first } = await makePair();
    await first.write({ 'memory/reference/a.md': '# A\n\n- first\n' });
    await syncHome(first);
    const readSetup = (): string =>
      humanGit(first.home, 'remote', '-v') + humanGit(first.home, 'for-each-ref', 'refs/remotes');
    const before = readSetup();
    const nowhere = path.join(makeTemporaryFolder(), 'nothing');
    await expect(syncHome(first, { remote: nowhere })).rejects.toMatchObject({ code: 'not-found' });
    expect(before).toContain('refs/remotes/origin/main');
    expect(readSetup()).toBe(before);
  });

  it('explains a missing, wrong or unreachable remote', async () => {
    const home = await openTestHome();
    await expect(syncHome(home)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--remote') as string,
    });
    const nowhere = path.join(makeTemporaryFolder(), 'nothing');
    await expect(syncHome(home, { remote: nowhere })).rejects.toMatchObject({ code: 'not-found' });
    expect(humanGit(home.home, 'remote')).toBe('');
    await expect(syncHome(home, { remote: 'http://127.0.0.1:1/x.git' })).rejects.toMatchObject({
      code: 'failure',
      message: expect.stringContaining('cannot be reached') as string,
    });
    await expect(syncHome(home, { remote: 'https://me:secret@example.org/x.git' })).rejects.toMatchObject({
      code: 'usage',
    });
    const configured = await openTestHome({
      config: (config) => ({ ...config, git: { ...config.git, remote: nowhere } }),
    });
    await expect(syncHome(configured, { remote: 'elsewhere' })).rejects.toMatchObject({ code: 'usage' });
    await expect(syncHome(configured)).rejects.toMatchObject({ code: 'not-found' });
  });
});

type Edit = {
  readonly machine: 0 | 1;
  readonly file: number;
  readonly kind: 'append' | 'prepend' | 'replace' | 'delete' | 'sync';
};

const edits = array(
  record<Edit>({
    machine: constantFrom(0 as const, 1 as const),
    file: integer({ min: 0, max: 2 }),
    kind: constantFrom('append', 'append', 'prepend', 'replace', 'delete', 'sync', 'sync'),
  }),
  { minLength: 4, maxLength: 12 },
);

describe('syncing in any order', () => {
  it('converges, and no line that nobody took away is lost', { timeout: 240_000 }, async () => {
    await assert(
      asyncProperty(edits, async (steps) => {
        const { first, second } = await makePair();
        const machines = [first, second] as const;
        const written = new Set<string>();
        const removed = new Set<string>();
        for (const [index, { machine, file, kind }] of steps.entries()) {
          const one = machines[machine];
          if (kind === 'sync') await syncHome(one);
          else await edit(one, `memory/reference/f${file}.md`, kind, `- ${machine}-${index}`, written, removed);
        }
        for (const one of [first, second, first, second]) await syncHome(one);
        expect(tipOf(first)).toBe(tipOf(second));
        expect([first, second].every(isClean)).toBe(true);
        const text = [0, 1, 2]
          .map((file) => readIfThere(first, `memory/reference/f${file}.md`))
          .join('\n')
          .split('\n');
        const kept = [...written].filter((line) => !removed.has(line));
        expect(text).toEqual(expect.arrayContaining(kept));
        for (const one of machines) {
          expect(humanGit(one.home, 'log', '--format=%an')).not.toContain('external');
          await one.close();
        }
      }),
      { numRuns: repetitions(2, 5) },
    );
  });
});

function readIfThere({ home }: TestHome, file: string): string {
  return fs.existsSync(workspaceFile(home, file)) ? readWorkspaceFile(home, file) : '';
}

async function edit(
  home: TestHome,
  file: string,
  kind: Edit['kind'],
  line: string,
  written: Set<string>,
  removed: Set<string>,
): Promise<void> {
  const present = readIfThere(home, file);
  const lines = present.split('\n').filter((one) => one.startsWith('- '));
  if (kind === 'delete') {
    if (present === '') return;
    for (const one of lines) removed.add(one);
    await home.write({ [file]: undefined });
    return;
  }
  written.add(line);
  const [gone, ...rest] = lines;
  if (kind === 'replace' && gone !== undefined) removed.add(gone);
  const next = { append: [...lines, line], prepend: [line, ...lines], replace: [line, ...rest] }[kind as 'append'];
  await home.write({ [file]: `# Notes\n\n${next.join('\n')}\n` });
}
