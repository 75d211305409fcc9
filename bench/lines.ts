/**
 * How much metadata a learned line carries in its file.
 *
 *   npm run bench:lines -- [--homes DIR] [--json]
 *
 * Every person of `data/people` has a home in DIR, as `bench:knows -- --homes DIR` leaves them; a home that is not there
 * is learned first.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { measureLearnedLines } from '../test/support/learned-lines.ts';
import { learnHistory } from './knows/learn-history.ts';
import { readPeople } from './knows/person.ts';
import { printResult } from './support.ts';

const { values: options } = parseArgs({
  options: { homes: { type: 'string' }, json: { type: 'boolean', default: false } },
});

const homes = options.homes ?? makeTemporaryFolder('mneme-lines-');
const measured = [];
for (const person of readPeople(path.join(import.meta.dirname, 'data/people'))) {
  const home = path.join(homes, person.id);
  if (!fs.existsSync(home)) await learnHistory(home, person);
  measured.push(measureLearnedLines(path.join(home, 'workspace')));
}
if (options.homes === undefined) fs.rmSync(homes, { recursive: true, force: true });

const lines = measured.reduce((sum, one) => sum + one.lines, 0);
const [longest] = measured.toSorted((one, other) => other.longestCharacters - one.longestCharacters);
printResult(options.json, 'Metadata of learned lines', {
  lines,
  meanCharacters: measured.reduce((sum, one) => sum + one.meanCharacters * one.lines, 0) / Math.max(1, lines),
  longestCharacters: longest?.longestCharacters ?? 0,
  longest: longest?.longest ?? '',
  shareWithout: measured.reduce((sum, one) => sum + one.shareWithout, 0) / Math.max(1, measured.length),
});
