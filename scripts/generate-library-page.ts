/**
 * Writes docs/library-verbs.md from examples/library-verbs.ts, which is checked and run as the program it is.
 *
 *   node scripts/generate-library-page.ts [--check]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const HEAD = `# Every verb of the library

Made of \`examples/library-verbs.ts\` by \`npm run generate\`; do not edit. [The library](library.md) explains the main ones, [api.txt](api.txt)
has their types.
`;

/** Comments that begin a section become headings and prose, what follows a block of code. */
function pageOf(program: string): string {
  const sections = program.split(/^(?=\/\/ ## )/mu).slice(1);
  const parts = sections.map((section) => {
    const lines = section.trimEnd().split('\n');
    const end = lines.findIndex((line) => !line.startsWith('//'));
    const prose = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/u, ''));
    const code = lines.slice(end).join('\n').trim().replaceAll("'../src/index.ts'", "'mneme'");
    return `${prose[0]}\n\n${prose.slice(1).join('\n')}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
  });
  return [HEAD, ...parts].join('\n');
}

const root = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const target = path.join(root, 'docs/library-verbs.md');
const page = pageOf(fs.readFileSync(path.join(root, 'examples/library-verbs.ts'), 'utf8'));
if (!values.check) fs.writeFileSync(target, page);
else if (fs.readFileSync(target, 'utf8') !== page) {
  process.stderr.write('docs/library-verbs.md is not what examples/library-verbs.ts says: npm run generate\n');
  process.exitCode = 1;
}
