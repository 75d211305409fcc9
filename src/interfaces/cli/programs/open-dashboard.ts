import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorMessage, MnemeError } from '../../../model/errors.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readVariable } from '../../../platform/environment.ts';
import { run } from '../../../platform/process.ts';
import { systemRandom } from '../../../platform/random.ts';
import { readHome } from '../../../workspace/home.ts';
import { TokenFile } from '../../http/access/token-file.ts';
import { findServing, type Announced } from '../../listen.ts';
import { findPackageFile } from '../../http/static-files.ts';
import type { ApiRole } from '../../http/route.ts';
import type { Cli } from '../cli.ts';
import { type ServeOptions, stopSignal } from './serve-options.ts';
import { startServing } from './serve-home.ts';

export interface DashboardOptions extends ServeOptions {
  readonly open: boolean;
  readonly demo: boolean;
  readonly readOnly: boolean;
}

const PAGE = 'dist/dashboard/index.html';
/** Tokens for a server that another process runs last; they go when the next one is made and they are this old. */
const KEPT_MS = 7 * 86_400_000;
const TOKEN_NAME = 'dashboard-';
const OPEN_TIMEOUT_MS = 10_000;
const BUILD_TIMEOUT_MS = 180_000;

/** Prints the address with its key and opens it; serves the home itself unless somebody does already. */
export async function openDashboard(cli: Cli, options: DashboardOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'dashboard');
  if (!options.demo) return openHome(cli, options);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-demo-'));
  try {
    const home = path.join(folder, 'home');
    cli.warn('Making an invented memory to look around in; it is deleted at the end.');
    const { makeDemoHome } = await import('./demo/make-demo-home.ts');
    await makeDemoHome(home);
    // Beside a server of the real memory: any free port.
    return await openHome(cli, { port: 0, ...options, home });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function openHome(cli: Cli, options: DashboardOptions): Promise<void> {
  const { paths, config } = await readHome(path.resolve(cli.home(options)));
  if (!config.server.dashboard) {
    throw new MnemeError('refused', 'The dashboard is switched off: server.dashboard is false.', {
      hint: 'mneme config set server.dashboard true',
    });
  }
  await build(cli);
  const role: ApiRole = options.readOnly ? 'viewer' : 'owner';
  const running = findServing(paths.state);
  if (running !== undefined && options.port === undefined) {
    await show(cli, options, { url: running.url, token: await lastingToken(paths.state, role), running });
    return;
  }
  const served = await startServing(cli, options);
  const stop = stopSignal(cli);
  try {
    // One that lasts, so that a page that is open goes on when the server is started again.
    const token = await lastingToken(paths.state, role);
    await show(cli, options, { url: served.serving.url, token, running: undefined });
    await stop.stopped;
  } finally {
    stop.release();
    await served.close();
  }
}

/** The package has the page; a checkout builds it the first time. */
async function build(cli: Cli): Promise<void> {
  if (findPackageFile(PAGE) !== undefined) return;
  const source = findPackageFile('dashboard/vite.config.ts');
  const command = ['npm', 'run', 'build:dashboard'] as const;
  const hint = command.join(' ');
  if (source === undefined) throw new MnemeError('not-found', 'This installation has no dashboard.', { hint });
  cli.warn('Building the dashboard; this is done once.');
  const { code, stderr } = await run(command[0], command.slice(1), {
    cwd: path.resolve(path.dirname(source), '..'),
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (code === 0 && findPackageFile(PAGE) !== undefined) return;
  throw new MnemeError('not-found', `The dashboard could not be built: ${stderr.trim().split('\n').at(-1) ?? ''}`, {
    hint,
  });
}

/** Read from the file by every server of the home, in this process or another. */
async function lastingToken(state: string, role: ApiRole): Promise<string> {
  const tokens = new TokenFile(state);
  const nowMs = systemClock.now();
  for (const { name, created } of tokens.list()) {
    if (name.startsWith(TOKEN_NAME) && Date.parse(created) < nowMs - KEPT_MS) await tokens.revoke(name);
  }
  const name = TOKEN_NAME + Buffer.from(systemRandom.bytes(4)).toString('hex');
  return tokens.add({ name, role }, systemRandom, new Date(nowMs).toISOString());
}

interface Shown {
  readonly url: string;
  readonly token: string;
  readonly running: Announced | undefined;
}

async function show(cli: Cli, options: DashboardOptions, { url, token, running }: Shown): Promise<void> {
  // Behind the #, a browser sends it to nobody; the page trades it for a cookie and takes it out of the address.
  const address = `${url}/#token=${encodeURIComponent(token)}`;
  const problem = options.open ? await openInBrowser(address) : undefined;
  const isOpened = options.open && problem === undefined;
  cli.print(options, { url: address, isOpened, pid: running?.pid ?? process.pid }, () =>
    [
      `${cli.style.bold('Dashboard')}  ${address}`,
      cli.style.dim('The address holds a key to this memory; do not share it.'),
      running === undefined ? cli.style.dim('Ctrl-C ends it.') : cli.style.dim(`Served by process ${running.pid}.`),
      '',
    ].join('\n'),
  );
  if (problem !== undefined) cli.warn(`No browser could be opened (${problem}). Open the address yourself.`);
}

/** Why none was opened; undefined when one was. */
async function openInBrowser(address: string): Promise<string | undefined> {
  const [command, args] = browserCommand(address);
  if (
    command === 'xdg-open' &&
    readVariable('DISPLAY') === undefined &&
    readVariable('WAYLAND_DISPLAY') === undefined
  ) {
    return 'there is no screen here';
  }
  try {
    const { code, stderr } = await run(command, args, { timeoutMs: OPEN_TIMEOUT_MS });
    return code === 0 ? undefined : `${command} ended with ${code} ${stderr.trim()}`.trim();
  } catch (error) {
    return errorMessage(error);
  }
}

function browserCommand(address: string): readonly [string, readonly string[]] {
  if (process.platform === 'darwin') return ['open', [address]];
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
