import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import type { Job } from '../../src/runtime/jobs/job.ts';
import { JOBS } from '../../src/runtime/jobs/job-table.ts';
import { jobLock } from '../../src/workspace/home-paths.ts';
import { ProcessLock } from '../../src/platform/process-lock.ts';
import { JobLog } from '../../src/runtime/jobs/job-log.ts';
import type { JobOutcome } from '../../src/runtime/jobs/run-job.ts';
import { Scheduler, type SchedulerEvents } from '../../src/runtime/jobs/scheduler.ts';
import { TestCli } from '../support/cli.ts';
import { writeWorkspaceFile } from '../support/home.ts';
import { JOB_TIMES } from '../../src/model/config/running.ts';
import { MINUTE_MS } from '../../src/model/time.ts';

/** Just before a minute begins, so that nobody waits. */
const START_MS = Date.parse('2026-02-16T10:00:00Z') - 10;

let cli: TestCli;
let mneme: Mneme;
const clock = { time: START_MS, now: (): number => clock.time };

beforeEach(async () => {
  clock.time = START_MS;
  cli = new TestCli();
  await cli.init();
  for (const key of ['index', 'extract', 'tags']) await cli.ok('config', 'set', `scheduler.${key}`, '* * * * *');
  mneme = await openMneme({ home: cli.home, parts: { clock } });
});

afterEach(() => mneme.close());

/** Runs jobs until one of them, or an event, says stop. */
async function schedule(jobs: readonly Job[], events: SchedulerEvents, stop: AbortController): Promise<void> {
  // Looked after since a moment before the first time, as if a daemon had been here.
  const log = new JobLog(mneme.internals.workspace.paths.journal);
  for (const { name } of jobs)
    await log.append({ event: 'known', job: name, time: START_MS, schedule: '* * * * * UTC' });
  nextMinute();
  await new Scheduler({ context: mneme.internals, maxJitterMs: 0, jobs, ...events }).run(stop.signal);
}

function job(name: string, schedule: Job['schedule'], run: Job['run']): Job {
  return { name, summary: name, schedule, run };
}

/** The clock stands still but for this. */
function nextMinute(): void {
  clock.time = Math.ceil((clock.time + 1) / MINUTE_MS) * MINUTE_MS;
}

// SPEC JOB-1
describe('the scheduler', () => {
  it('runs each job once for its time, one after the other', async () => {
    const stop = new AbortController();
    const events: string[] = [];
    const slow =
      (name: string): Job['run'] =>
      async () => {
        events.push(`${name} begins`);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        events.push(`${name} ends`);
        if (events.length === 4) nextMinute();
        if (events.length === 8) stop.abort();
        return { summary: 'done' };
      };
    await schedule([job('one', 'index', slow('one')), job('two', 'extract', slow('two'))], {}, stop);
    const round = ['one begins', 'one ends', 'two begins', 'two ends'];
    expect(events).toEqual([...round, ...round]);
  });

  it('goes on when a job fails, tries it again later and not at once', async () => {
    const stop = new AbortController();
    const outcomes: string[] = [];
    const failing = job('failing', 'index', () => Promise.reject(new Error('no such luck')));
    const steady = job('steady', 'extract', () => Promise.resolve({ summary: 'fine' }));
    const onEnd = ({ job: name, state, summary }: JobOutcome): void => {
      outcomes.push(`${name} ${state}: ${summary}`);
      if (outcomes.length === 2) nextMinute();
      if (outcomes.length === 4) stop.abort();
    };
    await schedule([failing, steady], { onEnd }, stop);
    expect(outcomes.slice(0, 2)).toEqual(['failing failed: no such luck', 'steady done: fine']);
    expect(outcomes.slice(2).sort()).toEqual(['failing failed: no such luck', 'steady done: fine']);
  });

  it('told to stop, it tells the job, and the next one takes up the same time', async () => {
    const stop = new AbortController();
    const ends: string[] = [];
    const patient = job('patient', 'index', async (_context, { signal }) => {
      setTimeout(() => stop.abort(), 5);
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      return { summary: 'half' };
    });
    const onEnd = ({ state, summary }: JobOutcome): void => void ends.push(`${state}: ${summary}`);
    await schedule([patient], { onEnd }, stop);
    const again = new AbortController();
    const quick = job('patient', 'index', () => {
      again.abort();
      return Promise.resolve({ summary: 'whole' });
    });
    await new Scheduler({ context: mneme.internals, maxJitterMs: 0, jobs: [quick], onEnd }).run(again.signal);
    expect(ends).toEqual(['stopped: half', 'stopped: whole']);
    const runs = await mneme.jobs.history();
    expect(new Set(runs.map(({ scheduled }) => scheduled))).toEqual(new Set(['2026-02-16T10:00:00.000Z']));
  });

  it('does not start what another process runs', async () => {
    const stop = new AbortController();
    const lock = ProcessLock.tryTake(jobLock(mneme.internals.workspace.paths, 'busy'));
    const problems: string[] = [];
    let ran = 0;
    const busy = job('busy', 'index', () => {
      ran += 1;
      return Promise.resolve({ summary: '' });
    });
    const onProblem = (message: string): void => {
      problems.push(message);
      stop.abort();
    };
    await schedule([busy], { onProblem }, stop);
    lock?.release();
    expect(ran).toBe(0);
    expect(problems).toEqual([expect.stringContaining('busy is running already')]);
  });

  it('says that the clock was put back, and goes on from there', async () => {
    const stop = new AbortController();
    const problems: string[] = [];
    const often = job('often', 'index', () => {
      if (problems.length > 0) stop.abort();
      // A day ahead it ran; now it is yesterday.
      else clock.time -= 24 * 60 * MINUTE_MS + 10;
      return Promise.resolve({ summary: '' });
    });
    const onProblem = (message: string): void => {
      problems.push(message);
      setTimeout(nextMinute, 5);
    };
    await schedule([often], { onProblem }, stop);
    expect(problems).toEqual(['often last ran at a time that has not come yet: the clock was put back.']);
  });
});

describe('tags', () => {
  const tags = (): Promise<{ name: string; commit: string }[]> => cli.json('tag');

  it('every day and week that has ended and changed something gets one, once', async () => {
    clock.time = Date.parse('2026-02-13T12:00:00Z');
    await mneme.remember('On Friday the kiln was lit.');
    expect((await mneme.jobs.run('tags')).summary).toBe('0 tags made');
    clock.time = Date.parse('2026-02-14T00:05:00Z');
    expect((await mneme.jobs.run('tags')).summary).toBe('1 tag made');
    await mneme.remember('On Saturday it cracked.');
    // The machine was off on Sunday night.
    clock.time = Date.parse('2026-02-18T09:00:00Z');
    await mneme.remember('On Wednesday it was mended.');
    expect((await mneme.jobs.run('tags')).summary).toBe('2 tags made');
    expect((await mneme.jobs.run('tags')).summary).toBe('0 tags made');
    expect((await tags()).map(({ name }) => name)).toEqual(['daily/2026-02-13', 'daily/2026-02-14', 'weekly/2026-W07']);
  });
});

describe('triggers', () => {
  const job = JOBS.find(({ name }) => name === 'triggers');

  it('run procedures and activate topics of open conversations at their times, once, and are silent in between', async () => {
    const { id } = await mneme.session.start({ user: 'Ines' });
    writeWorkspaceFile(
      cli.home,
      'memory/procedures/tidy.md',
      '---\nname: Tidy\nkind: workflow\nstatus: active\ntriggers:\n  cron: "5 10 * * *"\n---\n# Tidy\n\n## Steps\n\n1. Wait\n   - action: wait\n',
    );
    writeWorkspaceFile(
      cli.home,
      'topics/standup.md',
      '---\ntype: topic\nname: standup\ntriggers:\n  - type: cron\n    schedule: "5 10 * * *"\n---\n# Standup\n\nSay what is open.\n',
    );
    // Written down as done yesterday: a new file makes up for a day.
    await mneme.jobs.run('triggers');
    expect(await job?.whyOff?.(mneme.internals)).toBe('no procedure and no topic is due');
    clock.time = START_MS + 10 + 5 * MINUTE_MS;
    expect(await job?.whyOff?.(mneme.internals)).toBeUndefined();
    const stop = new AbortController();
    const ended: JobOutcome[] = [];
    const onEnd = (outcome: JobOutcome): void => {
      ended.push(outcome);
      stop.abort();
    };
    await schedule(job === undefined ? [] : [job], { onEnd }, stop);
    expect(ended).toMatchObject([{ state: 'done', summary: '1 procedure run, 1 topic activated' }]);
    const { states } = await mneme.internals.parts.topics();
    expect(states.read(id).active.map(({ cause }) => cause)).toEqual(['event']);
    expect(await job?.whyOff?.(mneme.internals)).toBe('no procedure and no topic is due');
  });
});

it('every job has a name of its own and a schedule that exists', () => {
  const names = JOBS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(JOBS.map(({ schedule }) => schedule).sort()).toEqual(Object.keys(JOB_TIMES).sort());
});
