import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { createCriticalTest } from '../../src/audit/checksums.ts';
import { limitsFor } from '../../src/compile/limits.ts';
import { findAllowedMs } from '../../src/interfaces/hooks/run-hook.ts';
import { archiveAgeDays, archivedAges } from '../../src/maintain/retention/ages.ts';
import { planTranscriptPacking } from '../../src/maintain/retention/plan-packing.ts';
import { listKeys } from '../../src/model/config/keys.ts';
import { JOB_TIMES, type JobName } from '../../src/model/config/running.ts';
import { backupFolder } from '../../src/operations/backup/places.ts';
import { isWorkerAllowed } from '../../src/operations/background/background-worker.ts';
import { listNotices } from '../../src/operations/briefing/world.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { isLongEnough } from '../../src/operations/reflect/due.ts';
import { visibleTo } from '../../src/operations/visible-to.ts';
import { PriceTable } from '../../src/reasoner/ledger/prices.ts';
import { modelFor } from '../../src/reasoner/model/models.ts';
import { decide } from '../../src/topics/topics.ts';
import { sightingOf, topicOf } from '../../src/topics/testing/topics.ts';
import { parseConfig } from '../../src/workspace/config/parse.ts';
import { describeHome } from '../../src/workspace/home.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { resolveAccess } from '../../src/interfaces/mcp/access.ts';
import {
  type Row,
  NOW_MS,
  HOME,
  placesIn,
  storeOf,
  memory,
  block,
  nextRun,
  embedderAsks,
  embedding,
  connection,
  opensProvider,
  capped,
  postgres,
  relevance,
  approvedByItself,
  TRUSTING,
  audited,
  admits,
  pace,
} from '../support/settings/parts.ts';
import {
  inHome,
  committed,
  commits,
  writes,
  learned,
  BY_HAND,
  firstBranch,
  hookOf,
  backedUp,
  backupJob,
  served,
  ANY_PORT,
  recalled,
  reranked,
  afterEdits,
  off,
  KEY,
  redacted,
} from '../support/settings/homes.ts';
import { backupsKept, exchanged, faded, hooked, oldTranscript, unanswered } from '../support/settings/days.ts';
import { countWanted } from '../../src/operations/extract/waiting.ts';
import { openWriterLease } from '../../src/runtime/coordination/open-coordination.ts';
import type { HomeIndex } from '../../src/search-index/home-index.ts';

const PHONE_TOKEN = 'mneme_'.padEnd(48, 'x');

const ROWS: Readonly<Record<string, Row>> = {
  format: [1, 99, (config) => describeHome(HOME, config).settings.mode],
  time_zone: ['UTC', 'Asia/Tokyo', nextRun('daily')],
  scheduler: [{ daily: '0 4 * * *' }, { daily: null }, nextRun('daily')],
  'workspace.path': ['workspace', 'notes', placesIn],
  'workspace.git_dir': [null, 'history', placesIn],
  'workspace.layout': ['mneme', 'vault', storeOf('topics/deploy.md')],
  'workspace.patterns': [{ 'daily/*.md': 'journal' }, {}, storeOf('daily/today.md')],
  'git.cadence': ['mutation', 'batch', commits],
  'git.branch': ['main', 'memory', firstBranch, BY_HAND],
  'git.hooks': [true, false, hookOf],
  'git.remote': [null, 'host:x', off('push')],
  'git.author_name': ['Mneme', 'Ana', committed],
  'git.author_email': ['mneme@localhost', 'ana@example.org', committed],
  'limits.max_file_bytes': [4096, 8192, writes('a.md', Buffer.from('x'.repeat(5000)))],
  'limits.max_attachment_bytes': [4096, 8192, writes('a.png', Buffer.alloc(5000))],
  'redaction.enabled': [true, false, redacted],
  'redaction.allow': [[], [KEY], redacted],
  'capture.auto': [true, false, learned, BY_HAND],
  'capture.auto_min_importance': [0, 1, learned, BY_HAND],
  'extract.trigger': ['hourly', 'manual', off('extract')],
  'core.max_tokens': [3000, 6000, memory('x'.repeat(11_000))],
  'core.max_lines': [200, 400, memory('- x\n'.repeat(190))],
  'core.identity_tokens': [500, 50, block('Identity')],
  'core.active_context_tokens': [1000, 50, block('Active Context')],
  'core.persona_tokens': [500, 50, block('Persona')],
  'core.critical_facts_tokens': [1000, 50, block('Critical Facts')],
  'core.warn_share': [0.9, 0.5, memory('x'.repeat(7000))],
  'core.refuse_share': [1.1, 2, memory('x'.repeat(14_000))],
  'index.postgres_url_env': ['MNEME_POSTGRES_URL', 'OTHER_URL', postgres, { 'index.postgres_namespace': 'a' }],
  'index.postgres_schema': ['mneme', 'other', postgres, { 'index.postgres_namespace': 'a' }],
  'index.postgres_namespace': [null, 'team/ana', postgres],
  'index.postgres_timeout_ms': [15_000, 500, postgres, { 'index.postgres_namespace': 'a' }],
  'index.postgres_connections': [4, 9, postgres, { 'index.postgres_namespace': 'a' }],
  'embedding.provider': ['none', 'openai', embedderAsks],
  ...embedding('openai', 'dimensions', null, 64),
  ...embedding('builtin', 'builtin.model', '/nowhere', '/elsewhere'),
  ...embedding('onnx', 'onnx.model', 'a/one', 'b/two'),
  ...embedding('openai', 'openai.model', 'one', 'two'),
  ...embedding('openai', 'openai.base_url', 'https://one.example/v1', 'https://two.example/v1'),
  ...embedding('openai', 'openai.api_key_env', 'ONE_KEY', 'OTHER_KEY'),
  ...embedding('gemini', 'gemini.model', 'one', 'two'),
  ...embedding('ollama', 'ollama.model', 'one', 'two'),
  ...embedding('ollama', 'ollama.base_url', 'http://one.example', 'http://two.example'),
  'search.default_results': [3, 6, recalled()],
  'search.max_results': [5, 20, recalled({ limit: 8 })],
  'search.min_score': [0, 1, recalled()],
  'search.rerank': [false, true, reranked],
  'reasoner.provider': ['heuristic', 'anthropic', opensProvider],
  'reasoner.base_url': [null, 'https://models.example/v1', connection('openai')],
  'reasoner.anthropic_api_key_env': ['ONE_KEY', 'OTHER_KEY', connection('anthropic')],
  'reasoner.openai_api_key_env': ['ONE_KEY', 'OTHER_KEY', connection('openai')],
  'reasoner.google_api_key_env': ['ONE_KEY', 'OTHER_KEY', connection('google')],
  'reasoner.compatible_api_key_env': ['ONE_KEY', 'OTHER_KEY', connection('openai-compatible')],
  'reasoner.small_model': [null, 'tiny', ({ reasoner }) => modelFor('gate', 'anthropic', reasoner)],
  'reasoner.large_model': [null, 'huge', ({ reasoner }) => modelFor('reflect', 'anthropic', reasoner)],
  'reasoner.models': [{}, { reflect: 'mine' }, ({ reasoner }) => modelFor('reflect', 'anthropic', reasoner)],
  'reasoner.daily_max_calls': [500, 0, capped],
  'reasoner.daily_max_tokens': [1_000_000, 10, capped],
  'reasoner.daily_max_usd': [1, 0.1, capped],
  'reasoner.purpose_daily_max_usd': [{}, { reflect: 0.1 }, capped],
  'reasoner.prices_usd_per_million': [
    {},
    { mine: { input: 1, output: 2 } },
    ({ reasoner }) => new PriceTable(reasoner.prices_usd_per_million).find('mine', NOW_MS)?.output,
  ],
  'watchers.similarity_threshold': [
    0.1,
    0.9,
    (config) => decide(sightingOf(topicOf('bees', 'activation: auto'), 'hello', 0.5), config).outcome,
  ],
  'gate.bypass.high_min_score': [
    0.1,
    0.9,
    (config) =>
      decide(
        sightingOf(
          topicOf('deploy', 'priority: high\ntriggers:\n  - {type: keywords, match: [roll out the release]}'),
          'roll out the relaese',
          0.5,
        ),
        config,
      ).outcome,
  ],
  'context.preset': ['dense', 'standard', inHome(async (mneme) => (await mneme.context('hello')).budget)],
  'context.presets.hook_tokens': [
    1500,
    900,
    (config) => limitsFor(config, { preset: 'hook', budget: undefined, request: 0, response: undefined }).room,
  ],
  'context.min_relevance': [
    0,
    1,
    inHome(async (mneme) => {
      await mneme.remember('The hives of the bees stand behind the mill.');
      return (await mneme.context('Where do the hives of the bees stand?', { event: 'prompt' })).prompt.includes(
        'mill',
      );
    }),
  ],
  'context.journal_days': [
    0,
    2,
    inHome(async (mneme) => {
      await mneme.remember('Today the bees swarmed.', { store: 'episodic' });
      return (await mneme.context('', { event: 'session-start' })).prompt.includes('swarmed');
    }),
  ],
  'reflection.on_session_end': [true, false, (config) => isLongEnough({ config } as OperationContext, ['t50'])],
  'decay.grace_days': [30, 50, relevance],
  'decay.lambda_per_day': [0.03, 0.3, relevance],
  'retention.episodic.archive_after_days': [
    90,
    300,
    ({ retention }) => archiveAgeDays({ store: 'episodic', importance: 0.5 }, retention),
  ],
  'retention.episodic.delete_after_days': [null, 365, ({ retention }) => archivedAges('episodic', retention)],
  'retention.journal.archive_after_days': [
    90,
    300,
    ({ retention }) => archiveAgeDays({ store: 'journal', importance: 0.5 }, retention),
  ],
  'retention.journal.delete_after_days': [null, 365, ({ retention }) => archivedAges('journal', retention)],
  'retention.sessions.compress_after_days': [
    10,
    300,
    ({ retention: { sessions } }) =>
      planTranscriptPacking(['conversations/2026/08/01/a.md'], NOW_MS, sessions.compress_after_days).length,
  ],
  'proposals.auto_approve': [true, false, approvedByItself, { 'agents.trusted': ['researcher'] }],
  'agents.trusted': [['researcher'], [], approvedByItself, { 'proposals.auto_approve': true }],
  'agents.review': ['automatic', 'manual', approvedByItself, TRUSTING],
  'agents.scopes': [
    {},
    { eye: ['project:apollo'] },
    (config) => visibleTo({ actor: 'subagent:eye', confinedTo: undefined, config }).sees('project:apollo'),
  ],
  'audit.retention_days': [30, 900, audited],
  'audit.critical_files': [[], ['notes/*.md'], ({ audit }) => createCriticalTest(audit.critical_files)('notes/a.md')],
  'alerts.enabled': [true, false, afterEdits(async (mneme) => (await mneme.status()).alerts.length)],
  'alerts.external_edits': [true, false, afterEdits(async (mneme) => (await mneme.status()).externalEdits.length)],
  'alerts.max_diff_lines': [5, 40, afterEdits(async (mneme) => (await mneme.status()).alerts[0]?.diff)],
  'alerts.at_session_start': [
    true,
    false,
    afterEdits(async ({ internals }) => (await listNotices(internals, 'shared')).length),
  ],
  'chain.enabled': [true, false, off('chain')],
  'chain.anchor': [
    'none',
    'file',
    inHome(async (mneme) => {
      await mneme.remember('Remember for good: Ada likes tea.');
      return (await mneme.chain.anchor({})).receipt;
    }),
    { 'chain.anchor_file': 'anchors.txt' },
  ],
  'server.allowed_hosts': [[], ['memory.example'], admits({ host: 'memory.example' })],
  'server.allowed_origins': [[], ['https://a.example'], admits({ host: 'localhost', origin: 'https://a.example' })],
  'server.port': [47_113, 47_114, served(async (url) => new URL(url).port)],
  'server.dashboard': [
    true,
    false,
    async (_config, yaml) => {
      const cli = new TestCli(undefined, { isInterrupted: true });
      await cli.init();
      fs.writeFileSync(path.join(cli.home, 'mneme.yaml'), yaml);
      return (await cli.run(['dashboard', '--no-open'])).err.includes('switched off');
    },
    ANY_PORT,
  ],
  'server.max_requests_per_minute': [
    0,
    1,
    served(async (url, token) => {
      const ask = async (): Promise<number> =>
        (await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
      return [await ask(), await ask(), await ask()];
    }),
    ANY_PORT,
  ],
  'server.mcp_mode': [
    'full',
    'read-only',
    ({ server }) => resolveAccess({ mode: undefined, actor: undefined, usualMode: server.mcp_mode }),
  ],
  'server.host': ['127.0.0.1', 'memory.example', admits({ host: 'memory.example' })],
  'hooks.timeout_ms': [
    900,
    5000,
    (_config, yaml) => {
      const home = makeTemporaryFolder();
      fs.writeFileSync(path.join(home, 'mneme.yaml'), yaml);
      return findAllowedMs(home);
    },
  ],
  'worker.enabled': [
    true,
    false,
    (config) => {
      // No test starts a worker; here one is only asked about.
      vi.stubEnv('MNEME_WORKER', '');
      return isWorkerAllowed(config);
    },
  ],
  'worker.max_load': [0.8, 10, pace],
  'worker.min_battery_percent': [40, 80, pace],
  'backup.encrypt': [false, true, backupJob],
  'backup.include_transcripts': [true, false, backedUp, BY_HAND],
  'backup.keep_count': [1, 3, backupsKept],
  'git.raw_remote': [null, '/nowhere/raw', exchanged, { 'git.remote': null }],
  'git.chain_remote': [null, '/nowhere/chain', exchanged],
  'git.private_scopes': ['withhold', 'encrypt', inHome((mneme) => mneme.sync({ remote: '/nowhere/memory' }))],
  'extract.imports': [false, true, (config) => countWanted(config, { own: 1, imported: 2 })],
  'index.engine': ['sqlite', 'postgres', inHome(async (mneme) => (await mneme.index.status()).standIn)],
  'index.postgres_writer_lease': [
    false,
    true,
    (config) =>
      openWriterLease({ parts: { config, paths: describeHome(HOME, config).paths } } as unknown as HomeIndex) ===
      undefined,
    { 'index.engine': 'postgres' },
  ],
  'reasoner.timeout_ms': [100, 300, unanswered],
  'watchers.enabled': [
    true,
    false,
    inHome(async (mneme) => {
      await mneme.topics.new('Bees', { keywords: ['bees'], instructions: 'Mind the smoke.' });
      return (await mneme.context('What about the bees?', { event: 'prompt' })).prompt.includes('Mind the smoke');
    }),
  ],
  'retention.sessions.delete_after_days': [null, 30, oldTranscript],
  'proposals.auto_archive': [false, true, faded],
  'chain.anchor_file': [
    'one.txt',
    'two.txt',
    inHome(async (mneme, home) => {
      await mneme.remember('Remember for good: Ada likes tea.');
      await mneme.chain.anchor({});
      return fs.existsSync(path.join(home, 'one.txt'));
    }),
    { 'chain.anchor': 'file' },
  ],
  'chain.anchor_remote': [null, '/nowhere/heads', inHome((mneme) => mneme.chain.anchor({})), { 'chain.anchor': 'git' }],
  'server.tokens': [
    [],
    [{ name: 'phone', role: 'reader', token_env: 'PHONE_TOKEN' }],
    (config, yaml) => {
      vi.stubEnv('PHONE_TOKEN', PHONE_TOKEN);
      return served(async (url) => {
        const headers = { authorization: `Bearer ${PHONE_TOKEN}` };
        return (await fetch(`${url}/api/v1/me`, { headers })).status;
      })(config, yaml);
    },
    ANY_PORT,
  ],
  'hooks.inject_context': [true, false, hooked('UserPromptSubmit')],
  'hooks.flush_before_compaction': [true, false, hooked('PreCompact'), BY_HAND],
  'backup.path': ['backups', 'copies', (config) => backupFolder(HOME, config)],
};

/** Settings whose effect needs a second process, a key of its own or a slow request: the tests that set them and see it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'chain.accepted_keys': 'test/e2e/chain.test.ts',
  'daemon.serve': 'test/e2e/daemon.test.ts',
  'server.timeout_ms': 'src/interfaces/mcp/serve-http.test.ts',
};

afterEach(() => {
  vi.unstubAllEnvs();
});

function write(settings: Readonly<Record<string, unknown>>): string {
  const tree: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of Object.entries({ format: 1, ...settings })) {
    const words = key.split('.');
    const last = words.pop() ?? key;
    let place: Record<string, unknown> = tree;
    for (const word of words) place = (place[word] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return stringify(tree);
}

async function observe([, , look, besides = {}]: Row, key: string, value: unknown): Promise<unknown> {
  const yaml = write({ ...besides, [key]: value });
  const { config, findings } = parseConfig(yaml);
  expect(findings.filter(({ kind }) => kind !== 'format')).toEqual([]);
  return look(config, yaml);
}

describe('every setting', () => {
  it('has a row', () => {
    const keys = listKeys().map(({ key }) => key);
    expect(keys.filter((key) => !(key in ROWS) && !(key in ELSEWHERE))).toEqual([]);
    expect([...Object.keys(ROWS), ...Object.keys(ELSEWHERE)].filter((key) => !keys.includes(key))).toEqual([]);
  });

  it.each(Object.keys(ROWS))('%s makes a difference', async (key) => {
    const row = ROWS[key];
    if (row === undefined) throw new Error('no row');
    expect(await observe(row, key, row[0])).not.toEqual(await observe(row, key, row[1]));
  });

  it.each(Object.entries(ELSEWHERE))('%s is set by %s', (key, file) => {
    expect(file).toMatch(/\.test\.ts$/u);
    expect(fs.readFileSync(file, 'utf8')).toContain(key.slice(key.lastIndexOf('.') + 1));
  });
});

describe('jobs', () => {
  it.each(Object.keys(JOB_TIMES) as JobName[])('scheduler.%s says when, or never', async (job) => {
    const at = (time: string | null): Promise<unknown> =>
      observe([null, null, nextRun(job)], 'scheduler', { [job]: time });
    expect(new Set([await at('17 5 * * *'), await at('18 6 * * *'), await at(null)]).size).toBe(3);
  });
});
