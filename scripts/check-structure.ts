import fs from 'node:fs';
import path from 'node:path';
import { findSpecProblems, readCiting } from './spec.ts';
import { findCallsAround, findModuleState, findTwoWayPairs, findUncheckedCalls, readSources } from './structure.ts';

/** What may be kept beside the home. */
const ALLOWED: ReadonlySet<string> = new Set([
  // Derived from a value that never changes, and keyed by that value: the same for every home.
  'src/operations/proposals/find-conflicts.ts: terms',
  'src/operations/backup/snapshot.ts: settledStamps',
  // A lock among the open homes of this process; the process id in the plan is the one among processes.
  'src/operations/forget/finish.ts: running',
]);

const root = path.resolve(import.meta.dirname, '..');
const operations = readSources(root, 'src/operations');
const pairs = findTwoWayPairs(operations, 'src/operations');
const state = findModuleState(new Map([...operations, ...readSources(root, 'src/runtime')])).filter(
  (found) => !ALLOWED.has(found),
);

console.log(`${pairs.length} pairs of folders in src/operations import each other`);
for (const { folders, imports } of pairs) console.log(`  ${folders.join(' ↔ ')}\n    ${imports.join('\n    ')}`);
console.log(`${state.length} modules of src/operations and src/runtime keep state of a home`);
for (const found of state) console.log(`  ${found}`);
const interfaces = readSources(root, 'src/interfaces');
const around = [...findCallsAround(interfaces), ...findUncheckedCalls(interfaces, operations)];
console.log(`${around.length} places in src/interfaces go around the verbs`);
for (const file of around) console.log(`  ${file}`);
if (around.length > 0) console.error('Call a verb (runOperation), so that role, scope and lease are checked.');
const spec = findSpecProblems(fs.readFileSync(path.join(root, 'SPEC.md'), 'utf8'), readCiting(root));
console.log(`${spec.length} problems with the ids of SPEC.md and the tests that cite them`);
for (const found of spec) console.log(`  ${found}`);
if (spec.length > 0) process.exitCode = 1;
if (pairs.length + state.length + around.length > 0) {
  console.error('Move a misplaced file, or make what is kept a part of the home (src/operations/home-parts.ts).');
  process.exitCode = 1;
}
