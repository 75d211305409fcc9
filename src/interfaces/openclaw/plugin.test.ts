import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { Mneme } from '../../mneme.ts';
import type {
  ContextEngine,
  HookContext,
  HookEvent,
  HostCommand,
  HostTool,
  MemoryCapability,
  PluginApi,
} from './host.ts';
import { createOpenClawPlugin } from './plugin.ts';
import { pluginSettings } from './agent-memory.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../..');

/** A gateway that keeps what was registered, and calls it as OpenClaw does. */
class Gateway {
  readonly tools = new Map<string, HostTool>();
  readonly warnings: string[] = [];
  readonly program = new Command();
  readonly #hooks = new Map<string, (event: HookEvent, context: HookContext) => Promise<unknown>>();
  capability: MemoryCapability | undefined;
  engine: ContextEngine | undefined;

  constructor(pluginConfig: unknown, config: unknown = {}) {
    const api: PluginApi = {
      pluginConfig,
      config,
      logger: { warn: (message) => void this.warnings.push(message) },
      registerTool: (tool) => void this.tools.set(tool.name, tool),
      registerMemoryCapability: (capability) => {
        this.capability = capability;
      },
      registerContextEngine: (_id, factory) => {
        this.engine = factory();
      },
      registerCli: (registrar) => registrar({ program: this.program as unknown as HostCommand }),
      on: (name, handler) => void this.#hooks.set(name, handler),
    };
    const delegateCompaction = (): Promise<unknown> => Promise.resolve({ ok: true, compacted: true });
    createOpenClawPlugin({ delegateCompaction }).register(api);
  }

  get hooks(): string[] {
    return [...this.#hooks.keys()];
  }

  fire(hook: string, event: HookEvent = {}, sessionId = 'abc'): Promise<unknown> {
    return this.#hooks.get(hook)?.(event, { sessionId }) ?? Promise.resolve();
  }

  async call(tool: string, params: unknown): Promise<Record<string, unknown>> {
    const result = await this.tools.get(tool)?.execute('call-1', params);
    const [first] = result?.content ?? [];
    return JSON.parse(first?.text ?? 'null') as Record<string, unknown>;
  }
}

const said = (role: string, content: string, timestamp: number) => ({ role, content, timestamp });
const opened: Gateway[] = [];
let home: string;

beforeAll(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  const person = await Mneme.open({ home, actor: 'manual' });
  await person.remember('We deploy on Tuesdays, after the stand-up');
  await person.close();
});
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.fire('gateway_stop');
});

function start(config: Record<string, unknown> = {}, host: unknown = {}): Gateway {
  const gateway = new Gateway({ home, timeoutMs: 20_000, ...config }, host);
  opened.push(gateway);
  return gateway;
}

const ENGINE = { plugins: { slots: { memory: 'mneme', contextEngine: 'mneme' } } };

// SPEC MCP-4
describe('memory_search and memory_get', () => {
  it('answer as agents of OpenClaw know it', async () => {
    const gateway = start();
    const found = await gateway.call('memory_search', { query: 'when do we deploy?', maxResults: 3 });
    expect(found).toMatchObject({ provider: 'mneme', mode: expect.any(String) as string });
    const [first] = found['results'] as Record<string, unknown>[];
    expect(first).toMatchObject({ source: 'memory', provenance: { trust: 'user' } });
    expect(first?.['snippet']).toContain('Tuesdays');
    const got = await gateway.call('memory_get', { path: first?.['citation'] });
    expect(got).toMatchObject({ path: first?.['path'], from: 1, truncated: false });
    expect(got['text']).toContain('Tuesdays');
    expect(await gateway.call('memory_get', { path: first?.['path'], from: 2, lines: 1 })).toMatchObject({
      from: 2,
      lines: 1,
      truncated: true,
      nextFrom: 3,
    });
  });

  it('answer mistakes instead of failing', async () => {
    const gateway = start();
    expect(await gateway.call('memory_search', {})).toMatchObject({
      error: expect.stringContaining('query') as string,
    });
    expect(await gateway.call('memory_get', { path: '../../etc/passwd' })).toHaveProperty('error');
    expect(await gateway.call('memory_write', { text: 'The parrot is green' })).toMatchObject({ store: 'semantic' });
    expect((await gateway.call('memory_search', { query: 'parrot', corpus: 'sessions' }))['results']).toEqual([]);
  });

  it('are what the host searches with, too', async () => {
    const { manager } = (await start().capability?.runtime.getMemorySearchManager()) ?? {};
    expect((await manager?.search('deploy', { minScore: 0 }))?.[0]?.snippet).toContain('Tuesdays');
    expect((await manager?.readFile({ relPath: 'MEMORY.md', lines: 2 }))?.lines).toBe(2);
    expect(manager?.status()).toMatchObject({ provider: 'mneme' });
  });

  it('say so when there is no home', async () => {
    const gateway = start({ home: path.join(home, 'nowhere') });
    expect(await gateway.call('memory_search', { query: 'x' })).toHaveProperty('error');
    const found = await gateway.capability?.runtime.getMemorySearchManager();
    expect(found).toMatchObject({ manager: null, error: expect.any(String) as string });
  });
});

describe('hooks', () => {
  it('add what is remembered to a prompt, and take in what was said, once', async () => {
    const gateway = start();
    const added = await gateway.fire('before_prompt_build', { prompt: 'When do we deploy?' });
    const { prependContext } = added as { prependContext: string };
    expect(prependContext).toMatch(/^<mneme-context>\n[\s\S]*Tuesdays[\s\S]*<\/mneme-context>$/u);
    const messages = [
      said('user', `${prependContext}\nMy bicycle is called Rosinante`, 1_771_000_000_000),
      said('assistant', 'A fine name.', 1_771_000_001_000),
    ];
    await gateway.fire('agent_end', { messages });
    await gateway.fire('agent_end', { messages });
    await gateway.fire('before_reset', { messages });
    const { results } = await gateway.call('memory_search', { query: 'bicycle Rosinante', corpus: 'sessions' });
    const snippets = (results as { snippet: string }[]).map(({ snippet }) => snippet);
    expect(snippets.filter((snippet) => snippet.includes('Rosinante'))).toHaveLength(1);
    expect(snippets.join()).not.toContain('Tuesdays');
    expect(gateway.warnings).toEqual([]);
  });

  it('save what matters before a window is shortened, and end with the session', async () => {
    const gateway = start();
    const messages = [said('user', 'Remember that the spare key lies under the third pot', 1_771_000_100_000)];
    await gateway.fire('before_compaction', { messages }, 'pots');
    await gateway.fire('session_end', {}, 'pots');
    await gateway.fire('session_end', {}, 'never-begun');
    expect(JSON.stringify(await gateway.call('memory_search', { query: 'spare key' }))).toContain('third pot');
    expect(gateway.warnings).toEqual([]);
  });

  it('fail open: an agent without its memory still answers, and the log says why', async () => {
    const gateway = start({ home: path.join(home, 'nowhere') });
    expect(await gateway.fire('before_prompt_build', { prompt: 'x' })).toBeUndefined();
    expect(await gateway.fire('agent_end', { messages: [said('user', 'x', 1)] })).toBeUndefined();
    expect(gateway.warnings.length).toBeGreaterThan(1);
    expect(await gateway.fire('agent_end', {}, '')).toBeUndefined();
  });

  it('leave recall and capture alone where the settings say so', async () => {
    const gateway = start({ recall: false, capture: false });
    expect(gateway.hooks).not.toContain('before_prompt_build');
    await gateway.fire('agent_end', { messages: [said('user', 'The owl is called Minerva', 1)] });
    const { results } = await gateway.call('memory_search', { query: 'Minerva owl', corpus: 'sessions' });
    expect(JSON.stringify(results)).not.toContain('Minerva');
  });
});

describe('the context engine', () => {
  it('assembles with what is remembered, and hands compaction back', async () => {
    const gateway = start({}, ENGINE);
    expect(gateway.hooks).not.toContain('before_prompt_build');
    const { engine } = gateway;
    expect(await engine?.bootstrap({ sessionId: 's1' })).toEqual({ bootstrapped: true });
    const messages = [said('user', 'When do we deploy?', 1)];
    const assembled = await engine?.assemble({ sessionId: 's1', messages, tokenBudget: 8000 });
    expect(assembled?.messages).toBe(messages);
    expect(assembled?.systemPromptAddition).toContain('Tuesdays');
    expect(assembled?.estimatedTokens).toBeGreaterThan(10);
    await engine?.afterTurn({
      sessionId: 's1',
      messages: [...messages, said('assistant', 'On Tuesdays.', 2), said('user', 'The ferret hides socks', 3)],
      prePromptMessageCount: 2,
    });
    await engine?.afterTurn({ sessionId: 's1', messages: [said('user', 'HEARTBEAT ferret', 4)], isHeartbeat: true });
    const turn = { sessionId: 's1', advancementKey: 'turn-9', messages: [said('user', 'The ferret naps at noon', 9)] };
    expect(await engine?.commitTurn(turn)).toEqual({ status: 'committed' });
    expect(await engine?.commitTurn(turn)).toEqual({ status: 'duplicate' });
    expect(await engine?.compact({ sessionId: 's1' })).toEqual({ ok: true, compacted: true });
    const found = JSON.stringify(await gateway.call('memory_search', { query: 'ferret socks' }));
    expect(found).toContain('hides socks');
    expect(found).not.toContain('HEARTBEAT');
    expect(gateway.warnings).toEqual([]);
  });
});

describe('the command of the host', () => {
  it('answers `memory search` with what is remembered', async () => {
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await start().program.parseAsync(['memory', 'search', 'ferret', 'socks', '--json'], { from: 'user' });
    const { results } = JSON.parse(String(printed.mock.lastCall?.[0])) as { results: { snippet: string }[] };
    expect(results.map(({ snippet }) => snippet).join()).toContain('hides socks');
  });
});

describe('settings', () => {
  it('name the home as its user would', () => {
    expect(pluginSettings.parse({ home: '~/.mneme' }).home).toBe(path.join(os.homedir(), '.mneme'));
  });
});

describe('the package', () => {
  const readJson = (name: string): Record<string, never> =>
    JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8')) as Record<string, never>;

  it('has a manifest that says what the plugin does', () => {
    const manifest = readJson('openclaw.plugin.json') as unknown as {
      id: string;
      kind: string[];
      contracts: { tools: string[] };
      configSchema: { properties: Record<string, unknown> };
    };
    const plugin = createOpenClawPlugin();
    expect([manifest.id, manifest.kind]).toEqual([plugin.id, plugin.kind]);
    expect(manifest.contracts.tools).toEqual([...start().tools.keys()].toSorted());
    expect(Object.keys(manifest.configSchema.properties).toSorted()).toEqual(
      Object.keys(pluginSettings.shape).toSorted(),
    );
  });

  it('names its entry, and a setting that is wrong is said', () => {
    const { openclaw } = readJson('package.json') as unknown as { openclaw: { extensions: string[] } };
    for (const entry of openclaw.extensions) expect(fs.existsSync(path.join(FOLDER, entry))).toBe(true);
    expect(start({ maxTokens: 'many' }).warnings.join()).toContain('maxTokens');
  });
});
