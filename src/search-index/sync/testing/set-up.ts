import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { systemClock } from '../../../platform/clock.ts';
import { HOME_LAYOUT } from '../../../workspace/formats/layout.ts';
import { homePaths } from '../../../workspace/home-paths.ts';
import type { ChunkContext } from '../../chunk/draft.ts';
import { MemoryIndex } from '../../in-memory/memory-index.ts';
import type { IndexChange } from '../../port.ts';
import { HomeFiles } from '../home-files.ts';
import { IndexSync, type IndexSyncParts } from '../index-sync.ts';
import { StampTable } from '../stamp-table.ts';

export const CONTEXT: ChunkContext = {
  layout: HOME_LAYOUT,
  chunking: { max_tokens: 400, overlap_tokens: 80, respect_headings: true },
  timeZone: 'UTC',
};

/** Counts what is read and written, and can be made to fail. */
export class ObservedIndex extends MemoryIndex {
  readonly changes: IndexChange[] = [];
  failure: Error | undefined;
  onApply: (() => void) | undefined;

  override async apply(change: IndexChange): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.onApply?.();
    this.changes.push(change);
    await super.apply(change);
  }

  override async clear(): Promise<void> {
    this.failure = undefined;
    await super.clear();
  }
}

class ObservedFiles extends HomeFiles {
  readonly readPaths: string[] = [];

  override read(key: Parameters<HomeFiles['read']>[0]): ReturnType<HomeFiles['read']> {
    this.readPaths.push(key.path);
    return super.read(key);
  }
}

export interface Setup extends IndexSyncParts {
  readonly home: string;
  readonly index: ObservedIndex;
  readonly files: ObservedFiles;
  readonly sync: IndexSync;
}

export function setUp(home = makeTemporaryFolder(), parts: Partial<IndexSyncParts> = {}): Setup {
  const paths = homePaths(home);
  const all = {
    index: new ObservedIndex(),
    files: new ObservedFiles(paths),
    stamps: new StampTable(path.join(paths.state, 'stamps.db')),
    context: CONTEXT,
    // An hour on, so that nothing was written only just now.
    clock: { now: () => systemClock.now() + 3_600_000 },
    ...parts,
  };
  return {
    home,
    ...all,
    index: all.index as ObservedIndex,
    files: all.files as ObservedFiles,
    sync: new IndexSync(all),
  };
}

export function write(home: string, relative: string, content: string | Buffer): void {
  const file = path.join(home, relative);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

export async function contents(index: MemoryIndex): Promise<string[]> {
  const view = await index.view({ scopes: ['shared'], withArchived: true });
  const found: string[] = [];
  for (const { source, path } of await index.listDocuments()) {
    for (const { text } of await view.read(await view.findItem(path))) found.push(`${source}:${path} ${text}`);
  }
  return found.sort();
}

export async function paths(index: MemoryIndex): Promise<string[]> {
  return (await index.listDocuments()).map(({ source, path }) => `${source}:${path}`).sort();
}

export const TURN = {
  id: 't1',
  date: '2026-02-16',
  time: '10:00',
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
};

export function writeHome(home: string): void {
  write(home, 'workspace/MEMORY.md', '# Core\n\n- likes rye\n');
  write(home, 'workspace/notes/deep/a.md', 'a note\n');
  write(home, 'workspace/.obsidian/plugin.md', 'not mine\n');
  write(home, 'workspace/node_modules/x/README.md', 'not mine either\n');
  write(home, 'workspace/photo.png', Buffer.from([0, 1, 2]));
  write(home, 'workspace/memory/archive/2025-11/episodes/2025-11-03.md.gz', gzipSync('## 10:00 | event\nlong ago\n'));
  write(home, 'raw/conversations/2026/02/16/1000-ses_1-x.md', '## 10:00 — user\n\nraw words\n');
  write(home, 'journal/live/ses_2.jsonl', `${JSON.stringify(TURN)}\n`);
}
