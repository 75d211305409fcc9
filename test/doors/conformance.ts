/**
 * The official conformance suite against Mneme's HTTP server: `npm run test:conformance`. Its scenarios call tools, prompts
 * and resources of the suite's own; they are added to the servers Mneme makes (conformance-fixtures.ts). What would not
 * apply is named in `conformance.yaml`, with the reason.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { CallQueue } from '../../src/interfaces/mcp/call-queue.ts';
import { OpenHome } from '../../src/interfaces/mcp/open-home.ts';
import { ResourceChanges } from '../../src/interfaces/mcp/resource-changes.ts';
import { TokenTable, serveHttp } from '../../src/interfaces/mcp/serve-http.ts';
import { Mneme } from '../../src/mneme.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';
import { conformanceFixtures } from './conformance-fixtures.ts';

const require = createRequire(import.meta.url);
const TOKEN = 'the-token-of-the-conformance-run';

/** The suite sends no token, and Mneme serves nobody without: a door in between adds it, and nothing else. */
async function addToken(target: URL, token: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = http.request(target, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', (error) => response.destroy(error));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${target.pathname}`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

/** As `mneme mcp --http` serves, with the suite's examples besides our own. */
async function serve(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const cli = new TestCli();
  await cli.init();
  const home = new OpenHome(cli.home, () => Mneme.open({ home: cli.home, actor: 'bot:main' }));
  const onProblem = (message: string): void => console.error(message);
  const changes = new ResourceChanges(home, onProblem);
  const serving = await serveHttp(
    { home, calls: new CallQueue(), changes, version: '0', extension: conformanceFixtures, onProblem },
    {
      host: '127.0.0.1',
      port: 0,
      tokens: new TokenTable([{ name: 'suite', token: TOKEN, access: { mode: 'full', actor: 'bot:main' } }]),
      allowedHosts: [],
      allowedOrigins: [],
      maxBodyBytes: 4 * 1024 * 1024,
      maxRequestsPerMinute: 6000,
      timeoutMs: 30_000,
      clock: systemClock,
    },
  );
  const close = async (): Promise<void> => {
    await serving.close();
    await home.close();
  };
  return { url: serving.url, close };
}

export interface ConformanceResult {
  /** Scenarios that passed, of those that there are. */
  readonly passed: number;
  readonly scenarios: number;
  /** Empty when everything passed that applies to Mneme; otherwise what the suite says. */
  readonly complaint: string;
}

export async function runConformance(): Promise<ConformanceResult> {
  const server = await serve();
  const door = await addToken(new URL(server.url), TOKEN);
  const suite = require.resolve('@modelcontextprotocol/conformance/package.json');
  const { bin } = JSON.parse(fs.readFileSync(suite, 'utf8')) as { bin: { conformance: string } };
  const entry = path.join(path.dirname(suite), bin.conformance);
  const baseline = path.join(import.meta.dirname, 'conformance.yaml');
  const args = [entry, 'server', '--url', door.url, '--suite', 'all', '--expected-failures', baseline];
  const child = spawn(process.execPath, args, { cwd: makeTemporaryFolder() });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  door.close();
  await server.close();
  // A scenario that found nothing to look at counts as passed in the suite's own table.
  const passed = said.match(/^✓ \S+: [1-9]\d* passed, 0 failed$/gmu) ?? [];
  const ran = said.match(/^[✓✗] \S+: \d+ passed, \d+ failed$/gmu) ?? [];
  return { passed: passed.length, scenarios: ran.length, complaint: code === 0 ? '' : said };
}

if (import.meta.main) {
  const { complaint, ...counts } = await runConformance();
  if (complaint !== '') console.error(complaint);
  console.log(JSON.stringify(counts));
  process.exit(complaint === '' ? 0 : 1);
}
