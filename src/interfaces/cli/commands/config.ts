import type { Command } from 'commander';
import { stringify } from 'yaml';
import { unknownKeyError } from '../../../model/config/keys.ts';
import { MnemeError } from '../../../model/errors.ts';
import { changeSetting } from '../../../operations/home/configure.ts';
import { migrateHome, type Migrated } from '../../../operations/home/migrate.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { readConfig } from '../../../workspace/config/file.ts';
import { isGoodConfig, type ConfigFinding } from '../../../workspace/config/finding.ts';
import { getConfigValue, listConfig, type ConfigEntry } from '../../../workspace/config/list.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { table } from '../../../operations/command-line/style.ts';

export function addConfigCommand(program: Command, cli: Cli): void {
  const config = program
    .command('config')
    .summary('Look at and change settings.')
    .description('Look at and change mneme.yaml.');
  config
    .command('get <key>')
    .description('Print one setting, such as git.cadence.')
    .action(async (key: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (key.trim() === '')
        throw new MnemeError('usage', 'Which setting?', { hint: '`mneme config list` has them all.' });
      const { config: values } = await readConfig(cli.home(options));
      cli.print(options, getConfigValue(values, key), (value) =>
        typeof value === 'string' ? `${value}\n` : stringify(value),
      );
    });
  config
    .command('set <key> <value>')
    .description('Change one setting; comments and everything else in the file stay as they are.')
    .option('--force', 'change what is normally fixed (time_zone, format)')
    .action(async (key: string, value: string, _options, command: Command) => change(cli, command, key, value));
  config
    .command('unset <key>')
    .description('Go back to the default.')
    .option('--force', 'change what is normally fixed')
    .action(async (key: string, _options, command: Command) => change(cli, command, key, undefined));
  config
    .command('list [section]')
    .description('Every setting with its value and meaning; `*` marks what differs from the default.')
    .action(async (section: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { config: values, text } = await readConfig(cli.home(options));
      const entries = listConfig(values, text).filter(({ key }) => section === undefined || key.startsWith(section));
      if (entries.length === 0) throw unknownKeyError(section ?? '');
      cli.print(options, entries, (shown) => renderEntries(cli, shown));
    });
  config
    .command('migrate')
    .description('Bring a home of an older format up to date.')
    .option('-n, --dry-run', 'only say what would change')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { dryRun?: boolean }>();
      assertMayWrite(cli.actor(options), 'config migrate');
      const result = await migrateHome(cli.home(options), options.dryRun === true);
      cli.print(options, result, renderMigration);
    });
  config
    .command('check')
    .description('Say what is wrong with mneme.yaml, if anything.')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { findings } = await readConfig(cli.home(options));
      cli.print(options, findings, (shown) => renderFindings(cli, shown));
      if (!isGoodConfig(findings)) cli.exitCode = EXIT_CODES.integrity;
    });
}

async function change(cli: Cli, command: Command, key: string, value: string | undefined): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { force?: boolean }>();
  const result = await cli.withMneme(
    options,
    (mneme) => changeSetting(mneme.internals, key, value, options.force === true),
    { name: `config ${value === undefined ? 'unset' : 'set'}`, effect: 'write' },
  );
  cli.print(options, result, () => (value === undefined ? `${key} is back to its default.\n` : `${key} = ${value}\n`));
}

function renderEntries(cli: Cli, entries: readonly ConfigEntry[]): string {
  const rows = entries.map(({ key, value, isDefault, description }) => [
    isDefault ? ' ' : cli.style.green('*'),
    key,
    shortValue(value),
    cli.style.dim(description),
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

function renderFindings(cli: Cli, findings: readonly ConfigFinding[]): string {
  if (findings.length === 0) return 'mneme.yaml is fine.\n';
  return findings
    .map(
      ({ line, message, hint }) =>
        `${line === undefined ? '' : `line ${line}: `}${message}\n  ${cli.style.dim(hint)}\n`,
    )
    .join('');
}
