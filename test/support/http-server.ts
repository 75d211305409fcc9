import path from 'node:path';
import { MnemeClient } from '../../src/client/client.ts';
import { Mneme } from '../../src/mneme.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { initTestHome, makeTemporaryFolder } from './home.ts';
import { CallQueue } from '../../src/interfaces/mcp/call-queue.ts';
import { OpenHome } from '../../src/interfaces/mcp/open-home.ts';
import { ApiClients } from '../../src/interfaces/http/access/clients.ts';
import { TokenFile } from '../../src/interfaces/http/access/token-file.ts';
import type { ApiRole } from '../../src/interfaces/http/route.ts';
import { serveApi, type ServeOptions, type Serving } from '../../src/interfaces/http/serve.ts';

/** A home that is served in this process, for tests and benchmarks. */
export interface TestServer {
  readonly home: string;
  readonly mneme: Mneme;
  readonly serving: Serving;
  readonly url: string;
  readonly tokens: TokenFile;
  readonly problems: readonly string[];
  readonly token: (role: ApiRole) => string;
  readonly client: (role: ApiRole) => MnemeClient;
  readonly close: () => Promise<void>;
}

const USUAL: ServeOptions = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  maxBodyBytes: 100_000,
  maxRequestsPerMinute: 0,
  timeoutMs: 20_000,
  hasDashboard: false,
  threads: 0,
};

export async function serveTestHome(options: Partial<ServeOptions> = {}, given?: string): Promise<TestServer> {
  const home = given ?? path.join(makeTemporaryFolder(), 'home');
  if (given === undefined) await initTestHome(home);
  const problems: string[] = [];
  const onProblem = (message: string): void => void problems.push(message);
  const mneme = await Mneme.open({ home, actor: 'system:serve', onProblem });
  const open = new OpenHome(home, () => Promise.resolve(mneme));
  const tokens = new TokenFile(path.join(home, 'state'));
  const clients = new ApiClients({ file: tokens, configured: [], clock: systemClock, random: systemRandom });
  const parts = { home: open, calls: new CallQueue(), clients, clock: systemClock, version: 'test', onProblem };
  const serving = await serveApi(parts, { ...USUAL, ...options });
  const issued = new Map<ApiRole, string>();
  const token = (role: ApiRole): string => {
    const known = issued.get(role) ?? serving.issueToken(role, role);
    issued.set(role, known);
    return known;
  };
  return {
    home,
    mneme,
    serving,
    url: serving.url,
    tokens,
    problems,
    token,
    client: (role) => new MnemeClient({ baseUrl: serving.url, token: token(role) }),
    close: async () => {
      await serving.close();
      await open.close();
    },
  };
}
