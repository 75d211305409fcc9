import fs from 'node:fs';
import { errorMessage } from '../../model/errors.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { EraseReport } from '../../workspace/registries.ts';
import { branchOf, listReconstructionNames, reconstructionPlaces, reconstructionsFolder } from './places.ts';

const WHERE = 'reconstructions';

/** A copy with a history of its own is dropped: it can be made again, from conversations that no longer say it. */
export async function eraseReconstructions(paths: HomePaths, git: Git): Promise<EraseReport> {
  const names = listReconstructionNames(paths);
  const left: string[] = [];
  for (const name of names) {
    await git.attempt(['update-ref', '-d', `refs/heads/${branchOf(name)}`]);
    const { folder } = reconstructionPlaces(paths, name);
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      left.push(`the reconstruction in ${folder} (${errorMessage(error)})`);
    }
  }
  // Leftovers of a crash have no record, but may hold the text.
  if (left.length === 0) fs.rmSync(reconstructionsFolder(paths), { recursive: true, force: true });
  const notes = names.map((name) => `The reconstruction ${name} was dropped; start it again if it is still wanted.`);
  return { where: WHERE, occurrences: names.length, left, notes };
}
