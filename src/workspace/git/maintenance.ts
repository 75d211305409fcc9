import fs, { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { gitError, type Git } from './git.ts';
import { sleep } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';

/** Each drain adds a pack. git looks through all of them for an object, which shows from a few dozen on. */
const MAX_PACKS = 40;

/** Objects nobody refers to may belong to a git command that is still running, or to a person's lost work. */
const UNREACHABLE_AGE = '2.weeks.ago';

/** `whole` makes one pack of all and keeps the differences that were computed before; `full` computes them all anew. */
export type MaintenanceLevel = 'quick' | 'whole' | 'full';

export interface MaintenanceReport {
  readonly level: MaintenanceLevel;
  /** The steps taken, in words. */
  readonly steps: readonly string[];
  readonly packsBefore: number;
  readonly packsAfter: number;
}

/**
 * Keeps a long history fast. Everything here may run beside a drain and a person's git: no step takes index.lock, moves
 * a ref or removes an object that anything younger than two weeks refers to.
 */
export async function maintainRepository(
  git: Git,
  options: { readonly level: MaintenanceLevel },
): Promise<MaintenanceReport> {
  await removeMaintenanceLocks(git);
  const packsBefore = countPacks(git);
  const steps =
    options.level === 'quick'
      ? await maintainQuickly(git, packsBefore)
      : await packWhole(git, options.level === 'full');
  return { level: options.level, steps, packsBefore, packsAfter: countPacks(git) };
}

/** Packing everything anew costs as much as there is; done whenever half of it was added, it costs what is new. */
const GROWN_SHARE = 0.5;

/** Whether so much lies beside the largest pack that one pack for all is worth its making. */
export function hasGrown(git: Git): boolean {
  const folder = path.join(git.location.gitDir, 'objects', 'pack');
  const sizes = packsOf(git).map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  const largest = Math.max(0, ...sizes);
  return sizes.reduce((sum, size) => sum + size, 0) - largest > largest * GROWN_SHARE;
}

async function maintainQuickly(git: Git, packs: number): Promise<string[]> {
  const steps: string[] = [];
  await git.bytes(['pack-refs', '--all', '--prune']);
  if (packs > MAX_PACKS) {
    // Merges only small packs into larger ones, each at least twice the next: the cost follows what is new.
    await git.bytes(['repack', '--geometric=2', '-d', '--quiet']);
    steps.push(`merged ${packs} packs`);
  }
  return [...steps, 'packed the refs', await writeCommitGraph(git, '--split', 'extended the commit graph')];
}

async function packWhole(git: Git, isAnew: boolean): Promise<string[]> {
  await git.bytes(['pack-refs', '--all', '--prune']);
  // One pack for all that is reachable, so a multi-pack index would have nothing to join. What is not reachable
  // becomes loose files while it is young. Computing all differences anew (-f) takes ten times as long and saves a
  // twentieth, unless a history is from the time when imports brought bad ones along.
  const anew = isAnew ? ['-f'] : [];
  await git.bytes(['repack', '-A', '-d', ...anew, '--quiet', `--unpack-unreachable=${UNREACHABLE_AGE}`]);
  await git.bytes(['prune', `--expire=${UNREACHABLE_AGE}`]);
  return [
    'packed the refs',
    'packed all objects',
    'removed unreachable objects older than two weeks',
    await writeCommitGraph(git, '--split=replace', 'wrote the commit graph'),
  ];
}

/** By another process of this machine: the daemon and a command may both find that it is time. The next extends it. */
const BEING_WRITTEN = /commit-graph[^']*\.lock': File exists/;

/** Changed-path filters make `log -- FILE` and blame several times faster at 100 K commits. */
async function writeCommitGraph(git: Git, split: '--split' | '--split=replace', done: string): Promise<string> {
  const args = ['commit-graph', 'write', '--reachable', '--changed-paths', split, '--no-progress'];
  const result = await git.attempt(args);
  if (result.code === 0) return done;
  if (BEING_WRITTEN.test(result.stderr)) return 'left the commit graph to another process that writes it';
  throw gitError(args, result);
}

export function countPacks(git: Git): number {
  return packsOf(git).length;
}

function packsOf(git: Git): string[] {
  try {
    return readdirSync(path.join(git.location.gitDir, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** git holds these for milliseconds; a file that does not change for so long belongs to a process that was killed. */
const WAIT_MS = 2000;

/** Files that packing references and writing the commit graph leave when they are killed; git would refuse for ever. */
const LEFT_BEHIND = [
  'packed-refs.lock',
  'packed-refs.new',
  'objects/info/commit-graph.lock',
  'objects/info/commit-graphs/commit-graph-chain.lock',
];

/** Removes locks of maintenance that was killed, so that the next one can complete. */
async function removeMaintenanceLocks({ location: { gitDir } }: Git): Promise<void> {
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
