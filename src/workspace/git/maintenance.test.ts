import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Git } from './git.ts';
import { countPacks, maintainRepository } from './maintenance.ts';
import { makeRepository } from '../../../test/support/git-repository.ts';

/** Commits as the drain makes them: each import is a pack. */
async function importPacks(git: Git, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const content = `fact ${number}\n`;
    await git.bytes(['fast-import', '--quiet', '--force'], {
      input: `commit refs/heads/main\ncommitter a <a@b> ${1_770_000_000 + number} +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 100644 inline f${number}.md\ndata ${content.length}\n${content}\n`,
    });
  }
}

it('merges many packs and extends the commit graph', async () => {
  const git = await makeRepository();
  await importPacks(git, 45);
  expect(countPacks(git)).toBe(45);
  const report = await maintainRepository(git, { level: 'quick' });
  expect(report).toMatchObject({
    packsBefore: 45,
    steps: ['merged 45 packs', 'packed the refs', 'extended the commit graph'],
  });
  expect(report.packsAfter).toBeLessThan(10);
  await importPacks(git, 1);
  const again = await maintainRepository(git, { level: 'quick' });
  expect(again.steps).toEqual(['packed the refs', 'extended the commit graph']);
  expect(await git.text(['rev-list', '--count', 'main'])).toBe('47');
  await git.bytes(['commit-graph', 'verify']);
  await git.bytes(['fsck', '--strict']);
});

it('does its work while a person holds the index, and keeps what is young', async () => {
  const git = await makeRepository();
  await importPacks(git, 3);
  const lost = await git.text(['hash-object', '-w', '--stdin'], { input: 'young and unreachable' });
  const head = await git.text(['rev-parse', 'HEAD']);
  writeFileSync(path.join(git.location.gitDir, 'index.lock'), '');
  const report = await maintainRepository(git, { level: 'full' });
  expect(report.packsAfter).toBe(1);
  expect(await git.text(['cat-file', 'blob', lost])).toBe('young and unreachable');
  expect(await git.text(['rev-parse', 'HEAD'])).toBe(head);
  expect(existsSync(path.join(git.location.gitDir, 'packed-refs'))).toBe(true);
  await git.bytes(['fsck', '--strict']);
});

it('leaves the commit graph to another process that writes it at the moment', async () => {
  const git = await makeRepository();
  await importPacks(git, 2);
  await maintainRepository(git, { level: 'quick' });
  await importPacks(git, 1);
  const lock = path.join(git.location.gitDir, 'objects/info/commit-graphs/commit-graph-chain.lock');
  let written = 'x';
  writeFileSync(lock, written);
  // Alive, so that it is not taken for what a killed one left.
  const writing = setInterval(() => writeFileSync(lock, (written += 'x')), 50);
  const { steps } = await maintainRepository(git, { level: 'quick' });
  clearInterval(writing);
  expect(steps.at(-1)).toBe('left the commit graph to another process that writes it');
});
