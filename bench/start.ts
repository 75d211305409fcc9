/**
 * Measures how long the command line takes to start, beside an empty Node program in the same alternating run: the ratio is
 * what can be compared between machines and versions. Processor time, that of git apart, is what can be compared while other
 * programs run. Build first (`npm run build`); `--before DIR` measures another checkout, built as well, in the same run.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    runs: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});

const root = path.resolve(import.meta.dirname, '..');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-start-'));
const used = path.join(scratch, 'used');
const meter = path.join(scratch, 'meter.cjs');
fs.writeFileSync(
  meter,
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeFileSync(${JSON.stringify(used)}, String((user + system) / 1000)); });`,
);
const environment = { ...process.env, MNEME_TRY_BUNDLE: '1', XDG_CACHE_HOME: path.join(scratch, 'cache') };
const hookInput = JSON.stringify({
  session_id: 'start',
  transcript_path: path.join(scratch, 'none.jsonl'),
  cwd: scratch,
  hook_event_name: 'UserPromptSubmit',
  prompt: 'thanks',
});

interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly input?: string;
}

const CALLS: readonly Call[] = [
  { name: '--version', args: ['--version'] },
  { name: '--help', args: ['--help'] },
  { name: 'recall', args: ['recall', 'where is the key'] },
  { name: 'remember', args: ['remember', 'The key hangs behind the boiler'] },
  { name: 'hook', args: ['hook', 'claude-code', 'UserPromptSubmit'], input: hookInput },
];

/** One launcher with a home of its own. */
function prepare(name: string, checkout: string): { readonly name: string; readonly command: readonly string[] } {
  const launcher = path.join(checkout, 'bin', 'mneme');
  if (!fs.existsSync(path.join(checkout, 'dist', 'cli.js'))) throw new Error(`${checkout} is not built: npm run build`);
  const command = [launcher, '--home', path.join(scratch, name)];
  run([...command, 'init', '--yes']);
  // No process in the background while the clock runs.
  run([...command, 'config', 'set', 'worker.enabled', 'false']);
  run([...command, 'remember', 'The spare key hangs behind the freezer']);
  return { name, command };
}

interface Run {
  readonly tookMs: number;
  readonly usedMs: number;
}

function run(args: readonly string[], input = ''): Run {
  const metered = ['--require', meter, ...args];
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, metered, { env: environment, input, encoding: 'utf8' });
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { tookMs, usedMs: Number(fs.readFileSync(used, 'utf8')) };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const empty = path.join(scratch, 'empty.mjs');
fs.writeFileSync(empty, '');
const checkouts = [
  prepare('now', root),
  ...(values.before === undefined ? [] : [prepare('before', path.resolve(values.before))]),
];
const rows = CALLS.map(({ name, args, input }) => {
  const runs = new Map<string, Run[]>([['empty', []], ...checkouts.map((one): [string, Run[]] => [one.name, []])]);
  // The first call of each is left out: it fills the caches.
  for (let at = 0; at <= Number(values.runs); at += 1) {
    const all = [run([empty]), ...checkouts.map(({ command }) => run([...command, ...args], input))];
    if (at > 0) for (const [which, list] of [...runs.values()].entries()) list.push(...all.slice(which, which + 1));
  }
  const medianOf = (which: string, part: keyof Run): number =>
    median((runs.get(which) ?? []).map((each) => each[part]));
  const ratio = (which: string, part: keyof Run): number =>
    Math.round((100 * medianOf(which, part)) / medianOf('empty', part)) / 100;
  const ratios = checkouts.map((one) => [
    [one.name, ratio(one.name, 'tookMs')],
    [`${one.name}, processor`, ratio(one.name, 'usedMs')],
  ]);
  return { call: name, emptyMs: Math.round(medianOf('empty', 'tookMs')), ...Object.fromEntries(ratios.flat()) };
});
fs.rmSync(scratch, { recursive: true, force: true });
if (!values.json) {
  console.log('Start-up as a multiple of an empty Node program (medians of alternating runs).');
  console.table(rows);
}
console.log(JSON.stringify({ runs: Number(values.runs), rows }));
