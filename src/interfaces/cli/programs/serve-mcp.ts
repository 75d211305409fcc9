import type { Mneme as OpenedMneme } from '../../../mneme.ts';
import { MnemeError } from '../../../model/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readVariable } from '../../../platform/environment.ts';
import { systemRandom } from '../../../platform/random.ts';
import { readHome } from '../../../workspace/home.ts';
import type { Config } from '../../../model/config/schema.ts';
import { makeToken } from '../../http/access/token-file.ts';
import { MAX_BODY_BYTES } from '../../listen.ts';
import { type Access, resolveAccess } from '../../mcp/access.ts';
import { CallQueue } from '../../mcp/call-queue.ts';
import type { Compat } from '../../mcp/compat/server-memory.ts';
import { OpenHome } from '../../mcp/open-home.ts';
import { ResourceChanges } from '../../mcp/resource-changes.ts';
import { TokenTable, configuredTokens, isLoopback, serveHttp } from '../../mcp/serve-http.ts';
import { serveStdio } from '../../mcp/stdio-transport.ts';
import type { ServerParts } from '../../mcp/server.ts';
import type { Cli } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { readVersion, selfCommand } from '../version.ts';
import { type McpOptions, TOKEN_VARIABLE, stopSignal } from './serve-options.ts';

/** Serves until the client has gone or somebody stops it. */
export async function serveMcp(cli: Cli, options: McpOptions): Promise<void> {
  const home = cli.home(options);
  const { config } = await readHome(home);
  const access = accessOf(cli, options, config);
  const parts = openParts(cli, home, access, options.compat);
  const stop = stopSignal(cli);
  try {
    if (options.http) {
      await serveOverHttp(cli, parts, { access, options, config, stop: stop.stopped });
    } else {
      const serving = serveStdio(parts, access);
      await Promise.race([serving.ended, stop.stopped]);
      await serving.close();
    }
  } finally {
    stop.release();
    await parts.home.close();
  }
}

/** A program is at the other end, so nobody is taken for a person here, whatever `--as` says. */
function accessOf(cli: Cli, options: McpOptions, { server }: Config): Access {
  const isNamed = (options.as ?? cli.environment.actor) !== undefined;
  const named = isNamed ? cli.actor(options) : undefined;
  const access = resolveAccess({ mode: options.mode, actor: named, usualMode: server.mcp_mode });
  if (named !== undefined && access.actor !== named) {
    cli.warn(`MCP serves agents and nobody acts as a person over it: this is ${access.actor}, not ${named}.`);
  }
  return access;
}

function openParts(cli: Cli, path: string, { actor }: Access, compat: Compat | undefined): ServerParts {
  const onProblem = (message: string): void => cli.io.err(`mneme mcp: ${plainLine(message)}\n`);
  const open = async (): Promise<OpenedMneme> => {
    const [{ assertHistoryExists }, { Mneme }] = await Promise.all([
      import('../../../operations/history/missing.ts'),
      import('../../../mneme.ts'),
    ]);
    await assertHistoryExists(path);
    const mneme = await Mneme.open({ home: path, actor, watch: true, background: selfCommand(), onProblem });
    for (const notice of mneme.internals.notices) onProblem(notice);
    return mneme;
  };
  const home = new OpenHome(path, open, cli.environment.logPlaces?.userHome);
  // Opened while the client still says hello; a failure is told again by the first call.
  home.get().catch((error: unknown) => onProblem(error instanceof Error ? error.message : String(error)));
  const changes = new ResourceChanges(home, onProblem);
  return { home, calls: new CallQueue(), changes, compat, version: readVersion(), onProblem };
}

/** Shorter ones can be guessed. */
const MIN_TOKEN_CHARS = 16;

interface HttpRequest {
  readonly access: Access;
  readonly options: McpOptions;
  readonly config: Config;
  readonly stop: Promise<void>;
}

/** Serves until it is told to stop; says on standard error where, and with which token if it made one. */
async function serveOverHttp(cli: Cli, parts: ServerParts, request: HttpRequest): Promise<void> {
  const { access, options, config } = request;
  const { server: settings } = config;
  const host = options.host ?? settings.host;
  const { tokens, newToken } = prepareTokens(request);
  const serving = await serveHttp(parts, {
    host,
    port: options.port ?? settings.port,
    tokens,
    allowedHosts: [...settings.allowed_hosts, ...(options.allowHost ?? [])],
    allowedOrigins: settings.allowed_origins,
    maxBodyBytes: MAX_BODY_BYTES,
    maxRequestsPerMinute: settings.max_requests_per_minute,
    timeoutMs: settings.timeout_ms,
    clock: systemClock,
  });
  cli.io.err(`Mneme serves MCP at ${serving.url} (${access.mode}).\n`);
  if (newToken !== undefined) cli.io.err(`Token, not shown again: ${newToken}\n`);
  if (!isLoopback(host)) cli.warn('Others can reach this address, and what is sent is not encrypted.');
  await request.stop;
  await serving.close();
}

/** The token given, those of the settings, or a new one where there is neither. */
function prepareTokens({ access, options, config }: HttpRequest): {
  readonly tokens: TokenTable;
  readonly newToken: string | undefined;
} {
  const configured = configuredTokens(config.server, access.mode, readVariable);
  const given = options.token ?? readVariable(TOKEN_VARIABLE);
  if (given !== undefined && given.length < MIN_TOKEN_CHARS) {
    throw new MnemeError('usage', `The token is too short to be safe: ${given.length} characters.`, {
      hint: `Use at least ${MIN_TOKEN_CHARS}, or leave it out and take the one that is printed.`,
    });
  }
  const newToken = given === undefined && configured.length === 0 ? makeToken(systemRandom) : undefined;
  const own = given ?? newToken;
  const named = own === undefined ? [] : [{ name: 'default', token: own, access }];
  return { tokens: new TokenTable([...named, ...configured]), newToken };
}
