import { errorMessage } from '../model/errors.ts';
import type { Eraser } from '../workspace/registries.ts';
import type { OpenIndexes } from './open-index.ts';
import { isServerTrouble } from './postgres/trouble.ts';

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
