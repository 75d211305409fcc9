/**
 * What the packaged model costs: tokens a second against onnxruntime-web (8 bits, one thread, the same weights, the same
 * run), one question, recall over many passages, loading, memory, the size of the package.
 *
 *   npm run bench:encoder -- [--rounds 5] [--passages 100000] [--onnxruntime FOLDER] [--json]
 *
 * onnxruntime-web is no dependency: `npm install --no-save onnxruntime-web`, or a folder from which it is found.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Loading } from './encoder/load.ts';
import { measureRecall } from './encoder/recall.ts';
import { measureThroughput } from './encoder/throughput.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    passages: { type: 'string', default: '100000' },
    onnxruntime: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const root = path.resolve(import.meta.dirname, '..');
const rounds = Number(values.rounds);

const loadAtStart = load();
const throughput = await measureThroughput(rounds, values.onnxruntime ?? root);
progress('new processes that load the model');
const loadings = Array.from({ length: rounds }, measureLoading);
const median = (part: keyof Loading): number =>
  percentile(
    loadings.map((loading) => loading[part]),
    0.5,
  );
if (!fs.existsSync(path.join(root, 'dist', 'dashboard'))) {
  progress('building the package');
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
}
const recall = await measureRecall(Number(values.passages), path.join(root, 'bin', 'mneme'));

printResult(values.json, 'encoder', {
  ...throughput,
  questionP50Ms: median('questionP50Ms'),
  questionP95Ms: median('questionP95Ms'),
  ...recall,
  vectors: 'synthetic for the packaged model, real for the static table',
  loadMs: median('loadMs'),
  memoryMb: median('memoryMb'),
  packageMb: measurePackage(),
  loadAverage: [loadAtStart, load()],
  cores: os.availableParallelism(),
});

function load(): number {
  return Number((os.loadavg()[0] ?? 0).toFixed(2));
}

function measureLoading(): Loading {
  const script = path.join(root, 'bench', 'encoder', 'load.ts');
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' })) as Loading;
}

/** Unpacked, as `npm pack` would make it of what was built. */
function measurePackage(): number {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [described] = JSON.parse(output) as readonly { readonly unpackedSize: number }[];
  return (described?.unpackedSize ?? Number.NaN) / 1e6;
}
