/**
 * Follows docs/tutorial.md in a clean folder with the built package and tells how long the commands of each step take; `--write`
 * puts the table into the page. Build first (`npm run build`).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { playTutorial } from '../test/support/play-tutorial.ts';

const BEGIN = '<!-- times of the steps: npm run bench:tutorial -- --write -->\n';
const END = '<!-- end of the times -->\n';
const TABLE = new RegExp(`${BEGIN}[^]*?${END}`, 'u');

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs', 'tutorial.md');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-tutorial-'));
const programs = path.join(folder, '.programs');
fs.mkdirSync(programs);
fs.symlinkSync(path.join(root, 'bin', 'mneme'), path.join(programs, 'mneme'));

const text = fs.readFileSync(page, 'utf8');
const steps = new Map<string, { commands: number; tookMs: number }>();
const environment = {
  MNEME_TRY_BUNDLE: '1',
  XDG_CACHE_HOME: path.join(folder, '.cache'),
  PATH: `${programs}${path.delimiter}${process.env['PATH'] ?? ''}`,
};
let from = 0;
const onPlayed = (command: string, tookMs: number): void => {
  // The same command may be typed in several steps; they are typed in their order.
  from = text.indexOf(`\n$ ${command}\n`, from) + 1;
  const title = [...text.slice(0, from).matchAll(/^## (\d+\. .+)$/gmu)].at(-1)?.[1] ?? '';
  const before = steps.get(title) ?? { commands: 0, tookMs: 0 };
  steps.set(title, { commands: before.commands + 1, tookMs: before.tookMs + tookMs });
};
await playTutorial({ text, folder, environment, onPlayed });
fs.rmSync(folder, { recursive: true, force: true });

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const sum = [...steps.values()].reduce((total, { tookMs }) => total + tookMs, 0);
const day = new Date().toISOString().slice(0, 10);
const load = Math.round(os.loadavg()[0] ?? 0);
const rows = Array.from(steps, ([title, { commands, tookMs }]) => `| ${title} | ${commands} | ${seconds(tookMs)} |`);
const table = [
  `What the commands of each step took on ${day}: ${os.cpus().length} cores (${load} programs waited for them on average), Node ${process.versions.node}, the`,
  'first start after installing included. `npm run bench:tutorial` measures it on your machine.',
  '',
  '| step | commands | time |',
  '|---|---|---|',
  ...rows,
  `| all | ${[...steps.values()].reduce((total, { commands }) => total + commands, 0)} | ${seconds(sum)} |`,
  '',
].join('\n');
console.log(table);
if (values.write) {
  if (!TABLE.test(text)) throw new Error(`${page} has no place for the times: ${BEGIN.trim()} … ${END.trim()}`);
  fs.writeFileSync(
    page,
    text.replace(TABLE, () => `${BEGIN}${table}${END}`),
  );
}
