/**
 * Kills a reconstruction at random instants until it is complete, and compares what it leaves with one that nobody
 * disturbed.
 *
 *   node test/crash/reconstruct.ts [kills] [seed]
 */
import fs from 'node:fs';
import path from 'node:path';
import { SeededRandom } from '../support/seeded-random.ts';
import { humanGit } from '../support/home.ts';
import { addTalk, makeJobHome, type JobHome } from './job-homes.ts';
import { runInProcess } from './job-process.ts';

const SESSIONS = 6;
const FIRST_GUESS_MS = 400;

export interface ReconstructionKills {
  interrupted: number;
  readonly problems: string[];
}

export async function runReconstructionKills(kills: number, seed: number): Promise<ReconstructionKills> {
  const random = new SeededRandom(seed);
  const place = await makeJobHome();
  for (let round = 1; round <= SESSIONS; round += 1) await addTalk(place.writer, round);
  await place.writer.extract();
  const summary: ReconstructionKills = { interrupted: 0, problems: [] };
  const undisturbed = await place.writer.reconstruct.start({ name: 'undisturbed' });
  if (!undisturbed.isComplete) summary.problems.push('the undisturbed one is not complete');
  let tookMs = FIRST_GUESS_MS;
  for (let kill = 0; kill < kills; kill += 1) {
    // Each is begun anew once it was complete, so that every kill finds something going on.
    const end = await runInProcess(taskOf(place), random.between(0, Math.ceil(tookMs * 1.1)));
    if (end.isKilled) summary.interrupted += 1;
    tookMs = end.isKilled ? tookMs * 1.1 : end.tookMs;
    if (!end.isKilled) summary.problems.push(...(await compareAndDrop(place, end.said?.state)));
  }
  const end = await runInProcess(taskOf(place));
  summary.problems.push(...(await compareAndDrop(place, end.said?.state)));
  await place.writer.close();
  if (summary.problems.length === 0) fs.rmSync(path.dirname(place.home), { recursive: true, force: true });
  else summary.problems.push(`home: ${place.home}`);
  return summary;
}

function taskOf({ home, clock }: JobHome): { home: string; job: string; nowMs: number } {
  return { home, job: 'reconstruct/killed', nowMs: clock.time };
}

async function compareAndDrop({ home, writer }: JobHome, state: string | undefined): Promise<string[]> {
  if (state !== 'done') return [`the reconstruction ended as ${state ?? 'nothing'}`];
  const [one, other] = [itemsOn(home, 'extract/undisturbed'), itemsOn(home, 'extract/killed')];
  await writer.reconstruct.drop('killed');
  return [
    ...withoutEach(one, other).map((item) => `lost: ${item}`),
    ...withoutEach(other, one).map((item) => `more than there should be: ${item}`),
  ];
}

/** One is taken away for each of the others: somebody may have moved to a street twice. */
function withoutEach(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The words of every item of the graph on a branch, without ids and times, which differ from run to run. */
function itemsOn(home: string, branch: string): string[] {
  const files = humanGit(home, 'ls-tree', '-r', '--name-only', branch, 'memory/graph/entities').split('\n');
  return files
    .filter((file) => file !== '')
    .flatMap((file) =>
      humanGit(home, 'show', `${branch}:${file}`)
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .map((line) => `${file}: ${line.replace(/<!--.*$/u, '').trim()}`),
    );
}

if (import.meta.main) {
  const [, , kills = '100', seed = '1'] = process.argv;
  const summary = await runReconstructionKills(Number(kills), Number(seed));
  console.log(JSON.stringify(summary, undefined, 1));
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
}
