import type { Mneme as OpenedMneme } from '../../../mneme.ts';
import { readHome } from '../../../workspace/home.ts';
import type { Config } from '../../../model/config/schema.ts';
import { resolveAccess, type Access } from '../../mcp/access.ts';
import { CallQueue } from '../../mcp/call-queue.ts';
import type { Compat } from '../../mcp/compat/compat.ts';
import { OpenHome } from '../../mcp/open-home.ts';
import { ResourceChanges } from '../../mcp/resource-changes.ts';
import { serveStdio } from '../../mcp/serve-stdio.ts';
import type { ServerParts } from '../../mcp/server.ts';
import type { Cli } from '../cli.ts';
import { stopSignal } from './stop-signal.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { selfCommand } from '../self-command.ts';
import { readVersion } from '../version.ts';
import { serveOverHttp } from './serve-mcp-http.ts';
import type { McpOptions } from './mcp-options.ts';

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
