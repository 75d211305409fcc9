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

it('notices what a live session says while it goes on', async () => {
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
  const problems: string[] = [];
  const watcher = new SourceWatcher(files, sync, (problem) => problems.push(problem));
  const log = path.join(paths.journal, 'live', 'ses_9.jsonl');
  const turn = { id: 't1', date: '2026-02-16', time: '10:00', role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
  fs.writeFileSync(log, `${JSON.stringify(turn)}\n`);
  await vi.waitFor(async () => expect((await index.status()).passages).toBe(1), { timeout: 60_000 });
  fs.rmSync(log);
  await vi.waitFor(async () => expect((await index.status()).documents).toBe(0), { timeout: 60_000 });
  await watcher.close();
  expect(problems).toEqual([]);
});
