import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { findProgress } from '../../operations/background/progress.ts';
import { ProgressNotes } from './progress-notes.ts';
import { HOUR_MS } from '../../model/time.ts';

it('a conversation with which the process died is tried again at once twice, then later and later', () => {
  const state = makeTemporaryFolder();
  const clock = { now: () => 1_000_000 };
  const pauses: number[] = [];
  for (let deaths = 0; deaths < 5; deaths += 1) {
    new ProgressNotes(state, clock).begin('ses_bad', 0);
    const { retryMs } = new ProgressNotes(state, clock).failed['ses_bad'] ?? { retryMs: Number.NaN };
    pauses.push(retryMs - clock.now());
  }
  expect(pauses).toEqual([0, 0, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS]);
});

it('one that cannot be learned from waits an hour, and is forgiven once it can', () => {
  const state = makeTemporaryFolder();
  const clock = { now: () => 1_000_000 };
  const notes = new ProgressNotes(state, clock);
  notes.begin('ses_bad', 2);
  notes.failedToLearn({ message: 'The file of Ines is broken.', hint: 'Mend it.' });
  expect(findProgress(state)).toMatchObject({
    current: null,
    failed: { ses_bad: { attempts: 1, retryMs: 1_000_000 + HOUR_MS } },
    lastProblem: { message: 'The file of Ines is broken.', hint: 'Mend it.' },
  });
  notes.begin('ses_bad', 0);
  notes.learned();
  notes.leftToLearn(0);
  notes.end();
  expect(findProgress(state)).toMatchObject({ failed: {}, lastProblem: null, state: 'idle' });
});

it('leaves nothing behind where nothing was to be done', () => {
  const state = makeTemporaryFolder();
  const notes = new ProgressNotes(state, { now: () => 0 });
  notes.leftToLearn(0);
  notes.embedded([{ model: 'm', done: 0, remaining: 0 }], 5);
  notes.end();
  expect(fs.existsSync(path.join(state, 'worker.json'))).toBe(false);
});
