/**
 * How long it takes to import the logs of a year: 1,000 Claude Code sessions, about 100 MB. Prints the import alone;
 * indexing is measured by bench/search.ts.
 *
 *   node bench/logs/import.ts [--sessions 1000] [--prompts 5] [--logs FOLDER] [--json]
 *   node bench/logs/import.ts --generate FOLDER      only writes the logs
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeHome, makeTemporaryFolder, openWorkspace } from '../../test/support/home.ts';
import { importFrom } from '../../src/exchange/import/run.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { printResult, progress } from '../support.ts';
import { generateClaudeCodeLogs } from './generate.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    prompts: { type: 'string', default: '5' },
    logs: { type: 'string' },
    generate: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

if (values.generate !== undefined) {
  const options = { sessions: Number(values.sessions), prompts: Number(values.prompts) };
  process.stdout.write(JSON.stringify(generateClaudeCodeLogs(values.generate, options)));
  process.exit();
}

const folder = values.logs ?? path.join(makeTemporaryFolder('mneme-logs-'), 'projects');
if (values.logs === undefined) {
  progress('writing logs');
  // In a process of its own, so that its memory is not counted as the import's.
  const args = ['--generate', folder, '--sessions', values.sessions, '--prompts', values.prompts];
  const logs = execFileSync(process.execPath, [import.meta.filename, ...args], { encoding: 'utf8' });
  progress(logs);
}

const home = await makeHome();
const workspace = await openWorkspace(home);
const target = { workspace, clock: systemClock, random: systemRandom, timeZone: 'Europe/Vienna', actor: 'bot:main' };
const request = { from: 'claude-code', path: folder } as const;
const started = performance.now();
const result = await importFrom(target, request);
const importMs = performance.now() - started;
const memoryMb = process.memoryUsage().rss / 1e6;
await workspace.close();
const settledMs = performance.now() - started;
const reopened = await openWorkspace(home);
const againStarted = performance.now();
const again = await importFrom({ ...target, workspace: reopened }, request);
const againMs = performance.now() - againStarted;
await reopened.close();

printResult(values.json, 'import', {
  sessions: result.sessions,
  turns: result.turns,
  logMb: result.bytes / 1e6,
  importMs,
  settledMs,
  againMs,
  againSessions: again.sessions,
  memoryMb,
  peakMemoryMb: process.resourceUsage().maxRSS / 1000,
});
