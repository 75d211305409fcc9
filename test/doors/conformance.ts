/**
 * The official conformance suite against `mneme mcp --http`: `npm run test:conformance`. Scenarios that ask for tools,
 * prompts and resources of the suite's own example server cannot pass on any other; `conformance.yaml` names them.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';
import { startHttp } from '../support/mcp.ts';

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

async function main(): Promise<number> {
  const cli = new TestCli();
  await cli.ok('init', '--yes');
  const server = await startHttp(cli.home);
  const door = await addToken(new URL(server.url), server.token);
  const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  const { bin } = JSON.parse(fs.readFileSync(suite, 'utf8')) as { bin: { conformance: string } };
  const entry = path.join(path.dirname(suite), bin.conformance);
  const baseline = path.join(import.meta.dirname, 'conformance.yaml');
  const args = [entry, 'server', '--url', door.url, '--suite', 'all', '--expected-failures', baseline];
  const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: makeTemporaryFolder() });
  const code = await new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
  door.close();
  await server.stop();
  return code;
}

process.exit(await main());
