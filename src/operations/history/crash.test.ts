import { describe, expect, it } from 'vitest';
import { sample } from '../../../test/support/effort.ts';
import { humanGit, makeHome, readWorkspaceFile } from '../../../test/support/home.ts';
import type { Step } from '../../workspace/door/context.ts';
import { runOperation } from '../operation.ts';
import { dropExploration, exploreList, startExploration } from './explore.ts';
import { sync } from './sync.ts';
import { makeBareRepository, openTestHome, TestClock, type TestHome } from './testing.ts';

const NOTE = 'memory/reference/a.md';

/** From the mark to the end of the write, then while HEAD and index move. */
const STEPS: readonly Step[] = [
  'temporary-written',
  'journaled',
  'file-renamed',
  'indexed',
  'index-locked',
  'index-renamed',
  'reference-updated',
];

/** After a kill the system still knows what was not synced; after a power cut everything is looked at again. */
const KILL = {};
const POWER_CUT = { bootId: 'another boot' };

class Crash extends Error {}

/** Recovery compares ids with the files' own times, so these must come from one clock. */
class RealClock extends TestClock {
  override now(): number {
    return Date.now();
  }
}

/** A home whose process dies at a step, once `arm` was called; whoever opens it next finds what was left. */
async function openFragile(home: string, step: Step): Promise<{ fragile: TestHome; arm: () => void }> {
  let isArmed = false;
  let isDead = false;
  const onStep = (reached: Step): void => {
    isDead ||= isArmed && reached === step;
    if (isDead) throw new Crash(step);
  };
  const fragile = await openTestHome({ home, clock: new RealClock(), parts: { onStep }, isDoomed: true });
  return { fragile, arm: () => void (isArmed = true) };
}

describe('a crash while HEAD moves', () => {
  it.each(STEPS)('(a kill at %s) leaves an exploration whole or gone', async (step) => {
    const home = await makeHome();
    const { fragile, arm } = await openFragile(home, step);
    await fragile.write({ [NOTE]: 'before\n', 'memory/reference/b.md': 'b\n' });
    await runOperation(startExploration, fragile.context, { name: 'x' });
    await fragile.write({ [NOTE]: 'tried\n', 'memory/reference/b.md': undefined, 'memory/reference/c.md': 'c\n' });
    await fragile.context.workspace.drain();
    arm();
    await expect(runOperation(dropExploration, fragile.context, {})).rejects.toThrow(step);
    const next = await openTestHome({ home, clock: new RealClock(), parts: KILL });
    await next.context.workspace.scan();
    expect((await next.context.workspace.drain()).postponed).toEqual([]);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
    const isBack = humanGit(home, 'branch', '--show-current').trim() === 'main';
    expect(isBack).toBe(step !== 'temporary-written');
    expect(readWorkspaceFile(home, NOTE)).toBe(isBack ? 'before\n' : 'tried\n');
    expect(humanGit(home, 'show', `explore/x:${NOTE}`)).toBe('tried\n');
    expect(humanGit(home, 'log', '--format=%an', '--all')).not.toContain('external');
    expect(await runOperation(exploreList, next.context, {})).toMatchObject([{ name: 'x', isCurrent: !isBack }]);
    await runOperation(dropExploration, next.context, { name: 'x' });
    expect(readWorkspaceFile(home, NOTE)).toBe('before\n');
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
  });

  it.each(sample(STEPS, 3))('(a power cut at %s) lets the next sync finish a pull', async (step) => {
    const remote = await makeBareRepository();
    const other = await openTestHome({ clock: new RealClock() });
    await other.write({ [NOTE]: '# A\n\n- base\n' });
    await runOperation(sync, other.context, { remote });
    const home = await makeHome();
    const { fragile, arm } = await openFragile(home, step);
    await runOperation(sync, fragile.context, { remote, allowUnrelated: true });
    await runOperation(sync, other.context, {});
    await other.write({ [NOTE]: '# A\n\n- base\n- other\n' });
    await runOperation(sync, other.context, {});
    await fragile.write({ [NOTE]: '# A\n\n- here\n- base\n' });
    await fragile.context.workspace.drain();
    arm();
    await expect(runOperation(sync, fragile.context, {})).rejects.toThrow(step);
    const next = await openTestHome({ home, clock: new RealClock(), parts: POWER_CUT });
    await runOperation(sync, next.context, {});
    await runOperation(sync, other.context, {});
    for (const one of [home, other.home]) {
      expect(readWorkspaceFile(one, NOTE)).toBe('# A\n\n- here\n- base\n- other\n');
      expect(humanGit(one, 'status', '--porcelain')).toBe('');
      expect(humanGit(one, 'log', '--format=%an')).not.toContain('external');
    }
  });
});
