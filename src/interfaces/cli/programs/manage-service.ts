import os from 'node:os';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { type DaemonStatus, type LogLine, readDaemonStatus, readLog } from '../../../runtime/daemon/daemon-log.ts';
import {
  type AppliedService,
  type ServicePlan,
  applyServicePlan,
  commandText,
  defineService,
  planInstall,
  planUninstall,
  readServiceFile,
  runProgram,
  serviceName,
  systemOf,
} from '../../../runtime/service/plan.ts';
import type { ServiceDefinition } from '../../../runtime/service/service.ts';
import { homePaths } from '../../../workspace/home-paths.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { selfCommand } from '../version.ts';
import { table } from '../../../operations/command-line/style.ts';
import { isConfirmed, mayAsk, ensureHome } from './make-home.ts';

export interface ServiceOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly start?: boolean;
  readonly yes?: boolean;
}

export async function installService(cli: Cli, options: ServiceOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'service install');
  if (options.dryRun !== true && !(await ensureHome(cli, options))) return;
  const isStarted = options.start !== false;
  const status = readDaemonStatus(homeOf(cli, options), systemClock);
  const plan = planInstall(definitionFor(cli, options), isStarted);
  const isActive = status.isRunning && (await isServiceActive(plan.definition));
  if (status.isRunning && isStarted && !isActive && options.dryRun !== true) {
    throw new MnemeError('locked', `A daemon that is no service runs already (process ${status.pid ?? 'unknown'}).`, {
      hint: 'Stop it first (`mneme daemon stop`), or add --no-start.',
    });
  }
  await carryOut(cli, plan, options);
}

export async function uninstallService(cli: Cli, options: ServiceOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'service uninstall');
  await carryOut(cli, planUninstall(definitionFor(cli, options)), options);
}

async function carryOut(cli: Cli, plan: ServicePlan, options: ServiceOptions): Promise<void> {
  const isDryRun = options.dryRun === true;
  if (options.json !== true) cli.io.out(renderPlan(cli, plan));
  const isNeeded = plan.action === 'install' || plan.change !== 'none';
  if (isNeeded && !isDryRun && options.yes !== true && !(await isAllowed(cli, plan, options))) return;
  const applied = isNeeded && !isDryRun ? await applyServicePlan(plan) : undefined;
  const { definition } = plan;
  const result = {
    action: plan.action,
    system: definition.system,
    dryRun: isDryRun,
    file: definition.file.path,
    change: plan.change,
    content: plan.action === 'install' ? definition.file.content : null,
    commands:
      applied?.commands ?? plan.commands.map((command) => ({ command: commandText(command), code: null, said: '' })),
    objections: applied?.objections ?? [],
    failed: applied?.failed ?? null,
  };
  cli.print(options, result, () => (applied === undefined ? '' : renderApplied(cli, plan, applied)));
  for (const objection of applied?.objections ?? []) cli.warn(objection);
  if (applied?.failed === null || applied === undefined) return;
  cli.io.err(`${cli.style.red('error')} ${applied.failed}\n`);
  cli.exitCode = EXIT_CODES.failure;
}

async function isAllowed(cli: Cli, plan: ServicePlan, options: ServiceOptions): Promise<boolean> {
  if (!mayAsk(cli, options)) {
    throw new MnemeError('usage', 'Nothing was changed: there is nobody to ask.', {
      hint: 'Add --yes to do it, or --dry-run to only look.',
    });
  }
  const starts = plan.commands.some(({ affectsDaemon }) => affectsDaemon);
  const question = plan.action === 'install' ? `Set it up${starts ? ' and start it' : ''}?` : 'Take it away?';
  const isYes = await isConfirmed(cli, question);
  if (!isYes) cli.io.out('Nothing was changed.\n');
  return isYes;
}

const CHANGES: Readonly<Record<ServicePlan['change'], string>> = {
  create: 'writes',
  update: 'replaces',
  remove: 'removes',
  none: 'leaves as it is',
};

function renderPlan({ style }: Cli, { action, definition, change, commands }: ServicePlan): string {
  if (action === 'uninstall' && change === 'none')
    return `There is no service: ${definition.file.path} is not there.\n`;
  const content = action === 'install' ? definition.file.content.split('\n').map((line) => style.dim(`  ${line}`)) : [];
  const lines = [
    `${style.bold(`mneme daemon service ${action}`)} – ${definition.title}`,
    `${CHANGES[change]} ${definition.file.path}`,
    ...content,
    ...commands.map((command) => `runs ${commandText(command)}  ${style.dim(`(${command.why})`)}`),
    ...(action === 'install' ? definition.notes.map((note) => style.dim(note)) : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function renderApplied({ style }: Cli, { action, commands }: ServicePlan, { failed, file }: AppliedService): string {
  if (failed !== null) return action === 'install' ? `${file} is written, but not all commands worked.\n` : '';
  if (action === 'uninstall') return `${style.green('Taken away.')} The memory itself is untouched.\n`;
  const isStarted = commands.some(({ affectsDaemon }) => affectsDaemon);
  return `${style.green(isStarted ? 'Set up and started.' : 'Set up; not started.')} See: mneme daemon service status\n`;
}

interface ServiceStatus {
  readonly system: string;
  readonly file: string;
  readonly isInstalled: boolean;
  /** False after an update or a move: `service install` writes it anew. */
  readonly isCurrent: boolean | null;
  readonly isActive: boolean;
  readonly daemon: DaemonStatus;
}

export async function showService(cli: Cli, options: ServiceOptions): Promise<void> {
  const definition = definitionFor(cli, options);
  const present = readServiceFile(definition);
  const status: ServiceStatus = {
    system: definition.system,
    file: definition.file.path,
    isInstalled: present !== undefined,
    isCurrent: present === undefined ? null : present === definition.file.content,
    isActive: present !== undefined && (await isServiceActive(definition)),
    daemon: readDaemonStatus(homeOf(cli, options), systemClock),
  };
  cli.print(options, status, (shown) => renderStatus(cli, shown));
}

async function isServiceActive({ isActive }: ServiceDefinition): Promise<boolean> {
  return (await runProgram(isActive.program, isActive.args)).code === 0;
}

function renderStatus({ style }: Cli, { file, isInstalled, isCurrent, isActive, daemon }: ServiceStatus): string {
  const installed =
    isCurrent === false ? style.yellow('set up, but out of date: mneme daemon service install') : style.green('set up');
  return table([
    ['service', isInstalled ? `${installed} (${file})` : style.yellow('not set up: mneme daemon service install')],
    ...(isInstalled ? [['system says', isActive ? style.green('active') : style.yellow('not active')]] : []),
    [
      'daemon',
      daemon.isRunning ? style.green(`running (process ${daemon.pid ?? 'unknown'})`) : style.yellow('not running'),
    ],
    ['logs', 'mneme daemon service logs'],
  ]);
}

export function showLogs(
  cli: Cli,
  options: GlobalOptions,
  { lines: count, level }: { readonly lines: number; readonly level: LogLine['level'] },
): void {
  const lines = readLog(homePaths(homeOf(cli, options)).logs, count, level);
  cli.print(options, lines, (shown) =>
    shown.length === 0
      ? `${cli.style.dim('No daemon has run here yet.')}\n`
      : table(shown.map(({ time, level: shownLevel, message }) => [cli.style.dim(time), shownLevel, message])),
  );
}

function homeOf(cli: Cli, options: GlobalOptions): string {
  return path.resolve(cli.home(options));
}

function definitionFor(cli: Cli, options: GlobalOptions): ServiceDefinition {
  const { logPlaces } = cli.environment;
  if (logPlaces === undefined) throw new MnemeError('failure', 'Where this user keeps settings is not known.');
  const { userHome, xdgConfig } = logPlaces;
  const home = homeOf(cli, options);
  const spec = {
    name: serviceName(home, path.join(userHome, '.mneme')),
    home,
    command: selfCommand(),
    logs: homePaths(home).logs,
  };
  const { uid, username } = os.userInfo();
  const places = { userHome, xdgConfig, userId: uid === -1 ? undefined : uid, userName: username };
  return defineService(systemOf(process.platform), spec, places);
}
