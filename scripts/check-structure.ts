import path from 'node:path';
import { findModuleState, findTwoWayPairs, readSources } from './structure.ts';

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
if (pairs.length + state.length > 0) {
  console.error('Move a misplaced file, or make what is kept a part of the home (src/operations/home-parts.ts).');
  process.exitCode = 1;
}
