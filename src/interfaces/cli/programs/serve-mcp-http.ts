import type { Config } from '../../../model/config/schema.ts';
import { MnemeError } from '../../../model/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readVariable } from '../../../platform/environment.ts';
import { systemRandom } from '../../../platform/random.ts';
import type { Access } from '../../mcp/access.ts';
import { makeToken } from '../../http/access/token-file.ts';
import { configuredTokens, TokenTable } from '../../mcp/http-access.ts';
import { isLoopback, serveHttp } from '../../mcp/serve-http.ts';
import type { ServerParts } from '../../mcp/server.ts';
import type { Cli } from '../cli.ts';
import { TOKEN_VARIABLE, type McpOptions } from './mcp-options.ts';
import { MAX_BODY_BYTES } from '../../listen.ts';

/** Shorter ones can be guessed. */
const MIN_TOKEN_CHARS = 16;

interface HttpRequest {
  readonly access: Access;
  readonly options: McpOptions;
  readonly config: Config;
  readonly stop: Promise<void>;
}

/** Serves until it is told to stop; says on standard error where, and with which token if it made one. */
export async function serveOverHttp(cli: Cli, parts: ServerParts, request: HttpRequest): Promise<void> {
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
