import type { Eraser } from '../../workspace/registries.ts';
import type { BackupPlace } from './erase-backups.ts';

/** Loaded when something is erased: opening a home must not cost more because of it. */
export function createBackupEraser(place: BackupPlace): Eraser {
  return {
    name: 'backups',
    isApart: true,
    erase: async (erasure) => (await import('./erase-backups.ts')).eraseFromBackups(place, erasure),
  };
}
