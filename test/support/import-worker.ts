/** Imports Claude Code logs in a process of its own: node import-worker.ts HOME LOGS */
import { importFrom } from '../../src/exchange/import/run.ts';
import { must } from '../../src/model/errors.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openWorkspace } from './home.ts';

const [, , home, logs] = process.argv;
const workspace = await openWorkspace(must(home, 'home'));
const target = { workspace, clock: systemClock, random: systemRandom, timeZone: 'UTC', actor: 'bot:main' };
await importFrom(target, { from: 'claude-code', path: must(logs, 'logs') });
await workspace.close();
process.exit();
