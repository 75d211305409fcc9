import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, startHttp, type HttpServer } from '../support/mcp.ts';

const MODERN = { versionNegotiation: { mode: 'auto' } } as const;
const MODES = ['full', 'proposer', 'read-only'] as const;

let cli: TestCli;
let item: string;

beforeAll(async () => {
  cli = new TestCli();
  await cli.ok('init', '--yes');
  const { id } = await cli.json<{ id: string }>('remember', 'We deploy on Tuesdays, after the stand-up');
  item = id;
  await cli.ok('graph', 'add', 'Alex', '--type', 'person');
});

/** A call that each tool can answer, whoever asks. */
const CALLS: Readonly<Record<string, () => Record<string, unknown>>> = {
  memory_search: () => ({ query: 'when do we deploy?' }),
  memory_read: () => ({ path: item }),
  memory_get: () => ({ path: 'MEMORY.md', lines: 2 }),
  memory_write: () => ({ text: 'The heron nests by the river' }),
  memory_update: () => ({ id: item, text: 'We deploy on Wednesdays' }),
  memory_forget: () => ({ query: 'when do we deploy' }),
  memory_context: () => ({ message: 'When do we deploy?' }),
  memory_propose: () => ({ text: 'The user may like herons', confidence: 'low' }),
  memory_graph: () => ({ entity: 'Alex' }),
  memory_history: () => ({ path: 'MEMORY.md' }),
  memory_reflect: () => ({ dryRun: true }),
};

describe.each(['stdio', 'http'])('every tool over %s', (way) => {
  it.each(MODES)('answers in mode %s', async (mode) => {
    const http: HttpServer | undefined = way === 'http' ? await startHttp(cli.home, ['--mode', mode]) : undefined;
    const client =
      http === undefined ? await connectStdio(cli.home, ['--mode', mode]) : await connectHttp(http, MODERN);
    const { tools } = await client.listTools();
    const failures: string[] = [];
    for (const { name } of tools) {
      const { isError, text, structured } = await call(client, name, CALLS[name]?.() ?? {});
      if (isError || Object.keys(structured).length === 0) failures.push(`${name}: ${text}`);
    }
    expect(failures).toEqual([]);
    expect(tools).toHaveLength({ full: 11, proposer: 10, 'read-only': 6 }[mode]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('briefing');
    const { messages } = await client.getPrompt({ name: 'recall', arguments: { question: 'when do we deploy?' } });
    expect(JSON.stringify(messages)).toContain('Tuesdays');
    await client.close();
    await http?.stop();
  });
});

describe('subscriptions', () => {
  /** Resolves with the address of the first resource the client hears of. */
  function heard(client: Client): Promise<string> {
    return new Promise((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
  }

  const edit = (text: string): void => fs.appendFileSync(path.join(cli.home, 'workspace', 'MEMORY.md'), text);

  it('tell a client of before 2026 over stdio what somebody else changed', async () => {
    const client = await connectStdio(cli.home);
    const updated = heard(client);
    await client.subscribeResource({ uri: 'mneme://core' });
    edit('\n- Edited by hand\n');
    expect(await updated).toBe('mneme://core');
    await client.unsubscribeResource({ uri: 'mneme://core' });
    await expect(client.subscribeResource({ uri: 'mneme://nothing' })).rejects.toThrow(/not found/u);
    await client.close();
  });

  it.each(['stdio', 'http'])('tell a client of 2026 over %s', async (way) => {
    const http = way === 'http' ? await startHttp(cli.home) : undefined;
    const client = http === undefined ? await connectStdio(cli.home, [], MODERN) : await connectHttp(http, MODERN);
    const updated = heard(client);
    const listening = await client.listen({ resourceSubscriptions: ['mneme://file/MEMORY.md'] });
    // The home may still be opening: a change is told from the moment it is watched.
    const knocking = setInterval(() => edit(`\n- Edited again, ${way}\n`), 200);
    expect(await updated).toBe('mneme://file/MEMORY.md');
    clearInterval(knocking);
    await listening.close();
    await client.close();
    expect(await http?.stop()).toBeUndefined();
  });
});

describe('progress', () => {
  it.each(['stdio', 'http'])('of a long tool reaches the client over %s', async (way) => {
    const http = way === 'http' ? await startHttp(cli.home) : undefined;
    const client = http === undefined ? await connectStdio(cli.home) : await connectHttp(http);
    const steps: number[] = [];
    const request = { name: 'memory_reflect', arguments: { dryRun: true } };
    const { isError } = await client.callTool(request, { onprogress: ({ progress }) => void steps.push(progress) });
    expect(isError).not.toBe(true);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
    await client.close();
    await http?.stop();
  });
});

describe('mcp --compat server-memory', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connectStdio(cli.home, ['--compat', 'server-memory']);
  });
  afterAll(() => client.close());

  it('has that server’s nine tools, onto the same memory', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'create_entities',
      'create_relations',
      'add_observations',
      'delete_entities',
      'delete_observations',
      'delete_relations',
      'read_graph',
      'search_nodes',
      'open_nodes',
    ]);
    const entities = [{ name: 'Zoe', entityType: 'person', observations: ['Plays the oboe'] }];
    expect((await call(client, 'create_entities', { entities })).structured).toEqual({ entities });
    expect(JSON.parse((await call(client, 'open_nodes', { names: ['Zoe'] })).text)).toEqual({
      entities,
      relations: [],
    });
    expect(await cli.ok('recall', 'who plays the oboe?')).toContain('oboe');
  });

  it('refuses a server it does not know', async () => {
    const { code, err } = await cli.run(['mcp', '--compat', 'other']);
    expect([code, err]).toEqual([2, expect.stringContaining('server-memory')]);
  });
});
