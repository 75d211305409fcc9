import fs from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { systemRandom } from '../../platform/random.ts';
import type { HomePaths } from '../home-paths.ts';
import { KnownFiles } from '../known-files.ts';
import { holdLock } from '../lock.ts';
import { assertOwnFolders } from '../own-folders.ts';
import { Journal } from './journal.ts';
import type { JournalRecord } from './record.ts';

/**
 * Takes records that must not be replayed out of the journal, so that the home opens again and everything else in it is
 * completed. The journal as it was is kept beside it. Returns what was done, in words.
 *
 * The others are written to a new segment before the old ones go: interrupted anywhere, it can be done again.
 */
export async function setAsideRefused(paths: HomePaths): Promise<string[]> {
  assertOwnFolders(paths);
  if (!fs.existsSync(paths.writeAhead)) return [];
  const journal = new Journal(paths.writeAhead, nodeFileSystem);
  const known = new KnownFiles(paths.lockDatabase);
  try {
    const sorted = sort(journal);
    if (sorted.refused === 0) return [];
    const aside = path.join(
      paths.journal,
      `refused-${new Date(systemClock.now()).toISOString().replaceAll(/\W/gu, '')}`,
    );
    await holdLock(known.database, 'write', { clock: systemClock, random: systemRandom }, async () => {
      const { kept } = sort(journal);
      fs.cpSync(paths.writeAhead, aside, { recursive: true });
      const old = journal.segments();
      await journal.append(kept, { segment: (old.at(-1) ?? 0) + 1, offset: 0 });
      journal.remove(old);
      // It names a place in the old journal; without it the whole journal is completed again.
      known.clear();
    });
    const others = sorted.kept.length === 1 ? '1 other is' : `${sorted.kept.length} others are`;
    return [`journal: ${sorted.refused} refused and kept in ${aside}; ${others} replayed`];
  } finally {
    known.close();
    journal.close();
  }
}

/** An interrupted attempt leaves records twice. */
function sort(journal: Journal): { readonly kept: JournalRecord[]; readonly refused: number } {
  const kept = new Map<string, JournalRecord>();
  let refused = 0;
  for (const entry of journal.readAll(journal.start())) {
    if ('fault' in entry) refused += 1;
    else kept.set(`${entry.record.repository} ${entry.record.id}`, entry.record);
  }
  return { kept: [...kept.values()], refused };
}
