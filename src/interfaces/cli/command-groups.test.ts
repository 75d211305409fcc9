import fs from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli.ts';
import { COMMAND_GROUPS, groupsFor } from './command-groups.ts';
import { processIo } from './io.ts';

const environment = { home: '/nowhere', actor: undefined, editor: 'false', timeZone: 'UTC', wantsColor: false };

function namesFor(...args: string[]): string[] {
  return groupsFor(args).flatMap(({ names }) => names);
}

describe('command groups', () => {
  it.each(COMMAND_GROUPS.map((group) => ({ ...group, first: group.names[0] })))(
    'the group of $first names exactly the commands it adds',
    async ({ names, load }) => {
      const program = new Command('mneme');
      (await load())(program, new Cli(processIo(false), environment));
      expect(program.commands.map((command) => command.name())).toEqual(names);
    },
  );

  it('a call loads the group of its command, wherever the global options stand', () => {
    const [first] = COMMAND_GROUPS;
    const [name = ''] = first?.names ?? [];
    expect(namesFor('--home', 'x', '--json', '--as', 'bot:main', name)).toEqual(first?.names);
    expect(namesFor('--home=/somewhere', name)).toEqual(first?.names);
  });

  it('the version loads none; help, completion and a misspelt command load all', () => {
    expect(namesFor('--version')).toEqual([]);
    expect(namesFor('--json', '-V')).toEqual([]);
    const all = COMMAND_GROUPS.flatMap(({ names }) => names);
    for (const args of [[], ['--help'], ['help', 'read'], ['raed']]) {
      expect(namesFor(...args)).toEqual(all);
    }
  });
});

describe('starting', () => {
  it('loads no package but commander before it knows the command', () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const statics = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(?<from>[^']+)'/gmu;
      for (const { groups } of fs.readFileSync(file, 'utf8').matchAll(statics)) {
        const from = groups?.['from'] ?? '';
        if (from.startsWith('.')) visit(path.resolve(path.dirname(file), from));
        else if (!from.startsWith('node:')) packages.add(from);
      }
    };
    visit(path.join(import.meta.dirname, 'run.ts'));
    expect(seen.size).toBeGreaterThan(5);
    expect([...packages]).toEqual(['commander']);
  });
});
