import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { describeSearchIndex } from '../testing/conformance.ts';
import { SqliteIndex } from './sqlite-index.ts';

// SPEC SEARCH-2, SEARCH-3, SEARCH-5, MACHINE-2
describeSearchIndex('SqliteIndex', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mneme-index-'));
  const open = (): SqliteIndex => new SqliteIndex(path.join(folder, 'index.db'), systemClock);
  return Promise.resolve({
    index: open(),
    openAnother: () => Promise.resolve(open()),
    dispose: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  });
});
