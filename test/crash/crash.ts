/**
 * The long crash test: processes killed at any instant beside a person with git and an editor, power cuts, many
 * processes on one home, and an agent and a person at one file. The last line is one JSON object.
 *
 *   npm run test:crash -- [--rounds 500] [--seed 1] [--json]
 */
import { parseArgs } from 'node:util';
import { runConcurrentEdits } from './concurrent-edits.ts';
import { runKillRounds } from './kill-rounds.ts';
import { runManyProcesses } from './many-processes.ts';
import { runPowerCuts } from './power-cuts.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const onProgress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** In proportion to the rounds, so that a shorter test is shorter in everything. */
const share = (part: number): number => Math.max(1, Math.ceil(rounds * part));

const kills = await runKillRounds({
  seed,
  randomRounds: rounds,
  timesPerStep: share(0.012),
  roundsPerHome: 20,
  onProgress,
});
const power = await runPowerCuts({ seed, cuts: share(0.5), onProgress });
const edits = await runConcurrentEdits({ seed, runs: share(0.6), onProgress });
onProgress('eight processes');
const processes = await runManyProcesses({ processes: 8, mutations: share(0.5) });

const parts = { kills, power, edits, processes };
const problems = Object.values(parts).flatMap((part) => part.problems);
const sum = (figure: 'lost' | 'duplicated'): number =>
  Object.values(parts).reduce((total, part) => total + part[figure], 0);
// The requirement on recovery is a second; the machine under test is shared, so it is reported and not asserted.
const recoveryMaxMs = Math.round(Math.max(kills.recoveryMaxMs, power.recoveryMaxMs));
if (!values.json) process.stdout.write(`${problems.length === 0 ? 'nothing lost' : problems.join('\n')}\n`);
const summary = { seed, lost: sum('lost'), duplicated: sum('duplicated'), recoveryMaxMs, problems: problems.length };
process.stdout.write(`${JSON.stringify({ ...summary, kills, power, edits, processes })}\n`);
if (problems.length > 0) process.exitCode = 1;
