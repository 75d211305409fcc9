import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { Mneme } from '../../mneme.ts';
import { CallQueue } from './call-queue.ts';
import { HttpEndpoint, type EndpointClient } from './http-endpoint.ts';
import { OpenHome } from './open-home.ts';
import { ResourceChanges } from './resource-changes.ts';
import { HOUR_MS } from '../../model/time.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ANNA: EndpointClient = { key: 'anna', name: 'anna', access: { mode: 'full', actor: 'bot:main' } };
const BEN: EndpointClient = { key: 'ben', name: 'ben', access: { mode: 'read-only', actor: 'reader:ben' } };

const home = makeTemporaryFolder();
const opened = new OpenHome(home, () => Mneme.open({ home }));
let nowMs = 0;
const open: HttpEndpoint[] = [];

beforeAll(() => initTestHome(home));
afterEach(async () => {
  for (const endpoint of open.splice(0)) await endpoint.close();
});
afterAll(() => opened.close());

function start(maxSessions?: number): HttpEndpoint {
  const onProblem = (): void => undefined;
  const changes = new ResourceChanges(opened, onProblem);
  const parts = { home: opened, calls: new CallQueue(), changes, version: '0', onProblem };
  const endpoint = new HttpEndpoint(parts, { maxBodyBytes: 1_000_000, clock: { now: () => nowMs }, maxSessions });
  open.push(endpoint);
  return endpoint;
}

function request(method: string, session?: string, body?: unknown): Request {
  return new Request('http://localhost/mcp', {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const post = (session: string | undefined, body: unknown): Request => request('POST', session, body);

async function begin(endpoint: HttpEndpoint, client = ANNA): Promise<string> {
  const response = await endpoint.answer(post(undefined, HELLO), client);
  await response.text();
  return response.headers.get('mcp-session-id') ?? 'none';
}

/** Names of the tools, or the status of whoever refuses. */
async function list(endpoint: HttpEndpoint, session: string, client = ANNA): Promise<string> {
  const response = await endpoint.answer(post(session, LIST), client);
  const text = await response.text();
  if (response.status !== 200) return String(response.status);
  return `${text.includes('memory_write') ? 'writes' : 'reads'} ${response.headers.has('mcp-session-id') ? 'in' : 'without'} a session`;
}

// SPEC MCP-5
describe('a session over HTTP', () => {
  it('begins with the first message and ends when its client says so', async () => {
    const endpoint = start();
    const session = await begin(endpoint);
    expect(session).toMatch(/^[\w-]{32}$/u);
    expect(await list(endpoint, session)).toBe('writes in a session');
    expect((await endpoint.answer(request('DELETE', session), ANNA)).status).toBe(200);
    expect(await list(endpoint, session)).toBe('404');
    expect((await endpoint.answer(request('GET', session), ANNA)).status).toBe(404);
  });

  it('is closed to whoever holds another token', async () => {
    const endpoint = start();
    const session = await begin(endpoint);
    expect(await list(endpoint, session, BEN)).toBe('reads without a session');
    expect((await endpoint.answer(request('GET', session), BEN)).status).toBe(404);
    expect((await endpoint.answer(request('DELETE', session), BEN)).status).toBe(404);
    expect(await list(endpoint, session)).toBe('writes in a session');
  });

  it('may be gone: calls are answered all the same, and who listens is told', async () => {
    const session = await begin(start());
    const anotherServer = start();
    expect(await list(anotherServer, session)).toBe('writes without a session');
    expect((await anotherServer.answer(request('GET', session), ANNA)).status).toBe(404);
    expect(await list(anotherServer, await begin(anotherServer))).toBe('writes in a session');
  });

  it('ends when nobody used it for an hour, unless somebody listens', async () => {
    const endpoint = start();
    const silent = await begin(endpoint);
    const listening = await begin(endpoint);
    const stream = await endpoint.answer(request('GET', listening), ANNA);
    nowMs += HOUR_MS + 1;
    await begin(endpoint);
    expect(await list(endpoint, silent)).toBe('writes without a session');
    expect(await list(endpoint, listening)).toBe('writes in a session');
    await stream.body?.cancel();
    nowMs += HOUR_MS + 1;
    await begin(endpoint);
    expect(await list(endpoint, listening)).toBe('writes without a session');
  });

  it('is one of a few: who is silent longest makes room, and who finds none is served without', async () => {
    const endpoint = start(2);
    const oldest = await begin(endpoint);
    nowMs += 1;
    const newer = await begin(endpoint);
    nowMs += 1;
    const newest = await begin(endpoint);
    expect(await list(endpoint, oldest)).toBe('writes without a session');
    const streams = [newer, newest].map((session) => endpoint.answer(request('GET', session), ANNA));
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await begin(endpoint)).toBe('none');
    expect(await list(endpoint, newer)).toBe('writes in a session');
  });

  it('reaches its client between two requests', async () => {
    const endpoint = start();
    const session = await begin(endpoint);
    const uri = 'mneme://file/watched.md';
    const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri } };
    expect(await (await endpoint.answer(post(session, subscribe), ANNA)).text()).toContain('"result":{}');
    const stream = await endpoint.answer(request('GET', session), ANNA);
    fs.writeFileSync(path.join(home, 'workspace', 'watched.md'), 'changed\n');
    const heard = await readUntil(stream, 'resources/updated');
    expect(heard).toContain(uri);
  });

  it.each([
    ['half of a message', '{"jsonrpc":"2.0","id":1,"method":"tools/l', 400],
    ['nothing', '', 400],
    ['a number', '7', 400],
    ['a first message without its parts', { jsonrpc: '2.0', id: 1, method: 'initialize' }, 200],
  ])('outlives %s', async (_what, body, status) => {
    const endpoint = start();
    const session = await begin(endpoint);
    expect((await endpoint.answer(post(undefined, body), ANNA)).status).toBe(status);
    expect((await endpoint.answer(post(session, body), ANNA)).status).toBe(status);
    expect(await list(endpoint, session)).toBe('writes in a session');
  });
});

async function readUntil(response: Response, words: string): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(words)) break;
  }
  return text;
}
