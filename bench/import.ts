/**
 * How long the first minute takes: a year of Claude Code logs, 1 000 sessions and about 100 MB, imported, indexed,
 * embedded and asked about, by the product itself.
 *
 *   npm run bench:import -- [--sessions 1000] [--prompts 5] [--logs FOLDER] [--json]
 *   npm run bench:import -- --from chatgpt [--sessions 5000] [--prompts 5]     an export of ChatGPT instead
 *   node bench/import.ts --generate FOLDER      only writes the logs
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { generateChatGptExport } from './logs/chatgpt.ts';
import { generateClaudeCodeLogs, type GeneratedLogs } from './logs/generate.ts';
import { printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'claude-code' },
    sessions: { type: 'string' },
    prompts: { type: 'string', default: '5' },
    logs: { type: 'string' },
    generate: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const isExport = values.from === 'chatgpt';
const from = isExport ? 'chatgpt' : 'claude-code';
const sessions = Number(values.sessions ?? (isExport ? 5000 : 1000));

if (values.generate !== undefined) {
  const prompts = Number(values.prompts);
  const generated = isExport
    ? { ...generateChatGptExport(values.generate, sessions, prompts), proseBytes: 0 }
    : generateClaudeCodeLogs(values.generate, { sessions, prompts });
  process.stdout.write(JSON.stringify(generated));
  process.exit();
}

const folder = values.logs ?? path.join(makeTemporaryFolder('mneme-logs-'), 'projects');
const written = values.logs === undefined ? writeLogs(folder) : undefined;

const home = makeTemporaryFolder('mneme-import-');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
const mneme = await openMneme({ home });
const startedMs = performance.now();
const result = await mneme.import({ from, path: folder });
const importMs = performance.now() - startedMs;
await syncIndex(mneme.internals);
const searchableMs = performance.now() - startedMs;
const { hits } = await mneme.recall('what did we decide about the stale cache?');
const answeredMs = performance.now() - startedMs;
const { passages } = await mneme.internals.homeIndex.engine.status();
const againStartedMs = performance.now();
const again = await mneme.import({ from, path: folder });
const againMs = performance.now() - againStartedMs;
await mneme.close();

printResult(values.json, 'import', {
  from,
  sessions: result.sessions,
  turns: result.turns,
  passages,
  logMb: result.bytes / 1e6,
  proseMb: written === undefined ? undefined : written.proseBytes / 1e6,
  importMs,
  searchableMs,
  answeredMs,
  hits: hits.length,
  againMs,
  againSessions: again.sessions,
  peakMemoryMb: process.resourceUsage().maxRSS / 1000,
});

/** In a process of its own, so that its memory is not counted as the import's. */
function writeLogs(target: string): GeneratedLogs {
  progress('writing logs');
  const args = ['--generate', target, '--from', from, '--sessions', String(sessions), '--prompts', values.prompts];
  const output = execFileSync(process.execPath, [import.meta.filename, ...args], { encoding: 'utf8' });
  return JSON.parse(output) as GeneratedLogs;
}
