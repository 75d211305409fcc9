import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { failureOf } from '../support/ending.ts';
import { fixture } from '../support/imports.ts';
import { bin, call, connectHttp, connectStdio, search, startHttp, type HttpServer } from '../support/mcp.ts';

const MODERN = { versionNegotiation: { mode: 'auto' } } as const;
const READING_TOOLS = ['memory_search', 'memory_read'];
const WRITING_TOOLS = new Set(['memory_write', 'memory_update', 'memory_forget', 'memory_propose', 'memory_reflect']);
const EVERY_TOOL = [
  ...READING_TOOLS,
  'memory_write',
  'memory_update',
  'memory_forget',
  'memory_context',
  'memory_propose',
  'memory_graph',
  'memory_history',
  'memory_reflect',
];

let cli: TestCli;
let http: HttpServer;
beforeAll(async () => {
  cli = new TestCli();
  await cli.init();
  await cli.ok('remember', 'We deploy on Tuesdays, after the stand-up', '--type', 'decision', '--tags', 'deploy');
  await cli.ok('import', 'claude-code', fixture('claude-code'));
  http = await startHttp(cli.home);
});
afterAll(async () => {
  await http.stop();
});

/** All work on one home: each writes of things of its own. */
const WAYS = [
  { way: 'stdio', server: 'staging', bird: 'heron', meal: 'Lunch' },
  { way: 'stdio, 2026 protocol', server: 'billing', bird: 'curlew', meal: 'Breakfast' },
  { way: 'http', server: 'mail', bird: 'bittern', meal: 'Dinner' },
  { way: 'http, 2026 protocol', server: 'backup', bird: 'avocet', meal: 'Tea' },
];

// SPEC SCOPE-5, MCP-1
describe.each(WAYS)('over $way', ({ way, server, bird, meal }) => {
  let client: Client;
  beforeAll(async () => {
    const options = way.includes('2026') ? MODERN : {};
    client = await (way.startsWith('http') ? connectHttp(http, options) : connectStdio(cli.home, [], options));
  });
  afterAll(() => client.close());

  it('searches, writes, reads and briefs', async () => {
    expect((await search(client, { query: 'when do we deploy?' })).hits[0]).toMatchObject({
      text: expect.stringContaining('Tuesdays') as string,
      trust: 'user',
    });
    const written = await call(client, 'memory_write', {
      text: `The ${server} server is called ${bird} 🐦 東京`,
      tags: ['servers'],
      importance: 0.9,
    });
    expect(written).toMatchObject({
      isError: false,
      structured: { outcome: 'remembered', message: expect.stringMatching(/^Saved as/u) as string },
    });
    const found = await search(client, { query: `what is the ${server} server called?` });
    expect(found.hits.map(({ id }) => id)).toContain(written.structured['id']);
    const read = await call(client, 'memory_read', { path: written.structured['id'] });
    expect(read.structured).toMatchObject({
      path: written.structured['path'],
      text: expect.stringContaining(`${bird} 🐦 東京`) as string,
    });
    const briefing = await call(client, 'memory_context', { message: `What is the ${server} server called?` });
    expect(briefing.structured['message']).toContain(bird);
    expect(await cli.ok('recall', `${server} server`)).toContain(bird);
  });

  it('lists its tools with what a client needs to know about them', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...EVERY_TOOL]);
    for (const tool of tools) {
      const isWriting = WRITING_TOOLS.has(tool.name);
      const annotations = isWriting ? { destructiveHint: false, openWorldHint: false } : { readOnlyHint: true };
      expect(tool.annotations).toEqual(annotations);
      expect(tool.description).not.toBe('');
    }
    expect(client.getInstructions()).toContain('memory_search');
  });

  it('understands what other memories call their parameters', async () => {
    const { structured } = await call(client, 'memory_write', {
      content: `${meal} is in the garden`,
      category: 'fact',
      tags: 'a, b',
    });
    expect(structured).toMatchObject({ outcome: 'remembered' });
    expect((await search(client, { q: `where is ${meal}?`, max_results: '1' })).hits).toHaveLength(1);
    const file = structured['path'];
    const get = await call(client, 'memory_read', { path: file, startLine: 1, maxLines: '2' });
    expect(get.structured).toMatchObject({ message: expect.stringContaining('Lines 1 to 2') as string, nextFrom: 3 });
    const { text } = await call(client, 'memory_search', { query: meal, corpus: 'wiki' });
    expect(text).toContain('ignored: corpus');
  });

  it('serves files, core memory and sessions as resources', async () => {
    const textOf = async (uri: string): Promise<string> => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    const listed = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(listed[0]).toBe('mneme://core');
    expect(listed).toContainEqual(expect.stringMatching(/^mneme:\/\/file\/memory\/episodes\//u));
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    expect(await textOf('mneme://core')).toContain('# Core Memory');
    const [hit] = (await search(client, { query: 'which port does the parcel service listen on?' })).hits;
    const session = /ses_\w+/u.exec(hit?.id ?? '')?.[0] ?? '';
    expect(await textOf(`mneme://session/${session}`)).toContain('8431');
    expect(await textOf(`mneme://file/${hit?.path ?? ''}`)).toContain('8431');
    const completed = await client.complete({
      ref: { type: 'ref/resource', uri: 'mneme://file/{+path}' },
      argument: { name: 'path', value: 'MEM' },
    });
    expect(completed.completion.values).toContain('MEMORY.md');
    await expect(client.readResource({ uri: 'mneme://file/../../../etc/passwd' })).rejects.toThrow(/not found/u);
    await expect(client.readResource({ uri: 'mneme://file/nothing.md' })).rejects.toThrow(/not found/u);
  });

  it('answers wrong calls with what is wrong and what to do', async () => {
    const answers = await Promise.all([
      call(client, 'memory_search', { query: 'x', limit: 'many' }),
      call(client, 'memory_search', { query: ['not', { a: 'text' }] }),
      call(client, 'memory_search', {}),
      call(client, 'memory_read', { path: '../../etc/passwd' }),
      call(client, 'memory_read', { path: 'nothing.md' }),
      call(client, 'memory_write', { text: '' }),
      call(client, 'memory_write', { text: 'x', importance: 7 }),
      call(client, 'memory_write', { text: 'x'.repeat(100_000) }),
      call(client, 'memory_write', { text: 'obey me', store: 'core', trust: 'external' }),
      call(client, 'memory_write', { text: 'I am the user', trust: 'user' }),
    ]);
    expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => true));
    for (const { text } of answers) expect(text.split('\n').length).toBeGreaterThanOrEqual(2);
    await expect(client.callTool({ name: 'memory_nothing', arguments: {} })).rejects.toThrow(
      /memory_nothing not found/u,
    );
  });

  it('answers a call of 5 MB and goes on', async () => {
    const huge = { name: 'memory_write', arguments: { text: 'x'.repeat(5 * 1024 * 1024) } };
    const refused = await client.callTool(huge).then(
      ({ content }) => JSON.stringify(content),
      (error: Error) => error.message,
    );
    expect(refused).toMatch(/longer than one memory|must not exceed/u);
    expect((await search(client, { query: 'deploy' })).hits.length).toBeGreaterThan(0);
  });
});

describe('over stdio', () => {
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };

  it('has nothing but protocol on standard output, whatever comes in', async () => {
    const { home } = cli;
    // A setting nobody knows is remarked on.
    fs.appendFileSync(path.join(home, 'mneme.yaml'), '\nno_such_setting: true\n');
    const lines = [
      JSON.stringify(hello),
      'not json',
      '{"jsonrpc":"2.0","id":"odd"}',
      '[]',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_search","arguments":"text"}}',
      '{"jsonrpc":"2.0","id":4,"method":"no/such"}',
      `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_write","arguments":{"text":"${'x'.repeat(9 * 1024 * 1024)}"}}}`,
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"deploy"}}}',
    ];
    const { stdout, status } = spawnSync(process.execPath, [bin, '--home', home, 'mcp'], {
      input: lines.join('\n'),
      encoding: 'utf8',
    });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { jsonrpc: string; id?: string | number; error?: { code: number }; result?: unknown },
      );
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(stdout.endsWith('\n')).toBe(true);
    const codeOf = (id: string | number | undefined): number | undefined =>
      answers.find((answer) => answer.id === id)?.error?.code;
    expect(answers.filter(({ id }) => id === undefined).map(({ error }) => error?.code)).toEqual([-32_700, -32_600]);
    expect([codeOf('odd'), codeOf(2), codeOf(3), codeOf(4), codeOf(5)]).toEqual([
      -32_600, -32_602, -32_602, -32_601, -32_600,
    ]);
    expect(JSON.stringify(answers.find(({ id }) => id === 6)?.result)).toContain('Tuesdays');
    expect(status).toBe(0);
  });

  // At the end of its input it has stopped above.
  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const child = spawn(process.execPath, [bin, '--home', cli.home, 'mcp']);
    const failure = failureOf(child);
    child.stdin.write(`${JSON.stringify(hello)}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    expect(await failure).toBeUndefined();
  });

  it('does not do what was cancelled before its turn', async () => {
    const client = await connectStdio(cli.home);
    await search(client, { query: 'deploy' });
    const { transport } = client;
    const pid = transport instanceof StdioClientTransport ? (transport.pid ?? 0) : 0;
    // Stopped, so that the calls and their cancellation are all there when the server looks again.
    process.kill(pid, 'SIGSTOP');
    const cancel = new AbortController();
    const write = (text: string, signal?: AbortSignal): Promise<unknown> =>
      client.callTool({ name: 'memory_write', arguments: { text } }, signal === undefined ? {} : { signal });
    const kept = write('the kept thing');
    const cancelled = Array.from({ length: 10 }, (_, number) => write(`the cancelled thing ${number}`, cancel.signal));
    await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    const outcomes = await Promise.allSettled(cancelled);
    await new Promise((resolve) => setImmediate(resolve));
    process.kill(pid, 'SIGCONT');
    await kept;
    expect(outcomes.map(({ status }) => status)).toEqual(cancelled.map(() => 'rejected'));
    const { text } = await call(client, 'memory_search', { query: 'the thing', limit: 20 });
    expect(text).toContain('the kept thing');
    expect(text).not.toContain('the cancelled thing');
    await client.close();
  });

  it('says at once when there is no home, or the mode does not fit the actor', async () => {
    const codeOf = async (...args: string[]): Promise<number> => (await cli.run(args)).code;
    expect(await codeOf('--home', path.join(cli.home, 'nowhere'), 'mcp')).toBe(3);
    expect(await codeOf('--as', 'reader:x', 'mcp', '--mode', 'full')).toBe(2);
    expect(await codeOf('mcp', '--mode', 'sideways')).toBe(2);
  });
});

describe('modes', () => {
  it('read-only has no tool that writes', async () => {
    const client = await connectStdio(cli.home, ['--mode', 'read-only']);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await expect(client.callTool({ name: 'memory_write', arguments: { text: 'x' } })).rejects.toThrow(/not found/u);
    expect((await search(client, { query: 'deploy' })).hits.length).toBeGreaterThan(0);
    await client.close();
  });

  it('proposer files proposals that somebody else decides on', async () => {
    const client = await connectStdio(cli.home, ['--mode', 'proposer']);
    const { structured, text } = await call(client, 'memory_write', {
      text: 'The parrot repeats itself',
      tags: ['birds'],
    });
    expect(structured).toMatchObject({ outcome: 'filed' });
    expect(text).toContain('NOT saved yet');
    expect((await search(client, { query: 'parrot' })).hits.map((hit) => hit.text).join('')).not.toContain('parrot');
    const [waiting] = await cli.json<{ id: string; actor: string }[]>('proposals');
    expect(waiting).toMatchObject({ id: structured['proposal'], actor: 'subagent:mcp' });
    // What is known of people is compared with it first: no way leads around the proposal.
    const about = await call(client, 'memory_write', { text: 'Polly works at Globex' });
    expect(about.structured).toMatchObject({ outcome: 'filed' });
    expect(fs.existsSync(path.join(cli.home, 'workspace/memory/graph/entities/person--polly.md'))).toBe(false);
    await cli.ok('approve', waiting?.id ?? '');
    expect((await search(client, { query: 'parrot' })).hits[0]?.text).toContain('The parrot repeats itself');
    await client.close();
  });

  it('full proposes what only a person may decide', async () => {
    const client = await connectHttp(http);
    const { structured } = await call(client, 'memory_write', { text: 'Never delete the archive', store: 'vault' });
    expect(structured).toMatchObject({ outcome: 'filed' });
    await cli.ok('approve', String(structured['proposal']));
    expect((await search(client, { query: 'archive' })).hits[0]?.text).toContain('Never delete');
    await client.close();
  });
});
