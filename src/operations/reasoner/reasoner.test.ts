import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCli } from '../../../test/support/cli.ts';
import { startModelServer, type ModelServer } from '../../../test/support/provider-server.ts';
import { findings } from '../../reasoner/model/testing/harness.ts';
import type { Costs } from './costs.ts';
import type { ReasonerStatus } from './reasoner-status.ts';
import type { ReasonerTrial } from './reasoner-try.ts';

const TEXT = 'We decided to use Redis for the tile cache';
const ROUTE = {
  store: 'episodic',
  kind: 'decision',
  entities: [{ name: 'Redis', type: 'tool' }],
  relations: [],
  tags: ['cache'],
  confidence: 'high',
  is_core_worthy: false,
  summary: 'Redis is used for the tile cache.',
};
const FOUND = findings({
  kind: 'decision',
  statement: 'The tile cache uses Redis.',
  quote: 'use Redis for the tile cache',
});

let cli: TestCli;
let server: ModelServer;

beforeEach(async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
  server = await startModelServer(({ messages }) =>
    messages[0]?.text.includes('<conversation>') ? FOUND : JSON.stringify(ROUTE),
  );
  cli = new TestCli();
  await cli.init();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

async function useModel(): Promise<void> {
  await cli.ok('config', 'set', 'reasoner.provider', 'anthropic');
  await cli.ok('config', 'set', 'reasoner.base_url', `${server.url}/v1`);
}

describe('without a model', () => {
  it('the heuristic answers and nothing costs anything', async () => {
    expect(await cli.ok('costs')).toContain('No language model has been asked.');
    expect(await cli.json<ReasonerStatus>('reasoner', 'status')).toMatchObject({
      provider: 'heuristic',
      answers: 'heuristic',
      problem: null,
      key: null,
      failures: [],
    });
    const trial = await cli.json<ReasonerTrial>('reasoner', 'try', TEXT);
    expect(trial).toMatchObject({ route: { notes: [] }, extract: { notes: [] }, calls: [], usd: 0 });
    expect(trial.route.by).toMatch(/^heuristic@/u);
    expect(server.requests).toEqual([]);
  });
});

describe('with a model', () => {
  beforeEach(useModel);

  it('try shows who answered, what was found and what it cost', async () => {
    const trial = await cli.json<ReasonerTrial>('reasoner', 'try', TEXT);
    expect(trial).toMatchObject({
      route: { by: 'claude-haiku-5-5', output: { store: 'episodic', kind: 'decision' }, notes: [] },
      extract: { by: 'claude-haiku-5-5', output: [{ kind: 'decision', statement: 'The tile cache uses Redis.' }] },
      calls: [
        { purpose: 'route', outcome: 'ok' },
        { purpose: 'extract', outcome: 'ok' },
      ],
    });
    expect(trial.usd).toBeGreaterThan(0);
    const again = await cli.ok('reasoner', 'try', TEXT);
    expect(again).toContain('The tile cache uses Redis.');
  });

  it('costs by purpose, model and day, beside what was expected', async () => {
    await cli.ok('reasoner', 'try', TEXT);
    const byPurpose = await cli.json<Costs>('costs');
    expect(byPurpose.rows.map(({ name }) => name).sort()).toEqual(['extract', 'route']);
    expect(byPurpose.total).toMatchObject({ calls: 2, failed: 0, unpricedCalls: 0 });
    expect(byPurpose).toMatchObject({ since: null, forecast: null, notes: [] });
    const byModel = await cli.json<Costs>('costs', '--by', 'model', '--forecast', '--since', 'yesterday');
    expect(byModel.rows).toMatchObject([{ name: 'claude-haiku-5-5', calls: 2 }]);
    expect(byModel.forecast?.scenarios).toHaveLength(3);
    expect(await cli.json<Costs>('costs', '--since', '2099-01-01')).toMatchObject({ rows: [], total: { calls: 0 } });
    expect(await cli.ok('costs', '--by', 'day', '--forecast')).toMatch(
      /^day +calls[^]*total +2[^]*extraction a month/u,
    );
    expect((await cli.run(['costs', '--by', 'weather'])).code).toBe(2);
  });

  it('status tells models, key, caps and the last failures', async () => {
    await cli.ok('config', 'set', 'reasoner.daily_max_calls', '4');
    await cli.ok('config', 'set', 'reasoner.models.infer', 'claude-opus-5-5');
    server.faults.push({ status: 401 });
    const trial = await cli.json<ReasonerTrial>('reasoner', 'try', TEXT);
    expect(trial.route.notes[0]).toContain('401, Failed on purpose');
    const status = await cli.json<ReasonerStatus>('reasoner', 'status');
    expect(status).toMatchObject({
      answers: 'model',
      problem: null,
      address: `${server.url}/v1`,
      key: { variable: 'ANTHROPIC_API_KEY', isSet: true },
      today: { calls: 1 },
      left: { calls: 3 },
      failures: [{ purpose: 'route', outcome: 'unauthorized', reason: '401, Failed on purpose' }],
    });
    expect(status.purposes).toContainEqual({
      purpose: 'infer',
      model: 'claude-opus-5-5',
      price: { input: 4, output: 20 },
      promptVersion: 1,
    });
    expect(await cli.ok('reasoner', 'status')).toMatch(/Last failures\n.*unauthorized/u);
  });

  it('status says what is missing', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    expect(await cli.json<ReasonerStatus>('reasoner', 'status')).toMatchObject({
      answers: 'heuristic',
      problem: 'There is no key for Anthropic: ANTHROPIC_API_KEY is not set.',
      key: { isSet: false },
    });
  });
});

describe('the SDK', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      if (/node_modules\\/(ai|@ai-sdk)\\//.test(found.url)) process.stderr.write('LOADED ' + name + '\\n');
      return found;
    } });`;

  function loadedBy(...args: string[]): string[] {
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
    const main = path.join(root, 'src/interfaces/cli/main.ts');
    const { stderr } = spawnSync(process.execPath, ['--import', preload, main, '--home', cli.home, ...args], {
      encoding: 'utf8',
    });
    return [...stderr.matchAll(/^LOADED (\S+)$/gmu)].map((match) => match[1] ?? '');
  }

  it('is loaded only when a model is set', async () => {
    expect(loadedBy('reasoner', 'try', TEXT)).toEqual([]);
    await useModel();
    expect(loadedBy('reasoner', 'status')).toEqual(expect.arrayContaining(['ai', '@ai-sdk/anthropic']));
  });
});
