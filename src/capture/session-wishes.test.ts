import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { systemClock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { systemRandom } from '../platform/random.ts';
import { SessionWishes } from './session-wishes.ts';

let folder: string;
let wishes: SessionWishes;

beforeEach(() => {
  folder = makeTemporaryFolder();
  const paths = { journal: path.join(folder, 'journal'), state: path.join(folder, 'state') };
  for (const each of Object.values(paths)) fs.mkdirSync(each);
  wishes = new SessionWishes({ fs: nodeFileSystem, paths, clock: systemClock, random: systemRandom });
});

const done = (number: number, failed: readonly number[] = []) => ({
  turn: `t${number}`,
  number,
  failed,
  outcomes: [{ kind: 'remember' as const, turn: `t${number}` }],
});

// SPEC LEARN-7
describe('the wishes of a session', () => {
  it('are expected before the first is tried', async () => {
    expect(wishes.find('s1')).toBeUndefined();
    await wishes.begin('s1');
    expect(wishes.find('s1')).toEqual({ upTo: 0, untold: [], waiting: [] });
  });

  it('lose nothing when many note something at once, and leave no file behind', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => wishes.fulfil('s1', done(index + 1, [0]))));
    const state = wishes.find('s1');
    expect(state?.upTo).toBe(8);
    expect(state?.waiting.map(({ turn }) => turn)).toEqual(state?.untold.map(({ turn }) => turn));
    expect(fs.readdirSync(path.join(folder, 'journal/wishes'))).toEqual(['s1.json']);
  });

  it('are told once, and only what was told counts as told', async () => {
    await wishes.fulfil('s1', done(1));
    await wishes.fulfil('s1', done(1));
    expect(wishes.find('s1')?.untold).toHaveLength(1);
    await wishes.fulfil('s1', done(2));
    await wishes.noteTold('s1', 1);
    expect(wishes.find('s1')?.untold.map(({ turn }) => turn)).toEqual(['t2']);
  });

  it('wait until they succeed', async () => {
    await wishes.fulfil('s1', done(1, [0]));
    await wishes.pass('s1', 4);
    expect(wishes.listWaiting()).toEqual(['s1']);
    await wishes.fulfil('s1', done(1));
    expect(wishes.listWaiting()).toEqual([]);
    expect(wishes.find('s1')?.upTo).toBe(4);
  });
});
