import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { run } from '../../platform/process.ts';
import { runCli } from './run.ts';

const home = makeTemporaryFolder('mneme-cli-');
const remote = path.join(makeTemporaryFolder(), 'remote.git');

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Returns the output a person would see, without colours. */
async function mneme(...args: string[]): Promise<Outcome> {
  return mnemeIn(home, ...args);
}

async function mnemeIn(place: string, ...args: string[]): Promise<Outcome> {
  const shown = { out: '', err: '' };
  const io = {
    out: (text: string): void => void (shown.out += text),
    err: (text: string): void => void (shown.err += text),
    readInput: () => Promise.resolve(''),
    ask: () => Promise.resolve(undefined),
    askSecret: () => Promise.resolve(undefined),
    onInterrupt: () => () => undefined,
    isTerminal: false,
    wantsColor: false,
    columns: 80,
  };
  const environment = { home: place, actor: undefined, editor: 'false', timeZone: 'UTC', wantsColor: false };
  const code = await runCli(args, environment, io);
  return { code, ...shown };
}

async function json(...args: string[]): Promise<unknown> {
  const { code, out } = await mneme('--json', ...args);
  expect(code).toBe(0);
  return JSON.parse(out) as unknown;
}

beforeAll(async () => {
  await run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  await mneme('init');
  await mneme('remember', 'Jana prefers tea', '--store', 'episodic');
  await mneme('remember', '--store', 'episodic', '--as', 'bot:main', '--session', 'ses_1', 'We move to Postgres');
});

describe('history commands', () => {
  it('log: one line for each change, with what rollback takes', async () => {
    const { code, out } = await mneme('history', 'log', '--limit', '2');
    expect(code).toBe(0);
    const [day, ...lines] = out.trimEnd().split('\n');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(lines[0]).toMatch(
      /^ {2}\d\d:\d\d {2}[0-9A-Z]{8} {2}APPEND {2}bot:main {2}memory\/episodes\/.* — remembered "We/,
    );
    expect(lines[1]).toMatch(/CREATE {2}manual {4}memory/);
    expect(lines.at(-1)).toBe('Older changes are left out; --limit 4 shows more.');
    expect(await json('history', 'log', '--actor', 'bot:')).toMatchObject({
      entries: [{ session: 'ses_1' }],
      hasMore: false,
    });
    expect((await mneme('history', 'log', '--text', 'never said')).out).toBe('The history has nothing that matches.\n');
    expect((await mneme('history', 'log', 'nowhere.md')).code).toBe(3);
    expect((await mneme('history', 'log', '--full', '--limit', '1')).out).toContain('+We move to Postgres');
  });

  it('blame, when and diff answer in words and in JSON', async () => {
    const [file] = fs.readdirSync(path.join(home, 'workspace/memory/episodes'));
    expect((await mneme('history', 'blame', `memory/episodes/${file}`, '--lines', '10')).out).toMatch(
      /manual {2}10 {2}Jana prefers tea/,
    );
    expect((await mneme('history', 'when', 'jana', 'prefers')).out).toMatch(/^Learnt \d{4}-.* by manual in memory/);
    expect(await json('history', 'when', 'Postgres')).toMatchObject({
      first: { actor: 'bot:main' },
      searched: 'everything',
    });
    expect((await mneme('history', 'diff', '--stat')).out).toMatch(
      /^2 files, \+\d+ −0 lines, in core, episodic\nfrom today/,
    );
    expect(await json('history', 'diff', '--', 'MEMORY.md')).toMatchObject({ files: [{ path: 'MEMORY.md' }] });
    expect(await json('history', 'diff', 'today', 'now', '--', 'nowhere.md')).toMatchObject({ files: [] });
  });

  it('tag: lists, makes, removes', async () => {
    expect((await mneme('history', 'tag')).out).toMatch(/^There are no tags yet/);
    expect((await mneme('history', 'tag', 'before/x', '-m', 'why')).out).toMatch(/^Tagged before\/x\n/);
    expect((await mneme('history', 'tag', '--daily')).out).toMatch(/^Tagged daily\//);
    expect((await mneme('history', 'tag')).out).toMatch(/^before\/x {2,}\d{4}-\d\d-\d\d \d\d:\d\d {2}why\n/);
    expect((await mneme('history', 'tag', 'before/x', '--delete')).out).toBe('Removed the tag before/x.\n');
  });

  it('explore: there and back', async () => {
    expect((await mneme('history', 'explore')).out).toMatch(/^No exploration/);
    expect((await mneme('history', 'explore', 'start', 'x')).out).toMatch(/^Exploring x/);
    await mneme('remember', 'Only an idea', '--store', 'episodic');
    expect((await mneme('history', 'explore', 'list')).out).toMatch(
      /^\* {2}x {2}since .* 1 change in 1 file {2}from main\n/,
    );
    expect((await mneme('history', 'explore', 'drop')).out).toMatch(/^Dropped x; you are on main again\.\n/);
    expect((await mneme('history', 'when', 'Only an idea')).code).toBe(3);
    await mneme('history', 'explore', 'start', 'y');
    await mneme('remember', 'A good idea', '--store', 'episodic');
    expect((await mneme('history', 'explore', 'merge')).out).toMatch(/^Merged y into main: 1 file\n/);
    expect((await mneme('history', 'when', 'A good idea')).code).toBe(0);
    expect((await mneme('history', 'explore', 'prune')).out).toMatch(/^No exploration is older/);
  });

  it('sync: two homes through one remote', async () => {
    expect((await mneme('sync')).code).toBe(2);
    expect((await mneme('sync', '--remote', remote)).out).toMatch(
      /^Remote origin is .* from now on\.\nWent \d+ changes\n$/,
    );
    expect((await mneme('sync')).out).toBe('Nothing new; main is the same here and at origin.\n');
    const other = makeTemporaryFolder('mneme-cli-');
    await mnemeIn(other, 'init');
    expect((await mnemeIn(other, 'sync', '--remote', remote)).code).toBe(4);
    const joined = await mnemeIn(other, 'sync', '--remote', remote, '--allow-unrelated');
    expect(joined.out).toMatch(/^Came \d+ changes in \d files?\n[^]*\nWent \d+ changes\n$/);
    await mnemeIn(other, 'remember', 'From elsewhere', '--store', 'episodic');
    await mnemeIn(other, 'sync');
    expect((await mneme('sync')).out).toMatch(/^Came \d+ changes/);
    expect((await mneme('history', 'when', 'From elsewhere')).code).toBe(0);
  });

  it.each([
    [2, ['history', 'log', '--action', 'nothing']],
    [2, ['history', 'log', '--limit', 'x']],
    [2, ['history', 'log', '--since', 'soon']],
    [2, ['history', 'blame', 'MEMORY.md', '--lines', 'x']],
    [2, ['history', 'diff', 'MEMORY.md']],
    [2, ['history', 'tag', 'x']],
    [2, ['history', 'tag', '--daily', '--weekly']],
    [2, ['history', 'explore', 'merge']],
    [2, ['history', 'explore', 'start', 'two words']],
    [2, ['sync', '--push-only', '--pull-only']],
    [3, ['history', 'blame', 'nowhere.md']],
    [3, ['history', 'when', 'never said']],
    [3, ['history', 'diff', 'nonsense']],
    [3, ['history', 'explore', 'drop', 'nothing']],
    [5, ['history', 'tag', 'before/z', '--as', 'reader:x']],
  ])('exits with %i for %j, and says why in JSON too', async (code, args) => {
    const plain = await mneme(...args);
    expect(plain.code).toBe(code);
    expect(plain.err).toMatch(/^error .+\./);
    const { out } = await mneme(...args, '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.any(String) as string } });
  });
});
