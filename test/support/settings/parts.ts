import path from 'node:path';
import { planRetention } from '../../../src/audit/retention.ts';
import type { AuditLine } from '../../../src/audit/line.ts';
import { checkSite, siteRules } from '../../../src/interfaces/http/access/clients.ts';
import { relevanceOf } from '../../../src/memory/decay/relevance.ts';
import { type JobName } from '../../../src/model/config/running.ts';
import type { Config } from '../../../src/model/config/schema.ts';
import { mayAutoApprove, reviewRules } from '../../../src/proposals/policy.ts';
import type { Proposal } from '../../../src/proposals/proposal.ts';
import { createEmbedder } from '../../../src/providers/embeddings/create.ts';
import { systemHttp } from '../../../src/providers/embeddings/http.ts';
import { findConnection, openLanguageProvider } from '../../../src/providers/language/provider.ts';
import { Ledger, findCapReached } from '../../../src/reasoner/ledger/ledger.ts';
import { JOBS } from '../../../src/runtime/jobs/job-table.ts';
import { Occurrences, scheduleOf } from '../../../src/runtime/jobs/plan.ts';
import { Pace } from '../../../src/runtime/worker/background-loop.ts';
import { postgresOptions } from '../../../src/search-index/open-index.ts';
import { checkFile } from '../../../src/workspace/formats/findings.ts';
import { layoutOf, placeOf } from '../../../src/workspace/formats/layout.ts';
import { describeHome } from '../../../src/workspace/home.ts';
import { makeTemporaryFolder } from '../home.ts';
import { DAY_MS } from '../../../src/model/time.ts';

/** What a user could tell apart – an answer, a refusal, a place, a time –, and never the setting itself. */
export type Observe = (config: Config, yaml: string) => unknown;
/** Two values, what is observed, and other settings that have to be so for the effect to show. */
export type Row = readonly [
  one: unknown,
  other: unknown,
  observe: Observe,
  besides?: Readonly<Record<string, unknown>>,
];

export const NOW_MS = Date.UTC(2026, 10, 18, 12);
export const HOME = path.resolve('/home/ana/.mneme');

export const placesIn = (config: Config): unknown => describeHome(HOME, config).paths.repositories.workspace;
export const storeOf =
  (file: string): Observe =>
  (config) =>
    placeOf(file, layoutOf(config)).kind;
/** What a check of MEMORY.md says. */
export const memory =
  (text: string): Observe =>
  (config) =>
    checkFile('MEMORY.md', text, layoutOf(config)).map(({ code, severity }) => `${severity} ${code}`);
export const block = (name: string): Observe => memory(`## ${name}\n\n- ${'word '.repeat(60)}\n`);

export function nextRun(job: JobName): Observe {
  return (config) => {
    const found = JOBS.find(({ schedule }) => schedule === job);
    if (found === undefined) throw new Error(`no job ${job}`);
    const schedule = scheduleOf({ config, home: HOME }, found, 0);
    return schedule && new Occurrences(schedule.cron, schedule.timeZone).after(NOW_MS);
  };
}

/** What a provider is asked, and with what; nothing leaves the process. */
export const embedderAsks: Observe = async (config) => {
  const asked: unknown[] = [];
  const fetched: typeof fetch = (url, init) => {
    const address = String(url instanceof Request ? url.url : url);
    asked.push(address, init?.body ?? null, JSON.stringify(init?.headers ?? {}));
    if (address.endsWith('/api/tags')) {
      const models = ['one', 'two'].map((name) => ({ name: `${name}:latest`, digest: name }));
      return Promise.resolve(Response.json({ models }));
    }
    return Promise.resolve(new Response('{}', { status: 400 }));
  };
  const folder = makeTemporaryFolder();
  try {
    const { embedder } = await createEmbedder(config.embedding, {
      readVariable: (name) => `value of ${name}`,
      baseFolder: folder,
      modelsFolder: path.join(folder, 'models'),
      downloadsModels: false,
      maxRetries: 0,
      http: { ...systemHttp, fetch: fetched },
    });
    await embedder?.embed(['bees'], 'query');
    asked.push(embedder?.id);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    asked.push(error.message.replaceAll(folder, ''));
  }
  return asked;
};
export const embedding = (provider: string, key: string, one: unknown, other: unknown): Record<string, Row> => ({
  [`embedding.${key}`]: [one, other, embedderAsks, { 'embedding.provider': provider }],
});

export const connection =
  (provider: 'anthropic' | 'openai' | 'google' | 'openai-compatible'): Observe =>
  ({ reasoner }) =>
    findConnection(provider, reasoner, { readVariable: (name) => `value of ${name}` });
export const opensProvider: Observe = async ({ reasoner: { provider, ...reasoner } }) => {
  if (provider === 'heuristic') return 'asks nobody';
  const opened = openLanguageProvider(provider, { ...reasoner, base_url: null }, { readVariable: () => undefined });
  return opened.then(String, (error: Error) => error.message);
};
export const capped: Observe = ({ reasoner }) => {
  const ledger = new Ledger({ folder: makeTemporaryFolder(), clock: { now: () => NOW_MS }, timeZone: 'UTC' });
  return findCapReached(ledger, reasoner, { purpose: 'reflect', tokens: 1000, usd: 0.5 });
};

export const postgres: Observe = (config) => {
  try {
    const deps = {
      readVariable: (name: string) => (name === 'MNEME_POSTGRES_URL' ? 'postgres://x@127.0.0.1:9/x' : undefined),
    };
    const { paths } = describeHome(HOME, config);
    return postgresOptions({ ...deps, config, paths, deviceName: 'test' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
};

export const relevance: Observe = ({ decay }) =>
  relevanceOf(
    {
      store: 'episodic',
      source: 'conversation',
      createdMs: NOW_MS - 60 * DAY_MS,
      accesses: 0,
      lastAccessMs: undefined,
      isPinned: false,
    },
    NOW_MS,
    decay,
  );

const proposal = {
  kind: 'memory',
  actor: 'subagent:researcher',
  trust: 'agent',
  confidence: 'high',
  conflictsWith: [],
  changes: [{ path: 'memory/b.md', action: 'create', diff: '' }],
} as unknown as Proposal;
export const approvedByItself: Observe = (config) => mayAutoApprove(proposal, reviewRules(config));
export const TRUSTING = { 'proposals.auto_approve': true, 'agents.trusted': ['researcher'] };

export const audited: Observe = ({ audit }) => {
  const line = (time: string) =>
    ({ timeMs: Date.parse(time), reference: undefined, file: 'a.md', actor: 'manual', action: 'EDIT' }) as AuditLine;
  const lines = ['2026-06-01', '2026-09-01', '2026-11-01'].map(line);
  return planRetention({ lines, archive: '', nowMs: NOW_MS, retentionDays: audit.retention_days }).digests.length;
};

export const admits =
  (headers: Readonly<Record<string, string>>): Observe =>
  ({ server: { host, allowed_hosts: hosts, allowed_origins: origins } }) => {
    try {
      return checkSite(headers, siteRules(host, hosts, origins)) ?? 'let in';
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return error.message;
    }
  };

export const pace: Observe = ({ worker }) =>
  new Pace({ cores: 1, load: () => 2, ownCpuSeconds: () => 0, batteryPercent: async () => 50 }, worker, () => 0).next();
