import { stringify } from 'yaml';
import { z } from 'zod';
import { unknownKeyError } from '../../../model/config/keys.ts';
import { MnemeError } from '../../../model/errors.ts';
import { table, type Style } from '../../../operations/command-line/style.ts';
import { migrateHome, type Migrated } from '../../../operations/home/configure.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { readConfig } from '../../../workspace/config/file.ts';
import { isGoodConfig, type ConfigFinding } from '../../../workspace/config/yaml-source.ts';
import { getConfigValue, listConfig, type ConfigEntry } from '../../../workspace/config/parse.ts';
import { EXIT_CODES } from '../cli.ts';
import { defineProgram } from '../derive/program.ts';

export const configList = defineProgram({
  name: 'config list',
  summary: 'List every setting with its value and meaning; `*` marks what differs from the default.',
  examples: ['mneme config list git'],
  input: z.object({ section: z.string().optional().describe('Only settings whose name begins so.') }),
  args: ['section'],
  cli: { isDefault: true },
  async start({ cli, options, input: { section } }) {
    const { config, text } = await readConfig(cli.home(options));
    const entries = listConfig(config, text).filter(({ key }) => section === undefined || key.startsWith(section));
    if (entries.length === 0) throw unknownKeyError(section ?? '');
    cli.print(options, entries, (shown) => renderEntries(cli.style, shown));
  },
});

export const configGet = defineProgram({
  name: 'config get',
  summary: 'Print one setting, such as git.cadence.',
  input: z.object({ key: z.string().describe('Its name.') }),
  args: ['key'],
  async start({ cli, options, input: { key } }) {
    if (key.trim() === '')
      throw new MnemeError('usage', 'Which setting?', { hint: '`mneme config list` has them all.' });
    const { config } = await readConfig(cli.home(options));
    cli.print(options, getConfigValue(config, key), (value) =>
      typeof value === 'string' ? `${value}\n` : stringify(value),
    );
  },
});

export const configMigrate = defineProgram({
  name: 'config migrate',
  summary: 'Bring a home of an older format up to date.',
  input: z.object({ dryRun: z.boolean().default(false).describe('Only say what would change.') }),
  cli: { options: { dryRun: { short: 'n' } } },
  async start({ cli, options, input: { dryRun } }) {
    assertMayWrite(cli.actor(options), 'config migrate');
    cli.print(options, await migrateHome(cli.home(options), dryRun), renderMigration);
  },
});

export const configCheck = defineProgram({
  name: 'config check',
  summary: 'Say what is wrong with mneme.yaml, if anything.',
  input: z.object({}),
  async start({ cli, options }) {
    const { findings } = await readConfig(cli.home(options));
    cli.print(options, findings, (shown) => renderFindings(cli.style, shown));
    if (!isGoodConfig(findings)) cli.exitCode = EXIT_CODES.integrity;
  },
});

function renderEntries(style: Style, entries: readonly ConfigEntry[]): string {
  const rows = entries.map(({ key, value, isDefault, description }) => [
    isDefault ? ' ' : style.green('*'),
    key,
    shortValue(value),
    style.dim(description),
  ]);
  return table(rows);
}

function renderMigration({ from, to, steps, isApplied }: Migrated): string {
  if (steps.length === 0) return `The home has the current format (${to}); nothing to do.\n`;
  const title = isApplied
    ? `Migrated from format ${from} to ${to}:`
    : `From format ${from} to ${to} (nothing was changed):`;
  return `${[title, ...steps.map((step) => `- ${step}`)].join('\n')}\n`;
}

function shortValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function renderFindings(style: Style, findings: readonly ConfigFinding[]): string {
  if (findings.length === 0) return 'mneme.yaml is fine.\n';
  return findings
    .map(({ line, message, hint }) => `${line === undefined ? '' : `line ${line}: `}${message}\n  ${style.dim(hint)}\n`)
    .join('');
}
