import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Extractor } from '../../src/extract/extractors.ts';
import type { Candidate } from '../../src/model/knowledge.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { approve } from '../../src/operations/proposals/approve.ts';
import { runReconstruction, startReconstruction } from '../../src/operations/reconstruct/start.ts';
import type { ReconstructionInfo } from '../../src/operations/reconstruct/list.ts';
import { TestCli } from '../support/cli.ts';
import { humanGit, readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

const INES = 'memory/graph/entities/person--ines.md';
const SESSIONS = ['ses_one000000', 'ses_two000000', 'ses_three0000'];

const FIRST = ['Ines keeps bees in the garden.', 'Ines rows on Tuesdays.', 'Ines repairs old radios.'];
const SECOND = ['Ines keeps bees in the garden.', 'Ines sings in a choir.', 'Ines builds wooden boats.'];

/** Finds one thing in every conversation; another version of it finds other things in two of them. */
function hobbies(version: 1 | 2): Extractor {
  const find: Extractor['find'] = async ({ conversation: { session, turns } }) => {
    const statement = (version === 1 ? FIRST : SECOND)[SESSIONS.indexOf(session)] ?? '';
    const candidate: Candidate = {
      kind: 'fact',
      statement,
      evidence: { session, turns: [turns[0]?.id ?? 't1'], quote: 'hobby' },
      trust: 'user',
      saidMs: turns[0]?.timeMs ?? 0,
      confidence: 'high',
      importance: 0.6,
      subject: { name: 'Ines', type: 'person', isUser: true },
      entities: [],
      relations: [],
      tags: [],
      isCoreWorthy: false,
    };
    return { by: 'hobbies', notes: [], candidates: [candidate] };
  };
  return { name: 'hobbies', version, find };
}

const cli = new TestCli();
const file = (): string => readWorkspaceFile(cli.home, INES);

async function withVersion<T>(version: 1 | 2, body: (mneme: Mneme) => Promise<T>): Promise<T> {
  const mneme = await openMneme({ home: cli.home, extractors: [hobbies(version)], actor: 'manual' });
  try {
    return await body(mneme);
  } finally {
    await mneme.close();
  }
}

beforeAll(async () => {
  await cli.init();
  await withVersion(1, async (mneme) => {
    for (const [index, id] of SESSIONS.entries()) {
      const session = await mneme.session.start({ id, user: 'Ines' });
      await session.message('user', `Conversation ${index + 1} mentions a hobby.`);
      await session.end();
    }
    await mneme.extract();
  });
  const edited = file().replace('old radios', 'very old radios');
  writeWorkspaceFile(cli.home, INES, edited.replace('## Facts\n', '## Facts\n\n- Ines whistles.\n'));
});

// SPEC NIGHT-5
describe('a reconstruction', () => {
  it('is estimated without beginning', async () => {
    const { sessions, estimate, branch } = await withVersion(2, (mneme) =>
      mneme.reconstruct.start({ name: 'v2', dryRun: true, provider: 'anthropic', model: 'claude-haiku-4-5' }),
    );
    expect([sessions, branch]).toEqual([{ done: 0, total: 3 }, null]);
    expect(estimate).toMatchObject({ calls: 6, model: 'claude-haiku-4-5' });
    expect(estimate.usd).toBeGreaterThan(0);
    expect(await cli.json<ReconstructionInfo[]>('reconstruct', 'list')).toEqual([]);
  });

  it('that was stopped goes on, beside a memory that stays as it is', async () => {
    const before = file();
    const stop = new AbortController();
    const given = startReconstruction.input.parse({ name: 'v2', extractors: ['hobbies@2'], parallel: 2 });
    const first = await withVersion(2, ({ internals }) =>
      runReconstruction(internals, given, {
        signal: stop.signal,
        onProgress: ({ done }) => done === 1 && stop.abort(),
      }),
    );
    expect(first).toMatchObject({ isComplete: false, isResumed: false });
    const second = await withVersion(2, (mneme) => mneme.reconstruct.start({ name: 'v2' }));
    expect(second).toMatchObject({ isComplete: true, isResumed: true, sessions: { done: 3, total: 3 } });
    expect(file()).toBe(before);
    const then = execFileSync('git', ['show', `extract/v2:${INES}`], { cwd: path.join(cli.home, 'workspace') });
    expect(SECOND.filter((statement) => then.includes(statement))).toEqual(SECOND);
    expect(then.toString()).toContain('very old radios');
    expect(then.toString()).not.toContain('rows on Tuesdays');
  });

  it('is compared by statement and by what it answers', async () => {
    const probes = path.join(path.dirname(cli.home), 'probes.jsonl');
    fs.writeFileSync(probes, '{"question":"Does Ines sing?","expect":["sings","choir"]}\n');
    const out = await cli.ok('reconstruct', 'compare', 'v2', '--probes', probes);
    expect(out).toMatch(/hobbies +2 +3 +\+1/u);
    expect(out).toContain('+ Ines sings in a choir.');
    expect(out).toContain('- Ines rows on Tuesdays.');
    expect(out).toContain('0 % are answered now, 100 % by what was found');
  });

  it('is taken over only by a yes, and leaves a person’s words alone', async () => {
    const { proposals } = await withVersion(2, (mneme) => mneme.reconstruct.merge('v2'));
    expect(file()).toContain('rows on Tuesdays');
    const kept = /keeps bees.*\^(\S+)/u.exec(file())?.[1];
    await withVersion(2, ({ internals }) => approve.run(internals, approve.input.parse({ ids: [...proposals] })));
    expect(file()).toContain('sings in a choir');
    expect(file()).not.toContain('rows on Tuesdays');
    expect(file()).toContain('- Ines whistles.');
    expect(file()).toContain('very old radios');
    expect(/keeps bees.*\^(\S+)/u.exec(file())?.[1]).toBe(kept);
    await cli.ok('rollback', proposals[0] ?? '');
    expect(file()).toContain('rows on Tuesdays');
  });

  it('is dropped with its branch and what it proposed', async () => {
    await cli.ok('reconstruct', 'drop', 'v2');
    expect(humanGit(cli.home, 'branch', '--list', 'extract/*')).toBe('');
    expect(fs.existsSync(path.join(cli.home, 'state/reconstructions/v2'))).toBe(false);
    const { code, err } = await cli.run(['reconstruct', 'compare', 'v2']);
    expect([code, err]).toEqual([3, expect.stringContaining('There is no reconstruction "v2"')]);
  });

  it.each([
    [['start', 'No Name'], 2, 'cannot name a reconstruction'],
    [['start', 'x', '--only', 'smells'], 3, 'There is no extractor "smells"'],
    [['start', 'x', '--only', 'facts@9'], 3, 'There is no facts@9 here, only facts@1'],
    [['start', 'x', '--model', 'm'], 2, 'm needs a provider'],
    [['start', 'x', '--provider', 'nobody'], 2, 'There is no provider "nobody"'],
    [['merge', 'x'], 3, 'There is no reconstruction "x"'],
  ])('refuses %j', async (args, exit, words) => {
    const { code, err } = await cli.run(['reconstruct', ...args]);
    expect([code, err]).toEqual([exit, expect.stringContaining(words)]);
  });

  it('goes with what is erased', async () => {
    await withVersion(2, async (mneme) => {
      await mneme.reconstruct.start({ name: 'v3', extractors: ['hobbies'] });
      await mneme.erase('rows on Tuesdays');
      expect(await mneme.reconstruct.list()).toEqual([]);
    });
    const { status } = spawnSync('grep', ['-rlaF', 'rows on Tuesdays', cli.home]);
    expect(status).toBe(1);
    expect(humanGit(cli.home, 'for-each-ref', 'refs/heads/extract')).toBe('');
  });
});
