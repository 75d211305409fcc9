import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, MnemeClient } from '../../src/client/client.ts';
import { API_ROLES, mayCall } from '../../src/interfaces/http/route.ts';
import { loadRoutes } from '../../src/interfaces/http/routes/routes.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';

const routes = await loadRoutes();

const ORIGIN = 'https://notes.example';

/** What a program that is no browser can send; `fetch` sets Host and Origin itself. */
function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

// SPEC HTTP-1, HTTP-2
describe('who may ask over HTTP', () => {
  let server: TestServer;
  const paths = [...routes.map(({ method, path }) => ({ method, path })), { method: 'GET', path: '/api/v1/events' }];

  beforeAll(async () => {
    server = await serveTestHome({ allowedOrigins: [ORIGIN], maxBodyBytes: 4096 });
  });
  afterAll(() => server.close());

  const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: method === 'GET' ? null : '{}',
    });
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

  // First: what follows asks so often without a token that guests have to wait.
  it('exchanges a token for a cookie that only the page’s own requests may use', async () => {
    const page = new MnemeClient({ baseUrl: server.url });
    await expect(page.logIn('mneme_wrong')).rejects.toMatchObject({
      status: expect.any(Number) as number,
      name: 'ApiError',
    });
    const response = await fetch(`${server.url}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: server.token('viewer') }),
    });
    const cookies = response.headers.get('set-cookie') ?? '';
    expect(response.status).toBe(200);
    expect(cookies).toMatch(/^mneme_session_\d+=[\w-]{40,}; Path=\/; HttpOnly; SameSite=Strict/u);
    expect(cookies).not.toContain(server.token('viewer'));
    const cookie = cookies.split(';')[0] ?? '';
    expect(await (await ask('GET', '/api/v1/me', { cookie })).json()).toMatchObject({
      role: 'viewer',
      canWrite: false,
    });
    expect((await ask('GET', '/api/v1/me', { cookie, 'sec-fetch-site': 'same-site' })).status).not.toBe(200);
    await ask('POST', '/api/v1/logout', { cookie });
    expect((await ask('GET', '/api/v1/me', { cookie })).status).not.toBe(200);
  });

  it('lets nobody in without a token, or with a wrong one, anywhere', async () => {
    // Whoever has no token may try only so often; the count must not end the test early.
    const statuses = new Set<number>();
    for (const { method, path } of paths) {
      for (const headers of [{}, bearer('mneme_wrong'), { cookie: `mneme_session_${new URL(server.url).port}=x` }]) {
        statuses.add((await ask(method, path, headers)).status);
      }
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await fetch(`${server.url}/metrics`)).status).not.toBe(200);
    expect((await fetch(`${server.url}/mcp`, { method: 'POST' })).status).not.toBe(200);
  });

  it('refuses whoever may read, look or propose what only others may do, everywhere', async () => {
    const wrong: string[] = [];
    for (const role of API_ROLES) {
      for (const { method, path, needs } of routes.filter((route) => !mayCall(role, route.needs))) {
        const response = await ask(method, path, bearer(server.token(role)));
        if (response.status !== 403) wrong.push(`${role} ${path} ${response.status} ${needs}`);
      }
    }
    expect(wrong).toEqual([]);
    const changed = await server.client('owner').call('log');
    expect(changed.entries.every(({ actor }) => actor.startsWith('system:'))).toBe(true);
  });

  it('refuses a foreign page and a foreign name for this machine, everywhere', async () => {
    const { host } = new URL(server.url);
    const token = server.token('owner');
    const wrong: string[] = [];
    for (const { method, path } of [
      ...paths,
      { method: 'GET', path: '/' },
      { method: 'GET', path: '/healthz' },
      { method: 'POST', path: '/mcp' },
    ]) {
      const head = [
        `${method} ${path} HTTP/1.1`,
        `Authorization: Bearer ${token}`,
        'Connection: close',
        'Content-Length: 0',
      ];
      for (const site of [
        ['Host: evil.example'],
        ['Host: 127.0.0.1.evil.example'],
        [`Host: ${host}`, 'Origin: http://evil.example'],
        [`Host: ${host}`, 'Origin: null'],
        [`Host: ${host}`, 'Origin: http://127.0.0.1:1'],
      ]) {
        const [status = ''] = (await sendRaw(server.url, [...head, ...site])).split('\r\n');
        if (!status.includes(' 403 ')) wrong.push(`${path} ${site.join()} ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    const absolute = await sendRaw(server.url, [
      'GET http://evil.example/healthz HTTP/1.1',
      `Host: ${host}`,
      'Connection: close',
    ]);
    expect(absolute).toContain(' 403 ');
    const noHost = await sendRaw(server.url, [
      'GET /healthz HTTP/1.1',
      `Host: ${host}.evil.example`,
      'Connection: close',
    ]);
    expect(noHost).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"usage"/u);
  });

  it('answers a page that the settings name, with a token and without cookies', async () => {
    const own = { ...bearer(server.token('reader')), origin: ORIGIN };
    const response = await ask('GET', '/api/v1/me', own);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await fetch(`${server.url}/api/v1/recall`, { method: 'OPTIONS', headers: { origin: ORIGIN } });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('authorization'),
    ]);
  });

  it('knows tokens of the home, and forgets those that were revoked at once', async () => {
    const token = await server.tokens.add({ name: 'laptop', role: 'main' }, systemRandom, '2026-02-16T00:00:00Z');
    const client = new MnemeClient({ baseUrl: server.url, token });
    expect(await client.me()).toMatchObject({ name: 'laptop', actor: 'bot:laptop', home: null });
    await server.tokens.revoke('laptop');
    await expect(client.me()).rejects.toBeInstanceOf(ApiError);
  });

  it('keeps a confined token within its scope', async () => {
    const token = await server.tokens.add({ name: 'atlas', role: 'main', scope: 'project:atlas' }, systemRandom, '');
    const client = new MnemeClient({ baseUrl: server.url, token });
    await expect(client.call('recall', { query: 'x', scope: 'project:other' })).rejects.toMatchObject({ status: 403 });
    await expect(client.call('growth')).rejects.toMatchObject({ status: 403 });
    expect((await client.call('recall', { query: 'x' })).hits).toEqual([]);
  });

  it('takes no body that is too large, not JSON, or no object', async () => {
    const send = async (body: string, type = 'application/json'): Promise<number> => {
      const headers = { ...bearer(server.token('owner')), 'content-type': type };
      return (await fetch(`${server.url}/api/v1/recall`, { method: 'POST', headers, body })).status;
    };
    expect(await send(JSON.stringify({ query: 'x'.repeat(5000) }))).toBe(413);
    expect(await send('{"query":"x"}', 'text/plain')).toBe(415);
    expect(await send('{"query"')).toBe(400);
    expect(await send('[1]')).toBe(400);
    expect(await send('{"query":"x"}')).toBe(200);
  });

  it('shows no file of this machine, whatever the address says', async () => {
    const { host } = new URL(server.url);
    for (const path of [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '//etc/passwd',
      '/assets/../../package.json',
      '/api/v1/../../etc/passwd',
      '/%00',
      '/%zz',
    ]) {
      const answer = await sendRaw(server.url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400|401|404|429) /u);
    }
  });
});

describe('how much one client may ask for', () => {
  it('tells whoever asks too often when to come back, and goes on serving others', async () => {
    const server = await serveTestHome({ maxRequestsPerMinute: 5 });
    try {
      const results = await Promise.allSettled(Array.from({ length: 12 }, () => server.client('reader').me()));
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as ApiError] : []));
      expect(refused.map(({ status, code }) => [status, code])).toEqual(Array.from({ length: 7 }, () => [429, 'rate']));
      expect(await server.client('owner').me()).toMatchObject({ role: 'owner' });
    } finally {
      await server.close();
    }
  });

  it('lets go of a client that never finishes what it sends', async () => {
    const server = await serveTestHome({ timeoutMs: 300 });
    try {
      const { host } = new URL(server.url);
      const head = [`POST /api/v1/recall HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${server.token('owner')}`];
      const half = sendRaw(server.url, ['GET /healthz HTTP/1.1', `Host: ${host}`, 'X-Slow: 1'].slice(0, 1));
      const slow = sendRaw(server.url, [
        ...head,
        'Content-Type: application/json',
        'Content-Length: 100',
        '',
        '{"query"',
      ]);
      expect(await server.client('owner').me()).toMatchObject({ role: 'owner' });
      expect(await slow).toMatch(/^(?:HTTP\/1\.1 408|$)/u);
      expect(await half).toMatch(/^HTTP\/1\.1 (?:400|403|408)/u);
    } finally {
      await server.close();
    }
  });

  it('answers while another client holds more connections than there may be', async () => {
    const server = await serveTestHome();
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 600 }, (_, at) => {
      const socket = net.connect(Number(port), hostname, () => {
        // Every other one has begun a request that it will not end.
        if (at % 2 === 0) socket.write('GET /healthz HTTP/1.1\r\nX-Slow:');
      });
      return socket.on('error', () => undefined);
    });
    try {
      await Promise.all(sockets.map((socket) => new Promise((resolve) => void socket.once('connect', resolve))));
      for (let round = 0; round < 3; round += 1)
        expect(await server.client('owner').me()).toMatchObject({ role: 'owner' });
      expect(
        await sendRaw(server.url, ['GET /healthz HTTP/1.1', `Host: ${hostname}:${port}`, 'Connection: close']),
      ).toMatch(/^HTTP\/1\.1 200/u);
    } finally {
      for (const socket of sockets) socket.destroy();
      await server.close();
    }
  });

  it('listens beyond this machine only when somebody may connect', async () => {
    await expect(serveTestHome({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'refused' });
  });
});
