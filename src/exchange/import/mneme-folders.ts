import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { homePaths, type HomePaths } from '../../workspace/home-paths.ts';

/**
 * Tells folders that hold a Mneme memory. Copied into a memory as notes they would repeat it with every import, and
 * what was kept in a private scope would stand among documents that everybody may read.
 */
export class MnemeFolders {
  readonly #home: string;
  /** The folders of a home; beside these its folder may hold anything, when a user made it in their own. */
  readonly #parts: readonly string[];

  constructor(paths: HomePaths) {
    this.#home = realPath(paths.home);
    this.#parts = partsOf(paths).map(realPath);
  }

  /** Whether a folder is a home, or a part of this home. `folder` has to be a real path. */
  isMemory(folder: string): boolean {
    return folder === this.#home || this.#parts.includes(folder) || isHome(folder);
  }

  /** The same, and whether it is somewhere inside the memory of any home. */
  isInMemory(folder: string): boolean {
    if (this.isMemory(folder) || this.#parts.some((part) => isInside(folder, part))) return true;
    for (let above = path.dirname(folder); above !== path.dirname(above); above = path.dirname(above)) {
      if (isHome(above) && partsOf(homePaths(above)).some((part) => isInside(folder, part))) return true;
    }
    return false;
  }

  assertOutside(folder: string): void {
    if (!this.isInMemory(folder)) return;
    throw new MnemeError('refused', `${folder} belongs to a Mneme home, which is never imported.`, {
      hint: 'A home is a memory already: name it with --home to use it, or import a folder outside of it.',
    });
  }
}

export const SKIPPED_MEMORY = 'a Mneme home, which is never imported';

function partsOf({ repositories, state, journal, backups, logs }: HomePaths): string[] {
  const { workspace, raw, chain } = repositories;
  return [workspace.workTree, raw.workTree, chain.workTree, state, journal, backups, logs];
}

function isHome(folder: string): boolean {
  return fs.existsSync(homePaths(folder).configFile);
}

function isInside(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(`${outer}${path.sep}`);
}

/** A folder that is not there yet has no other name than the given one. */
function realPath(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync.native(folder) : path.resolve(folder);
}
