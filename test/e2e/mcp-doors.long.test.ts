import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { call, connectHttp, connectStdio, startHttp, until, type HttpServer } from '../support/mcp.ts';

const MODERN = { versionNegotiation: { mode: 'auto' } } as const;
const MODES = ['full', 'proposer', 'read-only'] as const;

const TOKENS = {
  MNEME_MCP_TOKEN: 'the-token-of-the-main-agent',
  SCOUT_TOKEN: 'the-token-of-a-sub-agent',
  EYE_TOKEN: 'the-token-of-a-reader',
};
const TOKEN_OF = { full: TOKENS.MNEME_MCP_TOKEN, proposer: TOKENS.SCOUT_TOKEN, 'read-only': TOKENS.EYE_TOKEN };

let cli: TestCli;
let item: string;
let http: HttpServer;
let pipes: Client;

beforeAll(async () => {
  cli = new TestCli();
  await cli.init();
  const { id } = await cli.json<{ id: string }>('remember', 'We deploy on Tuesdays, after the stand-up');
  item = id;
  await cli.ok('graph', 'add', 'Alex', '--type', 'person');
  fs.appendFileSync(
    path.join(cli.home, 'mneme.yaml'),
    '\nserver:\n  tokens:\n    - { name: scout, role: subagent, token_env: SCOUT_TOKEN }\n    - { name: eye, role: reader, token_env: EYE_TOKEN }\n',
  );
  [http, pipes] = await Promise.all([startHttp(cli.home, [], TOKENS), connectStdio(cli.home)]);
});
afterAll(async () => {
  await pipes.close();
  await http.stop();
});

/** A call that each tool can answer, whoever asks. */
const CALLS: Readonly<Record<string, () => Record<string, unknown>>> = {
  memory_search: () => ({ query: 'when do we deploy?' }),
  memory_read: () => ({ path: item }),
  memory_write: () => ({ text: 'The heron nests by the river' }),
  memory_update: () => ({ id: item, text: 'We deploy on Wednesdays' }),
  memory_forget: () => ({ query: 'when do we deploy' }),
  memory_context: () => ({ message: 'When do we deploy?' }),
  memory_propose: () => ({ text: 'The user may like herons', confidence: 'low' }),
  memory_graph: () => ({ entity: 'Alex' }),
  memory_history: () => ({ path: 'MEMORY.md' }),
  memory_reflect: () => ({ dryRun: true }),
};

/** Both forms of the protocol: the earlier one over pipes, that of 2026 over HTTP. */
function connect(way: string, mode: (typeof MODES)[number]): Promise<Client> {
  if (way === 'stdio') return mode === 'full' ? Promise.resolve(pipes) : connectStdio(cli.home, ['--mode', mode]);
  return connectHttp({ url: http.url, token: TOKEN_OF[mode] }, MODERN);
}

// SPEC MCP-2
describe.each(['stdio', 'http'])('every tool over %s', (way) => {
  it.each(MODES)('answers in mode %s', async (mode) => {
    const client = await connect(way, mode);
    const { tools } = await client.listTools();
    const failures: string[] = [];
    for (const { name } of tools) {
      const { isError, text, structured } = await call(client, name, CALLS[name]?.() ?? {});
      if (isError || Object.keys(structured).length === 0) failures.push(`${name}: ${text}`);
    }
    expect(failures).toEqual([]);
    expect(tools).toHaveLength({ full: 10, proposer: 9, 'read-only': 5 }[mode]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('briefing');
    const { messages } = await client.getPrompt({ name: 'recall', arguments: { question: 'when do we deploy?' } });
    expect(JSON.stringify(messages)).toContain('Tuesdays');
    const steps: number[] = [];
    const request = { name: 'memory_search', arguments: { query: 'deploy' } };
    // A client forgets who wants to hear of progress when the answer arrives in the same piece.
    await until(
      () => client.callTool(request, { onprogress: ({ progress }) => void steps.push(progress) }),
      () => steps.length > 0,
    );
    expect(steps[0]).toBe(1);
    if (client !== pipes) await client.close();
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
    const updated = heard(pipes);
    await pipes.subscribeResource({ uri: 'mneme://core' });
    edit('\n- Edited by hand\n');
    expect(await updated).toBe('mneme://core');
    await pipes.unsubscribeResource({ uri: 'mneme://core' });
    await expect(pipes.subscribeResource({ uri: 'mneme://nothing' })).rejects.toThrow(/not found/u);
  });

  it.each(['stdio', 'http'])('tell a client of 2026 over %s', async (way) => {
    const client = way === 'stdio' ? await connectStdio(cli.home, [], MODERN) : await connectHttp(http, MODERN);
    const updated = heard(client);
    const listening = await client.listen({ resourceSubscriptions: ['mneme://file/MEMORY.md'] });
    // The home may still be opening: a change is told from the moment it is watched.
    await call(client, 'memory_search', { query: 'deploy' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    edit(`\n- Edited again, ${way}\n`);
    expect(await updated).toBe('mneme://file/MEMORY.md');
    await listening.close();
    await client.close();
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
