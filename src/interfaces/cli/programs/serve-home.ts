import path from 'node:path';
import type { Mneme as OpenedMneme } from '../../../mneme.ts';
import type { Config } from '../../../model/config/schema.ts';
import { MnemeError } from '../../../model/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readVariable } from '../../../platform/environment.ts';
import { systemRandom } from '../../../platform/random.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { readHome } from '../../../workspace/home.ts';
import { ApiClients } from '../../http/access/clients.ts';
import { type ApiClient, ROLE_OF_SETTING, TokenFile, createClient } from '../../http/access/token-file.ts';
import { serveApi, type Serving, ANSWER_THREADS } from '../../http/serve.ts';
import { CallQueue } from '../../mcp/call-queue.ts';
import { OpenHome } from '../../mcp/open-home.ts';
import { isLoopback } from '../../mcp/serve-http.ts';
import type { Cli } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { readVersion, selfCommand } from '../version.ts';
import { type ServeOptions, stopSignal } from './serve-options.ts';
import { MAX_BODY_BYTES, announceServing } from '../../listen.ts';

/** The actor for the server's own writes (a session left open), which have no user or agent behind them. */
const SERVER_ACTOR = 'system:serve';

/** Serves until it is told to stop; says on standard error where, and with which token if it made one. */
export async function serveHome(cli: Cli, options: ServeOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'serve');
  const served = await startServing(cli, options);
  const { serving, host, hasLastingTokens } = served;
  cli.io.err(`Mneme serves ${cli.home(options)} at ${serving.url}\n`);
  if (!hasLastingTokens) {
    cli.io.err(`Token of this run, not shown again: ${serving.issueToken('owner', 'owner')}\n`);
    cli.io.err(`${cli.style.dim('Tokens that last: mneme serve tokens add NAME --role ROLE')}\n`);
  }
  if (!isLoopback(host)) cli.warn('Others can reach this address, and what is sent is not encrypted.');
  const stop = stopSignal(cli);
  try {
    await stop.stopped;
  } finally {
    stop.release();
    await served.close();
  }
}

export interface ServedHome {
  readonly serving: Serving;
  readonly host: string;
  readonly hasLastingTokens: boolean;
  /** Finishes what is under way and closes the home. */
  readonly close: () => Promise<void>;
}

/** A home that somebody else has open and closes. */
export interface LentHome {
  readonly mneme: OpenedMneme;
  readonly onProblem: (message: string) => void;
}

/** Opens the home and serves it, or serves one that is open; for every command that does. */
export async function startServing(cli: Cli, options: ServeOptions, lent?: LentHome): Promise<ServedHome> {
  const home = path.resolve(cli.home(options));
  const { config, paths } = await readHome(home);
  const { server: settings } = config;
  const host = options.host ?? settings.host;
  const onProblem = lent?.onProblem ?? ((message) => cli.io.err(`mneme serve: ${plainLine(message)}\n`));
  const open =
    lent === undefined ? openHome(cli, home, onProblem) : new OpenHome(home, () => Promise.resolve(lent.mneme));
  const closeHome = (): Promise<void> => (lent === undefined ? open.close() : Promise.resolve());
  const clients = new ApiClients({
    file: new TokenFile(paths.state),
    configured: configuredClients(settings, readVariable),
    clock: systemClock,
    random: systemRandom,
  });
  const parts = { home: open, calls: new CallQueue(), clients, clock: systemClock, version: readVersion(), onProblem };
  try {
    const serving = await serveApi(parts, {
      host,
      port: options.port ?? settings.port,
      allowedHosts: [...settings.allowed_hosts, ...(options.allowHost ?? [])],
      allowedOrigins: settings.allowed_origins,
      maxBodyBytes: MAX_BODY_BYTES,
      maxRequestsPerMinute: settings.max_requests_per_minute,
      timeoutMs: settings.timeout_ms,
      hasDashboard: settings.dashboard,
      threads: ANSWER_THREADS,
    });
    const unannounce = announceServing(paths.state, { url: serving.url, pid: process.pid });
    const close = async (): Promise<void> => {
      unannounce();
      await serving.close();
      await closeHome();
    };
    return { serving, host, hasLastingTokens: clients.hasLastingTokens, close };
  } catch (error) {
    await closeHome();
    throw error;
  }
}

function openHome(cli: Cli, home: string, onProblem: (message: string) => void): OpenHome {
  const open = async (): Promise<OpenedMneme> => {
    const [{ assertHistoryExists }, { Mneme }] = await Promise.all([
      import('../../../operations/history/missing.ts'),
      import('../../../mneme.ts'),
    ]);
    await assertHistoryExists(home);
    const mneme = await Mneme.open({ home, actor: SERVER_ACTOR, watch: true, background: selfCommand(), onProblem });
    for (const notice of mneme.internals.notices) onProblem(notice);
    return mneme;
  };
  return new OpenHome(home, open, cli.environment.logPlaces?.userHome);
}

/** The tokens of `server.tokens`; a variable that is not set is said, because its holder would only see "401". */
function configuredClients(
  { tokens }: Config['server'],
  read: (name: string) => string | undefined,
): { readonly token: string; readonly client: ApiClient }[] {
  return tokens.map(({ name, role, token_env: variable, scope }) => {
    const token = read(variable);
    if (token !== undefined) return { token, client: createClient(name, ROLE_OF_SETTING[role], scope) };
    throw new MnemeError('usage', `The token of ${name} is missing: ${variable} is not set.`, {
      hint: 'Set the variable, or take the entry out of server.tokens in mneme.yaml.',
    });
  });
}
