import type { Command } from 'commander';
import { doctor, type Diagnosis } from '../../../operations/doctor.ts';
import { runOperation } from '../../../operations/operation.ts';
import { status, type Status } from '../../../operations/status.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { paintDiff, plural, showTime, table } from '../style.ts';

export function addStatusCommands(program: Command, cli: Cli): void {
  program
    .command('status')
    .description(status.summary)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const shown = await cli.withMneme(options, async (mneme) => ({
        result: await runOperation(status, mneme.context, {}),
        timeZone: mneme.context.config.time_zone,
      }));
      cli.print(options, shown.result, (result) => renderStatus(cli, result, shown.timeZone));
    });
  program
    .command('doctor')
    .description(doctor.summary)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const result = await cli.withMneme(options, (mneme) => runOperation(doctor, mneme.context, {}));
      cli.print(options, result, (diagnoses) => renderDoctor(cli, diagnoses));
      if (result.some(({ isOk }) => !isOk)) cli.exitCode = EXIT_CODES.integrity;
    });
}

function renderStatus(cli: Cli, result: Status, timeZone: string): string {
  const { style } = cli;
  const { workspace, git } = result;
  const parts = [
    table([
      ['home', style.bold(result.home)],
      ['workspace', `${workspace.path} (${plural(workspace.files, 'file')}, ${workspace.layout} layout)`],
      [
        'git',
        git.branch === null
          ? style.yellow('HEAD is detached')
          : `${git.branch} at ${git.lastCommit?.slice(0, 9) ?? 'nothing'}`,
      ],
    ]),
    ...git.waiting.map((line) => `${style.yellow('waiting')} ${line}\n`),
    renderCore(cli, result),
    renderAlerts(cli, result, timeZone),
    renderExternal(cli, result, timeZone),
    renderProposals(cli, result),
  ];
  const isQuiet = result.alerts.length + result.externalEdits.length + result.proposals.length === 0;
  if (isQuiet && git.waiting.length === 0) parts.push(style.green('Nothing waits for you.\n'));
  return parts.filter((part) => part !== '').join('\n');
}

/** From here on somebody should make room before writes are refused. */
const NEARLY_FULL = 0.9;

function renderCore(cli: Cli, { core }: Status): string {
  if (core === null || core.share < NEARLY_FULL) return '';
  const { style } = cli;
  const amount = `${core.tokens} of ${core.maxTokens} tokens, ${core.lines} of ${core.maxLines} lines`;
  const title =
    core.share > 1
      ? style.red(`MEMORY.md is over its cap (${Math.round(core.share * 100)} %)`)
      : style.yellow(`MEMORY.md is nearly full (${Math.round(core.share * 100)} %)`);
  return `${title}: ${amount}.\n${style.dim('  Shorten something or move it to memory/reference/: mneme edit MEMORY.md')}\n`;
}

function renderAlerts(cli: Cli, { alerts }: Status, timeZone: string): string {
  const { style } = cli;
  return alerts
    .map((alert) => {
      const who = alert.isUnauthorized ? style.red(`${alert.actor}, without approval`) : alert.actor;
      const title = `${style.red('⚠')} ${style.bold(alert.path)} was changed on ${showTime(alert.timeMs, timeZone)} by ${who}: ${alert.summary}`;
      const diff = alert.diff === undefined ? '' : `${indent(paintDiff(style, alert.diff.trimEnd()))}\n`;
      return `${title}\n${diff}  Was this intended? mneme audit ack ${alert.path}   or   mneme rollback ${alert.references[0] ?? ''}\n`;
    })
    .join('\n');
}

function renderExternal(cli: Cli, { externalEdits }: Status, timeZone: string): string {
  if (externalEdits.length === 0) return '';
  const { style } = cli;
  const rows = externalEdits.map((edit) => [
    `  ${edit.path}`,
    `${style.green(`+${edit.addedLines ?? '?'}`)} ${style.red(`-${edit.removedLines ?? '?'}`)}`,
    style.dim(showTime(edit.lastMs, timeZone)),
  ]);
  return [
    `${style.yellow('Edited outside Mneme')}: were these yours?`,
    table(rows).trimEnd(),
    style.dim('  yes: mneme audit ack    no: mneme audit ack --not-mine, then mneme rollback'),
    '',
  ].join('\n');
}

function renderProposals(cli: Cli, { proposals }: Status): string {
  if (proposals.length === 0) return '';
  const { style } = cli;
  const rows = proposals.map(({ id, title, from }) => [`  ${id}`, title, style.dim(from)]);
  return [
    `${style.yellow(plural(proposals.length, 'proposal'))} waiting for your decision:`,
    table(rows).trimEnd(),
    style.dim('  look: mneme proposals show ID    decide: mneme approve ID · mneme reject ID --why "…"'),
    '',
  ].join('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function renderDoctor(cli: Cli, diagnoses: readonly Diagnosis[]): string {
  const { style } = cli;
  return table(diagnoses.map(({ name, isOk, message }) => [isOk ? style.green('ok') : style.red('no'), name, message]));
}
