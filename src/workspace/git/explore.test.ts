import { describe, expect, it } from 'vitest';
import {
  applyExplorationPrune,
  finishExploration,
  listExplorations,
  planExplorationMerge,
  planExplorationPrune,
} from './explore.ts';
import type { MergeText } from './merge-trees.ts';
import {
  TEST_TIME_MS,
  commitFiles,
  makeRepository,
  startExploration,
  typeGit,
} from '../../../test/support/git-repository.ts';
import { DAY_MS } from '../../model/time.ts';

const keepBoth: MergeText = ({ ours, theirs }) => ({ text: ours + theirs, conflicts: [{ ours, theirs }] });
const nowMs = TEST_TIME_MS;

describe('explorations', () => {
  it('start from here, collect commits and go back', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'a.md': 'base\n' }, 'base');
    const started = await startExploration(git, { name: 'what-if', nowMs });
    expect(started).toMatchObject({ branch: 'explore/what-if', from: 'main', startedMs: nowMs, isCurrent: true });
    const tip = await commitFiles(git, { 'a.md': 'tried\n' }, 'tried');
    await expect(finishExploration(git, 'what-if', { outcome: 'dropped', id: '01X' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await git.bytes(['switch', '-q', 'main']);
    const kept = await finishExploration(git, 'what-if', { outcome: 'dropped', id: '01X' });
    expect(await listExplorations(git)).toEqual([]);
    expect(kept).toBe('refs/mneme/dropped/what-if-01X');
    expect(await git.text(['rev-parse', kept])).toBe(tip);
    expect(await typeGit(git, 'config', '--local', '--list')).not.toContain('mnemefrom');
  });

  it('are kept once although somebody died while dropping them', async () => {
    const git = await makeRepository();
    await commitFiles(git, { 'a.md': 'base\n' }, 'base');
    const { tip } = await startExploration(git, { name: 'idea', nowMs });
    await git.bytes(['switch', '-q', 'main']);
    for (const kept of ['idea-01X', 'idea-2-01W']) await git.bytes(['update-ref', `refs/mneme/dropped/${kept}`, tip]);
    expect(await finishExploration(git, 'idea', { outcome: 'dropped', id: '01Z' })).toBe('refs/mneme/dropped/idea-01X');
    expect(await listExplorations(git)).toEqual([]);
    const kept = await git.text(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/mneme/dropped']);
    expect(kept.split('\n')).toEqual(['idea-01X', 'idea-2-01W']);
  });

  it('merge by block into the branch they came from', async () => {
    const git = await makeRepository();
    await commitFiles(
      git,
      { 'both.md': 'base\n', 'gone.md': 'x\n', 'same.md': 'x\n', 'it\'s "ü".md': 'x\r\n' },
      'base',
    );
    await startExploration(git, { name: 'ü', nowMs });
    await commitFiles(git, { 'both.md': 'explored\n', 'gone.md': undefined, 'it\'s "ü".md': 'new\r\n' }, 'explored');
    await git.bytes(['switch', '-q', 'main']);
    const onto = await commitFiles(git, { 'both.md': 'main\n', 'same.md': 'y\n' }, 'main');
    await git.bytes(['switch', '-q', 'explore/ü']);
    const plan = await planExplorationMerge(git, 'ü', keepBoth);
    expect(plan.onto).toBe(onto);
    expect(plan.files.map(({ path, content }) => [path, content?.toString('utf8')])).toEqual([
      ['both.md', 'main\nexplored\n'],
      ['gone.md', undefined],
      ['it\'s "ü".md', 'new\r\n'],
    ]);
    expect(plan.conflicts).toMatchObject([
      { path: 'both.md', kind: 'text', details: [{ ours: 'main\n', theirs: 'explored\n' }] },
    ]);
    await git.bytes(['switch', '-q', 'main']);
    await finishExploration(git, 'ü', { outcome: 'merged', id: '01Y' });
    expect(await git.text(['log', '-1', '--format=%s', 'refs/mneme/merged/ü-01Y'])).toBe('explored');
  });

  it('cannot end while another one began within them', async () => {
    const git = await makeRepository();
    await startExploration(git, { name: 'outer', nowMs: nowMs - 9 * DAY_MS });
    await startExploration(git, { name: 'inner', nowMs });
    await expect(finishExploration(git, 'outer', { outcome: 'dropped', id: '1' })).rejects.toMatchObject({
      code: 'conflict',
      hint: 'Merge or drop inner first.',
    });
    expect((await planExplorationPrune(git, { nowMs })).inUse.map(({ name }) => name)).toEqual(['outer']);
  });

  it('refuse bad, double and unknown names', async () => {
    const git = await makeRepository();
    await startExploration(git, { name: 'x', nowMs });
    await expect(startExploration(git, { name: 'two words', nowMs })).rejects.toMatchObject({ code: 'usage' });
    await expect(startExploration(git, { name: 'x', nowMs })).rejects.toMatchObject({ code: 'conflict' });
    await expect(planExplorationMerge(git, 'y', keepBoth)).rejects.toMatchObject({
      code: 'not-found',
      hint: 'There are: x.',
    });
  });

  it('are pruned after a week, but not while checked out', async () => {
    const git = await makeRepository();
    for (const [name, days] of [
      ['old', 9],
      ['young', 6],
      ['used', 8],
    ] as const) {
      await git.bytes(['switch', '-q', 'main']);
      await startExploration(git, { name, nowMs: nowMs - days * DAY_MS });
    }
    await git.bytes(['branch', 'explore/by-hand', 'main']);
    const plan = await planExplorationPrune(git, { nowMs });
    expect(plan.expired.map(({ name }) => name)).toEqual(['old']);
    expect(plan.inUse.map(({ name }) => name)).toEqual(['used']);
    expect(await applyExplorationPrune(git, plan, () => '01Z')).toEqual(['refs/mneme/dropped/old-01Z']);
    expect((await listExplorations(git)).map(({ name }) => name)).toEqual(['used', 'young', 'by-hand']);
  });
});
