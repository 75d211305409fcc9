import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { SealKeys } from '../../src/operations/history/sealed/keys.ts';
import type { Synced } from '../../src/operations/history/sync.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';

async function makeMachine(remote: string, key?: string): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('config', 'set', 'git.private_scopes', 'encrypt');
  await cli.ok('config', 'set', 'git.remote', remote);
  if (key === undefined) return cli;
  fs.mkdirSync(path.join(cli.home, 'keys'));
  fs.copyFileSync(key, path.join(cli.home, 'keys', 'remote.agekey'));
  return cli;
}

// SPEC MACHINE-1, MACHINE-8
it('a remote receives private scopes only as cipher text, and another machine with the key reads them', async () => {
  const remote = path.join(makeTemporaryFolder(), 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const first = await makeMachine(remote);
  await first.ok('remember', 'The password word of Apollo is zanzibar.', '--scope', 'project:apollo');
  expect(await first.run(['sync'])).toMatchObject({ code: 2, err: expect.stringContaining('--new-key') });
  expect((await first.run(['sync', '--new-key', '--as', 'bot:main'])).code).toBe(5);
  await first.ok('sync', '--new-key');
  expect((await first.run(['sync', '--new-key'])).code).toBe(4);
  const key = path.join(first.home, 'keys', 'remote.agekey');
  expect(fs.statSync(key).mode & 0o077).toBe(0);
  expect(await first.json<Synced>('sync')).toMatchObject({ isSealed: true });

  const heads = execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname)'], { encoding: 'utf8' });
  expect(heads.trim()).toBe('refs/heads/mneme-sealed');
  const everything = execFileSync('git', ['-C', remote, 'cat-file', '--batch-all-objects', '--batch']);
  expect(everything.includes('zanzibar')).toBe(false);
  expect(everything.includes('project--apollo')).toBe(false);
  expect(everything.includes('AGE-SECRET-KEY')).toBe(false);

  const second = await makeMachine(remote, key);
  await second.ok('sync', '--allow-unrelated');
  expect(await second.ok('recall', 'password word', '--scope', 'project:apollo')).toContain('zanzibar');
  expect(await second.ok('recall', 'password word')).not.toContain('zanzibar');
  await second.ok('remember', 'The crane is red.');
  await second.ok('sync');
  await first.ok('sync');
  expect(await first.ok('recall', 'crane')).toContain('red');

  // A machine with a key of its own reads once it was let in, and nothing new once it was not any more.
  const third = await makeMachine(remote);
  await third.ok('keys', 'new');
  const { recipient } = await third.json<SealKeys>('keys', 'show');
  expect((await first.run(['keys', 'add', 'age1nobody'])).code).toBe(2);
  expect((await first.run(['keys', 'add', recipient ?? '', '--as', 'bot:main'])).code).toBe(5);
  await first.ok('keys', 'add', recipient ?? '', '--name', 'third');
  expect((await third.run(['sync', '--allow-unrelated'])).code).toBe(7);
  await first.ok('keys', 'reseal');
  // It would seal for itself alone, and shut the others out.
  expect((await third.run(['sync', '--allow-unrelated'])).code).toBe(5);
  const { recipient: ours } = await first.json<SealKeys>('keys', 'show');
  await third.ok('keys', 'add', ours ?? '', '--name', 'first');
  await third.ok('sync');
  expect(await third.ok('recall', 'password word', '--scope', 'project:apollo')).toContain('zanzibar');
  await second.ok('remember', 'The buoy is green.');
  expect((await second.run(['sync'])).code).toBe(5);
  fs.copyFileSync(path.join(first.home, 'keys', 'recipients.txt'), path.join(second.home, 'keys', 'recipients.txt'));
  await second.ok('sync');
  await third.ok('sync');
  expect(await third.ok('recall', 'buoy')).toContain('green');

  const rotated = await first.json<SealKeys>('keys', 'rotate');
  expect(rotated).toMatchObject({ older: 1, others: [{ key: recipient, name: 'third' }] });
  await first.ok('sync');
  expect(await first.ok('recall', 'buoy')).toContain('green');
  await first.ok('keys', 'remove', 'third');
  await first.ok('remember', 'The quay is long.');
  expect((await first.run(['sync'])).code).toBe(5);
  await first.ok('keys', 'reseal');
  await first.ok('sync');
  expect((await third.run(['sync'])).code).toBe(7);
  expect((await second.run(['sync'])).code).toBe(7);
  fs.copyFileSync(key, path.join(second.home, 'keys', 'remote.agekey'));
  await second.ok('sync');
  expect(await second.ok('recall', 'buoy')).toContain('green');

  const stranger = await makeMachine(remote);
  await stranger.ok('sync', '--new-key');
  expect((await stranger.run(['sync', '--allow-unrelated'])).code).toBe(7);
}, 120_000);
