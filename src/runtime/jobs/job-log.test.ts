import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { describeRuns, JobLog, recallJob, type JobLine } from './job-log.ts';

const DAILY = '0 3 * * * UTC';

type Ended = Extract<JobLine, { event: 'ended' }>;

const known = (time: number, schedule = DAILY): JobLine => ({ event: 'known', job: 'tags', time, schedule });
const started = (time: number, scheduled: number | null, run = `r${time}`): JobLine => {
  const schedule = scheduled === null ? null : DAILY;
  return { event: 'started', job: 'tags', time, schedule, run, scheduled };
};
const ended = (time: number, scheduled: number | null, state: Ended['state'], run = 'r'): JobLine => {
  const schedule = scheduled === null ? null : DAILY;
  return { event: 'ended', job: 'tags', time, schedule, run, scheduled, state, tookMs: 1, summary: 's', notes: [] };
};

describe('what is known of a job', () => {
  it.each<[string, JobLine[], ReturnType<typeof recallJob>]>([
    ['nothing', [], undefined],
    ['since when it is looked after', [known(5)], { servedMs: 5, failures: 0 }],
    ['what it served', [known(5), started(11, 10), ended(12, 10, 'done')], { servedMs: 10, failures: 0 }],
    ['a failure', [known(5), started(11, 10), ended(12, 10, 'failed')], { servedMs: 5, failures: 1, lastTryMs: 12 }],
    [
      'two failures',
      [known(5), started(11, 10), ended(12, 10, 'failed'), started(13, 10), ended(14, 10, 'failed')],
      { servedMs: 5, failures: 2, lastTryMs: 14 },
    ],
    [
      'a run that was killed counts as a failure',
      [known(5), started(11, 10)],
      { servedMs: 5, failures: 1, lastTryMs: 11 },
    ],
    [
      'one that was told to stop does not',
      [known(5), started(11, 10), ended(12, 10, 'stopped')],
      { servedMs: 5, failures: 0 },
    ],
    [
      'success forgets failures',
      [known(5), started(11, 10), started(13, 10), ended(14, 10, 'done')],
      { servedMs: 10, failures: 0 },
    ],
    [
      'what somebody asked for serves nothing',
      [known(5), started(11, null), ended(12, null, 'done')],
      { servedMs: 5, failures: 0 },
    ],
    [
      'what was skipped counts as served',
      [known(5), { event: 'skipped', job: 'tags', time: 20, schedule: DAILY, scheduled: 10 }],
      { servedMs: 10, failures: 0 },
    ],
    ['of another schedule: nothing', [known(5, '0 4 * * * UTC')], undefined],
    [
      'of a schedule that came back: only what came since',
      [known(5), known(6, 'x'), known(7)],
      { servedMs: 7, failures: 0 },
    ],
    ['after its beginning was dropped', [started(11, 10), ended(12, 10, 'done')], { servedMs: 10, failures: 0 }],
  ])('%s', (_name, lines, expected) => {
    expect(recallJob([{ ...known(99), job: 'other' }, ...lines], 'tags', DAILY)).toEqual(expected);
  });
});

describe('the runs there were', () => {
  it('one without an end is running while its lock is held, and was interrupted otherwise', () => {
    const lines = [started(1, 1, 'a'), started(2, 1, 'b'), ended(3, 1, 'done', 'b'), started(4, 4, 'c')];
    const states = (isRunning: boolean): string[] => describeRuns(lines, () => isRunning).map(({ state }) => state);
    expect(states(true)).toEqual(['running', 'done', 'interrupted']);
    expect(states(false)).toEqual(['interrupted', 'done', 'interrupted']);
  });
});

describe('the file', () => {
  const month = (folder: string): string => path.join(folder, 'jobs', '1970-01.jsonl');

  it('cut short at any byte loses only its last line, and takes more lines after it', async () => {
    const folder = makeTemporaryFolder();
    const lines = [known(1), started(2, 2), ended(3, 2, 'done')];
    for (const line of lines) await new JobLog(folder).append(line);
    const whole = fs.readFileSync(month(folder));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
        fs.writeFileSync(month(folder), whole.subarray(0, length));
        const before = new JobLog(folder).read();
        expect(lines.slice(0, before.length)).toEqual(before);
        await new JobLog(folder).append(known(9));
        expect(new JobLog(folder).read().at(-1)).toEqual(known(9));
        expect(new JobLog(folder).read().length).toBeGreaterThan(before.length);
      }),
      { numRuns: 40 },
    );
  });

  it('is dropped when it is older than three months', async () => {
    const folder = makeTemporaryFolder();
    const log = new JobLog(folder);
    for (const day of ['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'])
      await log.append(known(Date.parse(day)));
    log.removeOld();
    expect(fs.readdirSync(path.join(folder, 'jobs')).sort()).toEqual([
      '2025-12.jsonl',
      '2026-01.jsonl',
      '2026-02.jsonl',
    ]);
  });
});
