import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { stringify } from 'yaml';
import { openMneme, type Mneme } from '../../../src/index.ts';
import { Cli } from '../../../src/interfaces/cli/cli.ts';
import { processIo } from '../../../src/interfaces/cli/io.ts';
import { startServing } from '../../../src/interfaces/cli/programs/serve-home.ts';
import { initHome } from '../../../src/operations/home/init.ts';
import { extract, runExtract } from '../../../src/operations/extract/extract.ts';
import { whyOff } from '../../../src/runtime/jobs/plan.ts';
import { JOBS } from '../../../src/runtime/jobs/job-table.ts';
import { createRedactor } from '../../../src/workspace/safety/redact.ts';
import { TestCli } from '../cli.ts';
import { initTestHome, makeTemporaryFolder } from '../home.ts';
import { startModelServer } from '../provider-server.ts';
import { type Observe } from './parts.ts';

/** What happens in a home with these settings. */
export function inHome(run: (mneme: Mneme, home: string) => Promise<unknown>): Observe {
  return async (_config, yaml) => {
    const home = makeTemporaryFolder();
    await initTestHome(home);
    fs.writeFileSync(path.join(home, 'mneme.yaml'), yaml);
    const mneme = await openMneme({ home, actor: 'manual' });
    try {
      return await run(mneme, home);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return error.message;
    } finally {
      await mneme.close();
    }
  };
}

const git = (home: string, ...args: string[]): string =>
  execFileSync('git', ['-C', path.join(home, 'workspace'), ...args], { encoding: 'utf8' }).trim();
export const committed = inHome(async (mneme, home) => {
  await mneme.remember('Ada likes tea.');
  await mneme.internals.workspace.drain();
  return git(home, 'log', '-1', '--format=%cn <%ce>');
});
export const commits = inHome(async (mneme, home) => {
  const before = Number(git(home, 'rev-list', '--count', 'HEAD'));
  await mneme.remember('Ada likes tea.');
  await mneme.remember('Ben lives in Rome.');
  await mneme.internals.workspace.drain();
  return Number(git(home, 'rev-list', '--count', 'HEAD')) - before;
});
export const writes = (file: string, content: Buffer): Observe =>
  inHome(async ({ internals: { workspace } }) => {
    const changes = [{ path: file, base: undefined, content }];
    const { files } = await workspace.commit({ actor: 'manual', summary: 'x', changes });
    return files.length;
  });
export const learned = inHome(async (mneme) => {
  const session = await mneme.session.start({ id: 'ses_a', user: 'Ines' });
  await session.message('user', 'I live in Munich.');
  await session.end();
  const { sessions } = await runExtract(mneme.internals, extract.input.parse({}), { isUnasked: true });
  return sessions.flatMap(({ items }) => items).length;
});
export const BY_HAND = { 'extract.trigger': 'manual' };

export const firstBranch = inHome(async (mneme, home) => {
  const session = await mneme.session.start({ id: 'ses_a' });
  await session.message('user', 'Hello.');
  await session.end();
  await mneme.internals.workspace.drain();
  return fs.readFileSync(path.join(home, 'raw', '.git', 'HEAD'), 'utf8');
});
export const hookOf: Observe = async (_config, yaml) => {
  const home = makeTemporaryFolder();
  fs.writeFileSync(path.join(home, 'mneme.yaml'), yaml);
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  return fs.existsSync(path.join(home, 'workspace', '.git', 'hooks', 'pre-commit'));
};
export const backedUp = inHome(async (mneme) => {
  const session = await mneme.session.start({ id: 'ses_a' });
  await session.message('user', 'Hello.');
  await session.end();
  return (await mneme.backup.create()).files;
});
/** Nobody has keys to seal it for. */
export const backupJob = inHome(async ({ internals }) => {
  const job = JOBS.find(({ name }) => name === 'backup');
  const controls = { signal: new AbortController().signal, onProgress: () => undefined };
  return job && typeof (await job.run(internals, controls)).summary;
});
export const served =
  (look: (url: string, token: string) => Promise<unknown>): Observe =>
  async (_config, yaml) => {
    const home = makeTemporaryFolder();
    await initTestHome(home);
    fs.writeFileSync(path.join(home, 'mneme.yaml'), yaml);
    const cli = new Cli({ ...SILENT, err: () => undefined }, new TestCli(home).environment);
    const { serving, close } = await startServing(cli, {});
    try {
      return await look(serving.url, serving.issueToken('phone', 'reader'));
    } finally {
      await close();
    }
  };
const SILENT = processIo(false);
export const ANY_PORT = { 'server.port': 0 };

/** Twelve memories about bees, and a question that finds them. */
export const recalled = (options: { readonly limit?: number } = {}): Observe =>
  inHome(async (mneme) => {
    for (let index = 0; index < 12; index += 1)
      await mneme.remember(`Hive ${index} of the bees stands in field ${index}.`);
    return (await mneme.recall('Where do the hives of the bees stand?', options)).hits.length;
  });
/** What a recall asks of a model, as the service sees it. */
export const reranked: Observe = async (_config, yaml) => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  const before = await openMneme({ home, actor: 'manual' });
  for (const place of ['mill', 'church', 'bridge'])
    await before.remember(`A hive of the bees stands behind the ${place}.`);
  await before.close();
  const service = await startModelServer(() => JSON.stringify({ scores: [0, 5, 10, 1, 1, 1] }));
  vi.stubEnv('MNEME_LLM_API_KEY', 'key');
  const reasoner = { provider: 'openai-compatible', base_url: `${service.url}/v1`, small_model: 'local' };
  fs.writeFileSync(path.join(home, 'mneme.yaml'), `${yaml}${stringify({ reasoner })}`);
  const mneme = await openMneme({ home, actor: 'manual' });
  try {
    const { hits, notes } = await mneme.recall('Where do the hives of the bees stand?');
    expect(notes).toEqual([]);
    return [hits.map(({ text }) => text), service.requests.length];
  } finally {
    await mneme.close();
    await service.close();
  }
};
export const afterEdits = (observe: (mneme: Mneme) => Promise<unknown>): Observe =>
  inHome(async (mneme, home) => {
    const write = (file: string, text: string): void => {
      fs.mkdirSync(path.dirname(path.join(home, 'workspace', file)), { recursive: true });
      fs.writeFileSync(path.join(home, 'workspace', file), text);
    };
    write('SOUL.md', '# Soul\n\n- changed by somebody\n'.repeat(30));
    write('memory/reference/bees.md', '# Bees\n');
    await mneme.internals.workspace.scan();
    await mneme.internals.audit.sync();
    return observe(mneme);
  });
export const off = (name: string): Observe =>
  inHome(async ({ internals }) => {
    const job = JOBS.find((one) => one.name === name);
    return job && whyOff(internals, job);
  });

export const KEY = 'AKIAIOSFODNN7EXAMPLA';
export const redacted: Observe = async ({ redaction }) => (await createRedactor(redaction).redact(`key ${KEY}`)).text;
