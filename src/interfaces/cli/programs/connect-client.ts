import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { isMnemeError, MnemeError } from '../../../model/errors.ts';
import { plain } from '../../../operations/command-line/plain.ts';
import { paintDiff, table } from '../../../operations/command-line/style.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readVariable } from '../../../platform/environment.ts';
import { systemRandom } from '../../../platform/random.ts';
import { type AppliedFile, type ApplyParts, applyConnectPlan } from '../../../runtime/connect/apply.ts';
import {
  CLIENT_NAMES,
  type Client,
  type ClientPlaces,
  type ConnectScope,
  ENTRY_NAME,
} from '../../../runtime/connect/client.ts';
import { findClient } from '../../../runtime/connect/clients.ts';
import { type Connection, findConnections } from '../../../runtime/connect/connections.ts';
import { isSameHome, usualHome } from '../../../runtime/connect/hook-entries.ts';
import { maskSettings } from '../../../runtime/connect/mask/mask.ts';
import { type ConnectPlan, type FileChange, planConnect, planDisconnect } from '../../../runtime/connect/plan.ts';
import { planProgram } from '../../../runtime/connect/program.ts';
import { Receipts } from '../../../runtime/connect/receipts.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import { type Cli, EXIT_CODES, type GlobalOptions } from '../cli.ts';
import { selfCommand } from '../version.ts';
import { ensureHome, isConfirmed, mayAsk, shortPath } from './make-home.ts';

export interface InstallOptions extends GlobalOptions {
  readonly scope?: ConnectScope;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The output of `--json`. */
interface InstallResult {
  readonly action: ConnectPlan['action'];
  readonly client: string;
  readonly scope: ConnectScope;
  readonly changed: boolean;
  readonly dryRun: boolean;
  readonly files: readonly (ShownFile & Pick<AppliedFile, 'backup'>)[];
  readonly notes: readonly string[];
}

export async function runInstall(
  cli: Cli,
  action: ConnectPlan['action'],
  name: string | undefined,
  options: InstallOptions,
): Promise<void> {
  const places = clientPlaces(cli);
  if (name === undefined) {
    cli.print(options, findConnections(places), (connections) =>
      renderConnections(cli, connections, cli.home(options)),
    );
    return;
  }
  const client = clientNamed(name);
  const { scope = 'user' } = options;
  assertMayWrite(cli.actor(options), action);
  // A connection to a home that is not there would fail at every start of the program.
  if (action === 'install' && options.dryRun !== true && !(await ensureHome(cli, options))) return;
  const home = path.resolve(cli.home(options));
  const receipts = new Receipts(home);
  const input = { client, scope, places, home, receipts };
  const plan =
    action === 'install' ? planConnect(input, ownProgram(cli, options, places, scope)) : planDisconnect(input);
  await carryOut(cli, plan, { receipts, places }, options);
}

/** An agent that was found on this machine, and whether it is connected now. */
export interface ConnectedClient {
  readonly client: string;
  readonly title: string;
  readonly connected: boolean;
  /** Why it could not be connected. */
  readonly problem: string | null;
  /** The next step, which makes it use the memory. */
  readonly next: string;
}

/** Connects the agents that are on this machine and are not connected yet. Asks for each; with `yes` it does so in silence. */
export async function connectFound(cli: Cli, options: InstallOptions): Promise<ConnectedClient[]> {
  if (cli.environment.logPlaces === undefined) return [];
  const places = clientPlaces(cli);
  const home = path.resolve(cli.home(options));
  const receipts = new Receipts(home);
  const connected: ConnectedClient[] = [];
  for (const { client: name, title, state, problem } of findConnections(places)) {
    if (state === 'absent' || state === 'connected') continue;
    const client = clientNamed(name);
    const about = { client: name, title, next: client.next };
    if (problem !== null) {
      cli.warn(`${title} was not connected: ${problem}`);
      connected.push({ ...about, connected: false, problem });
      continue;
    }
    try {
      const program = ownProgram(cli, options, places, 'user');
      const plan = planConnect({ client, scope: 'user', places, home, receipts }, program);
      const result = await carryOut(cli, plan, { receipts, places }, options, options.yes !== true);
      connected.push({ ...about, connected: result?.changed === true, problem: null });
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      // Trouble with one program's settings must not keep the others out.
      cli.warn(`${title} was not connected: ${error.message}`);
      cli.exitCode = EXIT_CODES.failure;
      connected.push({ ...about, connected: false, problem: error.message });
    }
  }
  return connected;
}

async function carryOut(
  cli: Cli,
  plan: ConnectPlan,
  { receipts, places }: Pick<ApplyParts, 'receipts' | 'places'>,
  options: InstallOptions,
  isShown = true,
): Promise<InstallResult | undefined> {
  const shown = await describeFiles(plan);
  for (const note of plan.notes) cli.warn(note);
  const isNeeded = shown.some(({ change }) => change !== 'none');
  if (isShown && options.json !== true) cli.io.out(renderPlan(cli, plan, shown));
  const isDryRun = options.dryRun === true;
  if (isNeeded && !isDryRun && options.yes !== true && !(await isAllowed(cli, plan, options))) return undefined;
  const applied =
    isNeeded && !isDryRun
      ? await applyConnectPlan(plan, { receipts, places, clock: systemClock, random: systemRandom })
      : [];
  const backups = new Map(applied.map(({ file, backup }) => [file, backup]));
  const result: InstallResult = {
    action: plan.action,
    client: plan.client.name,
    scope: plan.scope,
    changed: applied.some(({ change }) => change !== 'none'),
    dryRun: isDryRun,
    files: shown.map(({ file, change, diff }) => ({ file, change, diff, backup: backups.get(file) ?? null })),
    notes: plan.notes,
  };
  if (isShown) cli.print(options, result, () => (isNeeded ? renderDone(cli, plan, applied, isDryRun) : ''));
  return result;
}

async function isAllowed(cli: Cli, plan: ConnectPlan, options: InstallOptions): Promise<boolean> {
  if (!mayAsk(cli, options)) {
    throw new MnemeError('usage', 'Nothing was changed: there is nobody to ask.', {
      hint: 'Add --yes to change it, or --dry-run to only look.',
    });
  }
  const question = plan.action === 'install' ? `Connect ${plan.client.title}?` : `Disconnect ${plan.client.title}?`;
  const isYes = await isConfirmed(cli, question);
  if (!isYes) cli.io.out('Nothing was changed.\n');
  return isYes;
}

function ownProgram(cli: Cli, options: InstallOptions, places: ClientPlaces, scope: ConnectScope) {
  return planProgram({
    self: selfCommand(),
    home: cli.home(options),
    defaultHome: usualHome(places),
    searchPath: readVariable('PATH') ?? '',
    platform: places.platform,
    isShared: scope === 'project',
  });
}

export function clientPlaces(cli: Cli): ClientPlaces {
  const { logPlaces } = cli.environment;
  if (logPlaces === undefined) throw new MnemeError('failure', 'Where this user keeps settings is not known.');
  return { ...logPlaces, project: process.cwd(), platform: process.platform, searchPath: readVariable('PATH') };
}

/** The configuration that most other programs accept. */
function snippet(): string {
  const [command, ...args] = [...selfCommand(), 'mcp'];
  return JSON.stringify({ mcpServers: { [ENTRY_NAME]: { command, args } } }, null, 2);
}

function clientNamed(name: string): Client {
  const client = findClient(name);
  if (client !== undefined) return client;
  throw new MnemeError('usage', `"${name}" is nothing Mneme can connect by itself.`, {
    hint: `There are: ${CLIENT_NAMES.join(', ')}. Put this into the settings of any other that speaks MCP:\n${snippet()}`,
  });
}

/** A file of a plan, as it is shown. */
interface ShownFile {
  readonly file: string;
  readonly change: 'create' | 'change' | 'delete' | 'none';
  readonly diff: string;
}

/** Enough to see where it goes, little enough not to show somebody's tokens. */
const CONTEXT_LINES = 2;

/** Settings hold keys of other services; what is shown may end up in a log or an issue. */
async function describeFiles(plan: ConnectPlan): Promise<ShownFile[]> {
  const redactor = createRedactor({ enabled: true, allow: [] });
  const shown: ShownFile[] = [];
  for (const change of plan.changes) {
    const diff = change.before === change.after ? '' : (await redactor.redact(diffOf(change))).text;
    shown.push({ file: change.file, change: kindOf(change), diff });
  }
  return shown;
}

function renderPlan(cli: Cli, { action, client, scope, changes }: ConnectPlan, files: readonly ShownFile[]): string {
  const { style } = cli;
  const where = scope === 'project' ? ' in this project' : '';
  if (files.every(({ change }) => change === 'none')) {
    const places = changes.map(({ file }) => shortPath(cli, file)).join(', ');
    return action === 'install'
      ? `${style.green('Already connected')}: ${client.title}${where} (${places}).\n`
      : `${client.title} is not connected${where}; nothing to do.\n`;
  }
  return files
    .filter(({ change }) => change !== 'none')
    .map(({ diff }) => `${paintDiff(style, plain(diff)).trimEnd()}\n\n`)
    .join('');
}

function renderDone(cli: Cli, plan: ConnectPlan, applied: readonly AppliedFile[], isDryRun: boolean): string {
  const { style } = cli;
  if (isDryRun) return 'Nothing was changed.\n';
  const { action, client } = plan;
  const done = action === 'install' ? style.green(`Connected ${client.title}.`) : `Disconnected ${client.title}.`;
  const backups = applied.flatMap(({ backup }) => (backup === null ? [] : [shortPath(cli, backup)]));
  const kept = backups.length === 0 ? '' : style.dim(`  as it was: ${backups.join(', ')}\n`);
  return `${done}${action === 'install' ? ` ${client.next}` : ''}\n${kept}`;
}

const STATE_WORDS: Readonly<Record<Connection['state'], string>> = {
  absent: 'not installed here',
  'not-connected': 'not connected',
  occupied: 'not connected',
  partly: 'connected in part',
  connected: 'connected',
  unreadable: 'settings cannot be read',
};

/** `home` is the one that is asked about; where a program uses another, that is said. */
function renderConnections(cli: Cli, connections: readonly Connection[], home: string): string {
  const { style } = cli;
  const rows = connections.map(({ client, title, state, project, problem, homes }) => {
    const others = homes.filter((one) => !isSameHome(one, home)).map((one) => shortPath(cli, one));
    const elsewhere = others.length === 0 ? '' : ` to ${others.join(' and ')}`;
    const words = problem ?? `${STATE_WORDS[state]}${elsewhere}`;
    const shown =
      state === 'connected' ? style.green(words) : state === 'absent' ? style.dim(words) : style.yellow(words);
    const canConnect = state === 'not-connected' || state === 'partly';
    const hint = canConnect ? style.cyan(`mneme install ${client}`) : '';
    return [title, shown, project === 'connected' ? 'connected in this project' : hint];
  });
  return table(rows);
}

function kindOf({ before, after }: FileChange): ShownFile['change'] {
  if (before === after) return 'none';
  if (before === undefined) return 'create';
  return after === undefined ? 'delete' : 'change';
}

function diffOf({ file, before, after, targets }: FileChange): string {
  const format = targets[0]?.format ?? 'json';
  // Before the lines are taken apart: what a value means may stand on a line that is not shown.
  const masked = (text: string | undefined): string => (text === undefined ? '' : maskSettings(text, format));
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : file,
    after === undefined ? '/dev/null' : file,
    masked(before),
    masked(after),
    undefined,
    undefined,
    { context: CONTEXT_LINES },
  );
  return patch.replace(/^=+\n/u, '');
}
