import path from 'node:path';
import { z } from 'zod';
import { adoptFolder, type Adopted, type AdoptedLayout } from '../../../operations/home/adopt.ts';
import { initHome, type Initialized } from '../../../operations/home/init.ts';
import type { Cli } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';
import { selfCommand } from '../version.ts';
import { counted } from '../../../model/text.ts';

const LAYOUTS = ['mneme', 'openclaw', 'vault'] as const satisfies readonly AdoptedLayout[];

const timeZone = z.string().optional().describe('Where your days begin and end; this machine’s zone when not given.');

export const init = defineProgram({
  name: 'init',
  summary: 'Make a memory home.',
  description: 'Make a memory home: mneme.yaml and MEMORY.md, nothing else. Running it again changes nothing.',
  examples: ['mneme init', 'mneme --home ~/work-memory init --full'],
  input: z.object({
    full: z.boolean().default(false).describe('Identity files, AGENTS.md, ontology and examples too.'),
    timeZone,
    yes: z.boolean().default(false).describe('Say only where it is.'),
  }),
  cli: { section: 'setup', options: { timeZone: { value: 'zone' }, yes: { short: 'y' } } },
  async start({ cli, options, input }) {
    const result = await initHome({
      home: path.resolve(cli.home(options)),
      timeZone: input.timeZone ?? cli.environment.timeZone,
      isFull: input.full,
      command: selfCommand(),
    });
    cli.print(options, result, (shown) => (input.yes ? renderPlace(cli, shown) : renderInit(cli, shown)));
  },
});

export const adopt = defineProgram({
  name: 'init adopt',
  summary: 'Make a home of a folder of Markdown, as it is.',
  description:
    'Make a home whose workspace is an existing folder (an OpenClaw workspace, an Obsidian vault, any notes). No byte in it is changed; the history is kept in the home.',
  examples: ['mneme init adopt ~/notes'],
  input: z.object({
    dir: z.string().describe('The folder.'),
    layout: z.enum(LAYOUTS).optional().describe('How to read it; guessed when not given.'),
    timeZone,
  }),
  args: ['dir'],
  cli: { formerly: ['adopt'], options: { layout: { value: 'name' }, timeZone: { value: 'zone' } } },
  async start({ cli, options, input: { dir, layout, timeZone: zone } }) {
    const result = await adoptFolder({
      home: path.resolve(cli.home(options)),
      folder: dir,
      timeZone: zone ?? cli.environment.timeZone,
      layout,
    });
    cli.print(options, result, (shown) => renderAdopted(cli, shown));
  },
});

const CREATED_MEANING: Readonly<Record<string, string>> = {
  'mneme.yaml': 'settings',
  'workspace/MEMORY.md': 'core memory: what your agent always knows',
};

/** In a line: what a script's log needs. */
function renderPlace({ style }: Cli, { created, isNew, home, timeZone: zone }: Initialized): string {
  if (created.length === 0) return `${home} is a memory home already; nothing to do.\n`;
  return `${style.green(isNew ? 'Made a memory home' : 'Completed the memory home')} in ${style.bold(home)} (days in ${zone})\n`;
}

function renderInit(cli: Cli, result: Initialized): string {
  const { style } = cli;
  if (result.created.length === 0) {
    const notes = result.notes.map((note) => `${style.yellow('note')} ${note}\n`).join('');
    return `${result.home} is a memory home already; ${notes === '' ? 'nothing to do' : 'its files stay as they are'}.\n${notes}`;
  }
  const width = Math.max(...result.created.map((file) => file.length));
  const files = result.created.map((file) =>
    `  ${file.padEnd(width)}  ${style.dim(CREATED_MEANING[file] ?? '')}`.trimEnd(),
  );
  return [
    renderPlace(cli, result),
    ...files,
    ...result.notes.map((note) => `\n${style.yellow('note')} ${note}`),
    '',
    'Next:',
    '  mneme remember "I prefer tabs over spaces"',
    `  mneme install        ${style.dim('connect an agent')}`,
    `  mneme                ${style.dim('learn from the conversations that are on this disk')}`,
    '',
  ].join('\n');
}

function renderAdopted(cli: Cli, result: Adopted): string {
  const { style } = cli;
  const around = result.enclosingRepository;
  return [
    `${style.green('Adopted')} ${style.bold(result.folder)}: ${counted(result.files, 'file')}, read as ${result.layout}. Nothing in it was changed.`,
    `  home     ${result.home}`,
    `  history  ${result.gitDir}`,
    ...(result.layout === 'vault'
      ? [`  Your edits are taken over without a question; \`mneme config set alerts.external_edits true\` asks.`]
      : []),
    ...(around === null ? [] : [`  Your own git repository (${around}) is left alone.`]),
    ...result.heldBack.map((line) => `${style.yellow('note')} ${line}`),
    '',
  ].join('\n');
}
