import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { failureOf } from './ending.ts';
import { NO_WORKER } from './home.ts';

export const bin = path.resolve(import.meta.dirname, '../../bin/mneme');

const CLIENT = { name: 'test', version: '1' };
/** Instead of the client's own minute: ten programs that start at once on a busy machine need longer than that. */
const PATIENT = { timeout: 115_000 };

export interface StructuredHits {
  readonly hits: readonly {
    readonly id: string;
    readonly path: string;
    readonly text: string;
    readonly trust: string;
  }[];
  readonly message: string;
}

export interface CalledTool {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
}

/** Calls a tool as an agent would, and reads both faces of the answer. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<CalledTool> {
  const result = await client.callTool({ name, arguments: args }, PATIENT);
  const [first] = result.content;
  return {
    text: first?.type === 'text' ? first.text : '',
    structured: (result.structuredContent ?? {}) as Record<string, unknown>,
    isError: result.isError === true,
  };
}

export async function search(client: Client, args: Record<string, unknown>): Promise<StructuredHits> {
  return (await call(client, 'memory_search', args)).structured as unknown as StructuredHits;
}

/** The official client, over the pipes of a server it starts itself. */
export async function connectStdio(
  home: string,
  args: readonly string[] = [],
  options?: ClientOptions,
): Promise<Client> {
  const client = new Client(CLIENT, options);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, '--home', home, 'mcp', ...args],
      stderr: 'ignore',
      env: { ...getDefaultEnvironment(), ...NO_WORKER },
    }),
    PATIENT,
  );
  return client;
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Says what went wrong; undefined when it stopped cleanly. */
  readonly stop: () => Promise<string | undefined>;
}

/** `mneme mcp --http` on a free port; address and token are what it printed. */
export async function startHttp(
  home: string,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [bin, '--home', home, 'mcp', '--http', '--port', '0', ...args], { env });
  const ended = failureOf(child);
  const printed = await new Promise<string>((resolve, reject) => {
    let text = '';
    const isReady = (): boolean => /serves MCP at \S+ .*\n/u.test(text);
    const hasToken = (): boolean => variables['MNEME_MCP_TOKEN'] !== undefined || /not shown again: \S+\n/u.test(text);
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (isReady() && hasToken()) resolve(text);
    });
    void ended.then((failure = `exit 0: ${text}`) => reject(new Error(`mneme mcp ended too soon, ${failure}`)));
  });
  return {
    url: /serves MCP at (\S+)/u.exec(printed)?.[1] ?? '',
    token: variables['MNEME_MCP_TOKEN'] ?? /not shown again: (\S+)/u.exec(printed)?.[1] ?? '',
    child,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

export async function connectHttp(
  { url, token }: Pick<HttpServer, 'url' | 'token'>,
  options?: ClientOptions,
): Promise<Client> {
  const client = new Client(CLIENT, options);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), PATIENT);
  return client;
}

/** Asks again until the answer is right; the test's own time limit ends the wait. */
export async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
