/** Prints the size of `src` and what makes it hard to enter; `--list` names the small files, the comments and the duplicates. */
import path from 'node:path';
import { countCommandLine, findDuplicateHelpers, measureFiles } from './size.ts';
import { COMMANDS } from '../src/interfaces/cli/commands.ts';
import { listKeys } from '../src/model/config/keys.ts';
import { readSources } from './structure.ts';

const root = path.resolve(import.meta.dirname, '..');
const sources = readSources(root, 'src');
const { lines, generatedLines, smallFiles, comments, indirectComments } = measureFiles(sources);
const duplicates = findDuplicateHelpers(sources);

const share = ((100 * indirectComments.length) / comments).toFixed(1);
const figures: readonly (readonly [string, string | number])[] = [
  ['lines of code in src, without blank lines, comments and tests', lines],
  ['  of them generated', generatedLines],
  ['files', sources.size],
  ['files under 20 lines', smallFiles.length],
  ['comments', comments],
  ['comments that begin with What, Who, Whose, How, Nobody or Somebody', `${indirectComments.length} (${share} %)`],
  ['helpers written more than once', duplicates.length],
  ['lines of the command line', countCommandLine(sources)],
  ['commands at the top', new Set(COMMANDS.map(({ command }) => command.path.split(' ')[0])).size],
  ['settings', listKeys().length],
];
for (const [name, figure] of figures) console.log(`${name}: ${figure}`);

if (process.argv.includes('--list')) {
  console.log(['', ...smallFiles, '', ...indirectComments, '', ...duplicates].join('\n'));
}
