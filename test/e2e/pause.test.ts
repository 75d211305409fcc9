import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { findPause } from '../../src/operations/background/pause.ts';

let m: Mneme;
const journal = (): string => m.internals.workspace.paths.journal;

beforeEach(async () => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home });
});
afterEach(() => m.close());

it.each([
  ['90s', 90],
  ['30m', 1800],
  ['2 h', 7200],
  ['1.5d', 129_600],
])('a pause of %s is over after %i seconds', async (length, seconds) => {
  const nowMs = m.internals.clock.now();
  await m.pause({ for: length });
  expect(findPause(journal(), { now: () => nowMs + seconds * 1000 - 1 })).toBeDefined();
  expect(findPause(journal(), { now: () => nowMs + seconds * 1000 + 60_000 })).toBeUndefined();
});

it('a pause without an end lasts until it is resumed', async () => {
  const { pause } = await m.pause();
  expect(pause?.until).toBeNull();
  expect(findPause(journal(), { now: () => Date.parse('2999-01-01') })).toBeDefined();
  expect(await m.resume()).toEqual({ pause: null });
  expect(findPause(journal(), m.internals.clock)).toBeUndefined();
  expect(await m.resume()).toEqual({ pause: null });
});

it.each(['', '2', '0h', '-1h', '2 weeks', '1h30', '9999d'])('%j is no length of time', async (length) => {
  await expect(m.pause({ for: length })).rejects.toMatchObject({ code: 'usage' });
  expect(findPause(journal(), m.internals.clock)).toBeUndefined();
});

it('a file that pause did not write pauses nothing', () => {
  for (const text of ['', '{', '{"until": 7}', '[]']) {
    fs.writeFileSync(path.join(journal(), 'pause.json'), text);
    expect(findPause(journal(), m.internals.clock)).toBeUndefined();
  }
});
