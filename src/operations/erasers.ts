import { errorMessage } from '../model/errors.ts';
import type { OpenIndexes } from '../search-index/open-index.ts';
import { isServerTrouble } from '../search-index/postgres/trouble.ts';
import type { Git } from '../workspace/git/git.ts';
import type { HomePaths } from '../workspace/home-paths.ts';
import type { Eraser } from '../workspace/registries.ts';
import type { BackupPlace } from './backup/erase-backups.ts';

/** Loaded when something is erased: opening a home must not cost more because of it. */
export function createBackupEraser(place: BackupPlace): Eraser {
  return {
    name: 'backups',
    isApart: true,
    erase: async (erasure) => (await import('./backup/erase-backups.ts')).eraseFromBackups(place, erasure),
  };
}

/** Loaded when something is erased: opening a home must not cost more because of it. */
export function createReconstructionEraser(paths: HomePaths, git: () => Git): Eraser {
  return {
    name: 'reconstructions',
    erase: async () => (await import('./reconstruct/erase-reconstructions.ts')).eraseReconstructions(paths, git()),
  };
}

const UNTIL_VACUUMED =
  'The files of the PostgreSQL server keep deleted rows until they are vacuumed, and its own backups and write-ahead log longer: run VACUUM FULL on the tables of the index.';

/** Erases the whole shared index along with the text; every machine fills it again from its files. */
export function createSharedIndexEraser(indexes: OpenIndexes): Eraser {
  return {
    name: 'postgres',
    isApart: true,
    async erase() {
      if (!indexes.isShared) return { where: 'postgres', occurrences: 0 };
      try {
        await indexes.shared().index.clear();
        return { where: 'postgres', occurrences: 0, unreachable: [UNTIL_VACUUMED] };
      } catch (error) {
        if (!isServerTrouble(error)) throw error;
        return { where: 'postgres', occurrences: 0, left: [`the PostgreSQL index (${errorMessage(error)})`] };
      }
    },
  };
}
