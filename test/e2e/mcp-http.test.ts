import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fs from 'node:fs';
import path from 'node:path';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, search, startHttp, type HttpServer } from '../support/mcp.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** `address` stands in the request's first line instead of the path of `url`. */
function post(url: string, headers: Record<string, string>, body = LIST, address?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const options = {
      method: 'POST',
      headers: { ...usual, ...headers },
      ...(address === undefined ? {} : { path: address }),
    };
    const request = http.request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('mcp --http', () => {
  let cli: TestCli;
  let server: HttpServer;
  let authorization: string;
  beforeAll(async () => {
    cli = new TestCli();
    await cli.init();
    server = await startHttp(cli.home);
    authorization = `Bearer ${server.token}`;
  });
  afterAll(async () => {
    await server.stop();
  });

  it('listens on this machine only, and prints a token nobody can guess', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    expect(server.token).toMatch(/^mneme_[\w-]{43}$/u);
  });

  it('serves whoever has the token', async () => {
    expect(await post(server.url, { authorization })).toMatchObject({
      status: 200,
      body: expect.stringContaining('memory_search') as string,
    });
  });

  it.each([
    ['no token', {}, 401],
    ['another token', { authorization: 'Bearer 0123456789012345678901234567890123456789012' }, 401],
    ['a rebound name', { host: 'evil.example' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ])('refuses %s', async (_what, headers: Record<string, string>, status) => {
    const given = status === 403 ? { authorization, ...headers } : headers;
    const answer = await post(server.url, given);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('memory_search');
  });

  it('lets a page on this machine call it', async () => {
    expect((await post(server.url, { authorization, origin: 'http://localhost:3000' })).status).toBe(200);
  });

  it.each([
    ['another path', '/other', LIST, 404],
    ['what is no JSON', '/mcp', '{', 400],
    ['a body of 5 MB', '/mcp', `"${'x'.repeat(5 * 1024 * 1024)}"`, 413],
  ])('refuses %s', async (_what, place, body, status) => {
    expect((await post(new URL(place, server.url).href, { authorization }, body)).status).toBe(status);
  });

  it.each([
    ['//', 400],
    ['http://[', 400],
    ['file:///mcp', 400],
    ['/\\\\', 400],
    ['//mcp', 404],
    ['*', 404],
    ['http://evil.example/mcp', 403],
    ['http://localhost/mcp', 200],
  ])('answers a request to %s, and goes on', async (address, status) => {
    expect((await post(server.url, { authorization }, LIST, address)).status).toBe(status);
    expect((await post(server.url, { authorization })).status).toBe(200);
  });

  it('needs no token to refuse an address that is none', async () => {
    expect((await post(server.url, {}, LIST, '//')).status).toBe(400);
    expect((await post(server.url, {}, LIST, 'http://localhost/mcp')).status).toBe(401);
    expect(server.child.exitCode).toBeNull();
  });

  it.each([
    ['a token that is too short', ['--token', 'short'], 2, 'too short'],
    ['a port there cannot be', ['--port', '99999'], 2, '65535'],
  ])('refuses %s as a mistake in the command', async (_what, args, code, message) => {
    expect(await cli.run(['mcp', '--http', ...args])).toMatchObject({
      code,
      err: expect.stringContaining(message) as string,
    });
  });

  it('says when the port is taken', async () => {
    const { code, err } = await cli.run(['mcp', '--http', '--port', new URL(server.url).port]);
    expect([code, err]).toEqual([1, expect.stringContaining('--port 0')]);
  });

  it('takes a token from the environment, and gives every token of the settings its role and its scope', async () => {
    await cli.ok('remember', 'The plan of Zeus is thunder', '--scope', 'project:zeus');
    await cli.ok('remember', 'The plan of Apollo is music', '--scope', 'project:apollo');
    const zeus = await cli.json<{ hits: { path: string }[] }>('recall', 'thunder', '--scope', 'project:zeus');
    fs.appendFileSync(
      path.join(cli.home, 'mneme.yaml'),
      '\nserver:\n  tokens:\n    - { name: scout, role: subagent, token_env: SCOUT_TOKEN, scope: "project:apollo" }\n    - { name: eye, role: reader, token_env: EYE_TOKEN }\n',
    );
    const tokens = {
      SCOUT_TOKEN: 'scout-scout-scout',
      EYE_TOKEN: 'eye-eye-eye-eye-eye',
      MNEME_MCP_TOKEN: 'main-main-main-main',
    };
    const shared = await startHttp(cli.home, [], tokens);
    expect((await post(shared.url, { authorization: `Bearer ${tokens.MNEME_MCP_TOKEN}` })).status).toBe(200);
    expect((await post(shared.url, { authorization })).status).toBe(401);
    const scout = await connectHttp({ url: shared.url, token: tokens.SCOUT_TOKEN });
    const eye = await connectHttp({ url: shared.url, token: tokens.EYE_TOKEN });
    const plans = async (args: Record<string, unknown>): Promise<string> =>
      (await search(scout, { query: 'what is the plan?', ...args })).hits.map(({ text }) => text).join();
    expect(await plans({})).toContain('music');
    expect(await plans({})).not.toContain('thunder');
    expect((await call(scout, 'memory_search', { query: 'plan', scope: 'project:zeus' })).isError).toBe(true);
    expect((await call(scout, 'memory_read', { path: zeus.hits[0]?.path })).isError).toBe(true);
    const main = await connectHttp({ url: shared.url, token: tokens.MNEME_MCP_TOKEN });
    expect((await call(main, 'memory_read', { path: zeus.hits[0]?.path })).text).toContain('thunder');
    expect((await call(eye, 'memory_read', { path: zeus.hits[0]?.path })).isError).toBe(true);
    // The log of every change is in nobody's folder, and tells of all of them.
    const log = { path: 'memory/meta/audit.log' };
    expect((await call(main, 'memory_read', log)).text).toContain('project--zeus');
    expect((await call(eye, 'memory_read', log)).isError).toBe(true);
    for (const name of [
      'memory/meta/audit.log',
      'memory/meta/../meta/audit.log',
      'mneme://file/memory/meta/audit.log',
    ]) {
      const answer = await call(scout, 'memory_read', { path: name, from: 1, lines: 1 });
      expect([answer.isError, answer.text.includes('zeus')]).toEqual([true, false]);
    }
    await expect(scout.readResource({ uri: 'mneme://file/memory/meta/audit.log' })).rejects.toThrow(/not found/iu);
    expect((await call(scout, 'memory_read', { path: zeus.hits[0]?.path, from: 9999 })).text).not.toMatch(/\d+ lines/u);
    expect((await call(scout, 'memory_read', { path: 'MEMORY.md' })).isError).toBe(false);
    expect((await call(scout, 'memory_read', { path: 'MEMORY.md', from: 2, to: 2 })).structured).toMatchObject({
      message: expect.stringContaining('Lines 2 to 2') as string,
    });
    const { structured } = await call(scout, 'memory_write', { text: 'Apollo sings' });
    expect(structured).toMatchObject({ outcome: 'filed' });
    const waiting = await cli.json<{ id: string; scope?: string }[]>('proposals');
    expect(waiting.find(({ id }) => id === structured['proposal'])?.scope).toBe('project:apollo');
    expect((await eye.listTools()).tools.map(({ name }) => name)).not.toContain('memory_write');
    await Promise.all([scout.close(), eye.close(), main.close()]);
    expect(await shared.stop()).toBeUndefined();
  });
});
