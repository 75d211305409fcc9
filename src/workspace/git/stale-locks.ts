import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Git } from './git.ts';

/** git holds these for milliseconds; a file that does not change for so long belongs to a process that was killed. */
const WAIT_MS = 2000;

/** What packing references and writing the commit graph leave when they are killed; git would refuse for ever. */
const LEFT_BEHIND = [
  'packed-refs.lock',
  'packed-refs.new',
  'objects/info/commit-graph.lock',
  'objects/info/commit-graphs/commit-graph-chain.lock',
];

/** Removes locks of maintenance that was killed, so that the next one can complete. */
export async function removeMaintenanceLocks({ location: { gitDir } }: Git): Promise<void> {
  const references = nodeFileSystem.listFiles(path.join(gitDir, 'refs')).filter((name) => name.endsWith('.lock'));
  const found = [...LEFT_BEHIND, ...references.map((name) => path.join('refs', name))]
    .map((name) => path.join(gitDir, name))
    .filter((file) => fs.existsSync(file));
  if (found.length === 0) return;
  const before = found.map(stampText);
  await sleep(WAIT_MS);
  for (const [position, file] of found.entries()) {
    if (stampText(file) === before[position]) fs.rmSync(file, { force: true });
  }
}

function stampText(file: string): string {
  const stamp = nodeFileSystem.stamp(file);
  return stamp === undefined ? '' : `${stamp.inode} ${stamp.size} ${stamp.mtimeNs}`;
}
