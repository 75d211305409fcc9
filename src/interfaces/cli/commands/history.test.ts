import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { run } from '../../../platform/process.ts';
import { runCli } from '../run.ts';

const home = makeTemporaryFolder('mneme-cli-');
const remote = path.join(makeTemporaryFolder(), 'remote.git');

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a person would see, without colours. */
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
    const { code, out } = await mneme('log', '--limit', '2');
    expect(code).toBe(0);
    const [day, ...lines] = out.trimEnd().split('\n');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(lines[0]).toMatch(
      /^ {2}\d\d:\d\d {2}[0-9A-Z]{8} {2}APPEND {2}bot:main {2}memory\/episodes\/.* — remembered "We/,
    );
    expect(lines[1]).toMatch(/CREATE {2}manual {4}memory/);
    expect(lines.at(-1)).toBe('Older changes are left out; --limit 4 shows more.');
    expect(await json('log', '--actor', 'bot:')).toMatchObject({ entries: [{ session: 'ses_1' }], hasMore: false });
    expect((await mneme('log', '--text', 'never said')).out).toBe('The history has nothing that matches.\n');
    expect((await mneme('log', 'nowhere.md')).code).toBe(3);
    expect((await mneme('log', '--full', '--limit', '1')).out).toContain('+We move to Postgres');
  });

  it('blame, when and diff answer in words and in JSON', async () => {
    const [file] = fs.readdirSync(path.join(home, 'workspace/memory/episodes'));
    expect((await mneme('blame', `memory/episodes/${file}`, '--lines', '10')).out).toMatch(
      /manual {2}10 {2}Jana prefers tea/,
    );
    expect((await mneme('when', 'jana', 'prefers')).out).toMatch(/^Learnt \d{4}-.* by manual in memory/);
    expect(await json('when', 'Postgres')).toMatchObject({ first: { actor: 'bot:main' }, searched: 'everything' });
    expect((await mneme('diff', '--stat')).out).toMatch(/^2 files, \+\d+ −0 lines, in core, episodic\nfrom today/);
    expect(await json('diff', '--', 'MEMORY.md')).toMatchObject({ files: [{ path: 'MEMORY.md' }] });
    expect(await json('diff', 'today', 'now', '--', 'nowhere.md')).toMatchObject({ files: [] });
  });

  it('tag: lists, makes, removes', async () => {
    expect((await mneme('tag')).out).toMatch(/^There are no tags yet/);
    expect((await mneme('tag', 'before/x', '-m', 'why')).out).toMatch(/^Tagged before\/x\n/);
    expect((await mneme('tag', '--daily')).out).toMatch(/^Tagged daily\//);
    expect((await mneme('tag')).out).toMatch(/^before\/x {2,}\d{4}-\d\d-\d\d \d\d:\d\d {2}why\n/);
    expect((await mneme('tag', 'before/x', '--delete')).out).toBe('Removed the tag before/x.\n');
  });

  it('explore: there and back', async () => {
    expect((await mneme('explore')).out).toMatch(/^No exploration/);
    expect((await mneme('explore', 'start', 'x')).out).toMatch(/^Exploring x/);
    await mneme('remember', 'Only an idea', '--store', 'episodic');
    expect((await mneme('explore', 'list')).out).toMatch(/^\* {2}x {2}since .* 1 change in 1 file {2}from main\n/);
    expect((await mneme('explore', 'drop')).out).toMatch(/^Dropped x; you are on main again\.\n/);
    expect((await mneme('when', 'Only an idea')).code).toBe(3);
    await mneme('explore', 'start', 'y');
    await mneme('remember', 'A good idea', '--store', 'episodic');
    expect((await mneme('explore', 'merge')).out).toMatch(/^Merged y into main: 1 file\n/);
    expect((await mneme('when', 'A good idea')).code).toBe(0);
    expect((await mneme('explore', 'prune')).out).toMatch(/^No exploration is older/);
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
    expect((await mneme('when', 'From elsewhere')).code).toBe(0);
  });

  it.each([
    [2, ['log', '--action', 'nothing']],
    [2, ['log', '--limit', 'x']],
    [2, ['log', '--since', 'soon']],
    [2, ['blame', 'MEMORY.md', '--lines', 'x']],
    [2, ['diff', 'MEMORY.md']],
    [2, ['tag', 'x']],
    [2, ['tag', '--daily', '--weekly']],
    [2, ['explore', 'merge']],
    [2, ['explore', 'start', 'two words']],
    [2, ['sync', '--push-only', '--pull-only']],
    [3, ['blame', 'nowhere.md']],
    [3, ['when', 'never said']],
    [3, ['diff', 'nonsense']],
    [3, ['explore', 'drop', 'nothing']],
    [5, ['tag', 'before/z', '--as', 'reader:x']],
  ])('exits with %i for %j, and says why in JSON too', async (code, args) => {
    const plain = await mneme(...args);
    expect(plain.code).toBe(code);
    expect(plain.err).toMatch(/^error .+\./);
    const { out } = await mneme(...args, '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { message: expect.any(String) as string } });
  });
});
