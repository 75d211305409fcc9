/** Writes docs/commands.md from the commands themselves; `--check` fails when it is out of date. */
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { Cli } from '../src/interfaces/cli/cli.ts';
import { processIo } from '../src/interfaces/cli/io.ts';
import { createProgram } from '../src/interfaces/cli/run.ts';
import { readEnvironment } from '../src/platform/environment.ts';

const file = path.resolve(import.meta.dirname, '../docs/commands.md');

function rows(command: Command, prefix: string): string[] {
  return command.commands
    .filter((child) => child.name() !== 'help' && child.name() !== 'hook')
    .flatMap((child) => {
      const name = `${prefix} ${child.name()}`;
      const args = child.registeredArguments.map((argument) => {
        const dots = argument.variadic ? '…' : '';
        return argument.required
          ? ` ${argument.name().toUpperCase()}${dots}`
          : ` [${argument.name().toUpperCase()}${dots}]`;
      });
      const options = child.options.map((option) => `\`${option.flags.replaceAll('|', '\\|')}\``).join(' ');
      const summary = (child.summary() || child.description()).replaceAll('|', '\\|');
      return [`| \`${name}${args.join('')}\` | ${summary} | ${options} |`, ...rows(child, name)];
    });
}

const program = await createProgram(new Cli(processIo(false), readEnvironment()));
const text = `# Commands

Generated from the commands themselves by \`npm run generate\`. Every command also takes \`--home DIR\`, \`--json\` and
\`--as ACTOR\`. Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 5 refused by policy, 6 locked, 7 integrity
finding.

| command | what it does | options |
|---|---|---|
${rows(program, 'mneme').join('\n')}
`;

if (process.argv.includes('--check')) {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
    process.stderr.write('docs/commands.md is out of date; run `npm run generate`.\n');
    process.exitCode = 1;
  }
} else {
  fs.writeFileSync(file, text);
}
