/**
 * Counts the files of src that one `remember`, one `recall`, and one reflection with its approval pass through on their way
 * to what they read and write: every file on the stack when a file is made durable or a database is asked. Helpers that have
 * returned by then are not on the way. A component that is entered by one file and has tests of its own counts as that file;
 * `withInside` counts its files too, `ran` all files of which a function ran. `--list` names the files, `--json` is for programs.
 */
import fs from 'node:fs';
import { Session } from 'node:inspector/promises';
import os from 'node:os';
import path from 'node:path';
import { StatementSync } from 'node:sqlite';

/** Components, and the file by which a call enters each. */
const ENTERED_BY: readonly (readonly [RegExp, string])[] = [
  [/^workspace\//u, 'workspace/commit.ts'],
  [/^search-index\//u, 'search-index/home-index.ts'],
  [/^chain\//u, 'chain/record/recorder.ts'],
  [/^memory\/(?:stores\/registry|graph)\//u, 'memory/stores/registry/registry.ts'],
  [/^platform\//u, ''],
];

const root = path.resolve(import.meta.dirname, '..');
const { initHome } = await import('../src/operations/home/init.ts');
const { openMneme } = await import('../src/mneme.ts');

let seen = new Set<string>();

/** Notes who called, back through what was awaited. */
function watch(holder: object, names: readonly string[]): void {
  const methods = holder as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const real = methods[name];
    if (real === undefined) throw new Error(`There is no ${name}.`);
    methods[name] = function watched(this: unknown, ...given: unknown[]) {
      const { stack = '' } = new Error('the way here');
      for (const [, file = ''] of stack.matchAll(/\/src\/([\w./-]+\.ts):\d+/gu)) seen.add(file);
      return real.apply(this, given);
    };
  }
}

Error.stackTraceLimit = 200;
watch(fs, ['fdatasyncSync', 'fsyncSync', 'renameSync']);
watch(StatementSync.prototype, ['all', 'get', 'iterate', 'run']);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-trace-'));
const home = path.join(folder, 'home');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
const mneme = await openMneme({ home, actor: 'manual' });
// Requests that come together are written together: who asked is on the stack only here.
watch(Object.getPrototypeOf(mneme.internals.workspace) as object, ['commit']);
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');

interface Way {
  readonly onTheWay: readonly string[];
  readonly withInside: readonly string[];
  readonly ran: number;
}

async function trace(call: () => Promise<unknown>): Promise<Way> {
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await inspector.post('Profiler.takePreciseCoverage');
  seen = new Set();
  await call();
  await mneme.internals.workspace.drain();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const ran = result.filter(
    ({ url, functions }) =>
      url.includes(`${root}/src/`) &&
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  const entered = [...seen].map((file) => ENTERED_BY.find(([inside]) => inside.test(file))?.[1] ?? file);
  return {
    onTheWay: [...new Set(entered)].filter((file) => file !== '').toSorted(),
    withInside: [...seen].toSorted(),
    ran: ran.length,
  };
}

const reflectAndApprove = async (): Promise<void> => {
  await mneme.reflect();
  await mneme.approve({ ids: ['reflection'] });
};
// The first of each opens what the others find open.
await mneme.remember('I live in Graz.');
await mneme.recall('Where do I live?');
await reflectAndApprove();
const ways = {
  remember: await trace(() => mneme.remember('My dentist is Dr. Huber.')),
  recall: await trace(() => mneme.recall('Who is my dentist?')),
  reflection: await mneme.remember('I am allergic to nuts.').then(() => trace(reflectAndApprove)),
};
await mneme.close();
inspector.disconnect();
fs.rmSync(folder, { recursive: true });

if (process.argv.includes('--json')) console.log(JSON.stringify(ways));
else {
  for (const [name, { onTheWay, withInside, ran }] of Object.entries(ways)) {
    console.log(
      `${name}: ${onTheWay.length} files on the way, ${withInside.length} with those inside components, ${ran} ran`,
    );
    if (process.argv.includes('--list')) console.log(onTheWay.map((file) => `  ${file}`).join('\n'));
  }
}
