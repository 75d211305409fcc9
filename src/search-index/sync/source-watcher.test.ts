import fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { systemClock } from '../../platform/clock.ts';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { homePaths } from '../../workspace/home-paths.ts';
import { MemoryIndex } from '../in-memory/memory-index.ts';
import { HomeFiles } from './home-files.ts';
import { IndexSync } from './index-sync.ts';
import { SourceWatcher } from './source-watcher.ts';
import { StampTable } from './stamp-table.ts';

function watchHome() {
  const paths = homePaths(makeTemporaryFolder());
  const files = new HomeFiles(paths);
  const index = new MemoryIndex();
  const sync = new IndexSync({
    index,
    files,
    stamps: new StampTable(path.join(paths.state, 'stamps.db')),
    context: {
      layout: HOME_LAYOUT,
      chunking: { max_tokens: 400, overlap_tokens: 80, respect_headings: true },
      timeZone: 'UTC',
    },
    clock: systemClock,
  });
  const transcript = path.join(files.roots.raw, 'conversations/2026/02/16/1000-ses_8.md');
  fs.mkdirSync(path.dirname(transcript), { recursive: true });
  fs.writeFileSync(transcript, said('10:00'));
  const problems: string[] = [];
  const watcher = new SourceWatcher(files, sync, (problem) => problems.push(problem));
  const untilStatus = (wanted: { readonly documents: number; readonly passages: number }): Promise<void> =>
    vi.waitFor(async () => expect(await index.status()).toMatchObject(wanted), { timeout: 60_000 });
  const log = path.join(files.roots.live, 'ses_9.jsonl');
  return { log, transcript, watcher, problems, untilStatus };
}

function said(time: string): string {
  return `## ${time} — user\n\nsaid at ${time}\n\n`;
}

function turn(id: string): string {
  const spoken = {
    id,
    date: '2026-02-16',
    time: '10:00',
    role: 'user',
    parts: [{ kind: 'text', text: `hello ${id}` }],
  };
  return `${JSON.stringify(spoken)}\n`;
}

it('notices what a live session says while it goes on', async () => {
  const { log, watcher, problems, untilStatus } = watchHome();
  fs.writeFileSync(log, turn('t1'));
  await untilStatus({ documents: 1, passages: 1 });
  fs.appendFileSync(log, turn('t2'));
  await untilStatus({ documents: 1, passages: 2 });
  fs.rmSync(log);
  await untilStatus({ documents: 0, passages: 0 });
  await watcher.close();
  expect(problems).toEqual([]);
});

it('goes on noticing after a transcript was replaced by a rename', async () => {
  const { transcript, watcher, problems, untilStatus } = watchHome();
  for (const [count, minute] of [
    [2, '10:01'],
    [4, '10:03'],
  ] as const) {
    const draft = path.join(makeTemporaryFolder(), 'draft');
    fs.writeFileSync(draft, fs.readFileSync(transcript, 'utf8') + said(minute));
    fs.renameSync(draft, transcript);
    await untilStatus({ documents: 1, passages: count });
    fs.appendFileSync(transcript, said(`${minute.slice(0, -1)}9`));
    await untilStatus({ documents: 1, passages: count + 1 });
  }
  await watcher.close();
  expect(problems).toEqual([]);
});
