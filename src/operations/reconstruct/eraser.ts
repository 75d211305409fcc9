import type { HomePaths } from '../../workspace/home-paths.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { Eraser } from '../../workspace/registries.ts';

/** Loaded when something is erased: opening a home must not cost more because of it. */
export function createReconstructionEraser(paths: HomePaths, git: () => Git): Eraser {
  return {
    name: 'reconstructions',
    erase: async () => (await import('./erase-reconstructions.ts')).eraseReconstructions(paths, git()),
  };
}
