import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MnemeError } from '../../src/model/errors.ts';
import { append } from '../../src/operations/append.ts';
import type { Job } from '../../src/runtime/jobs/job.ts';
import { JOBS } from '../../src/runtime/jobs/job-table.ts';
import { defineOperation, runOperation } from '../../src/operations/operation.ts';
import { remember } from '../../src/operations/remember.ts';
import { JobQueue } from '../../src/runtime/coordination/job-queue.ts';
import { SharedJobs } from '../../src/runtime/coordination/shared-jobs.ts';
import { WriterLease } from '../../src/runtime/coordination/writer-lease.ts';
import { runDaemon } from '../../src/runtime/daemon/daemon.ts';
import { runNamedJob } from '../../src/runtime/jobs/job-operations.ts';
import { queueSchema } from '../../src/search-index/postgres/schema.ts';
import { trouble } from '../../src/search-index/postgres/trouble.ts';
import { PostgresServer } from '../../src/search-index/postgres/server.ts';
import { newName } from './server.ts';
import { SCHEMA, type SharedHomes } from './shared-homes.ts';

/** So that it does not end by itself on a busy machine. */
const LONG_MS = 600_000;
const LISTED = { recursive: true, encoding: 'utf8' } as const;

// SPEC WRITE-9, MACHINE-5
export function describeCoordination(homes: () => SharedHomes): void {
  describe('machines that share a memory', () => {
    let server: PostgresServer;
    let namespace: string;

    beforeAll(() => {
      namespace = newName();
      server = new PostgresServer({ url: homes().test.url, schema: SCHEMA, namespace });
    });
    afterAll(async () => {
      await server.eraseNamespace(namespace);
      await server.close();
    });

    const leaseOf = (device: string, leaseMs: number, elapsedMs = () => performance.now()): WriterLease =>
      new WriterLease({ server: () => server, device, leaseMs, elapsedMs });

    it('let one write at a time, and number each holding higher than the one before', async () => {
      let nowMs = 0;
      const [ana, ben] = [leaseOf('ana', 30_000, () => nowMs), leaseOf('ben', 30_000, () => nowMs)];
      const first = await ana.take();
      expect(first?.fence).toBeGreaterThan(0);
      expect(await ben.take()).toBeUndefined();
      expect(await ben.whyNot()).toContain('Machine ana writes');
      expect(await ana.whyNot()).toBeUndefined();
      expect((await ana.take())?.fence).toBe(first?.fence);
      // As if the time had passed, here and on the server.
      nowMs = 30_000;
      await server.writeBeside((transaction) =>
        transaction.rows('UPDATE leases SET expires_at = clock_timestamp() WHERE namespace = {ns}'),
      );
      const second = await ben.take();
      expect(second?.fence).toBe((first?.fence ?? 0) + 1);
      expect(await ana.isCurrent(first?.fence ?? 0)).toBe(false);
      expect(await ana.take()).toBeUndefined();
      await ben.release();
      expect((await ana.take())?.fence).toBe((second?.fence ?? 0) + 1);
      await ana.release();
    });

    it('do not give back what another process of the same machine goes on with', async () => {
      const [daemon, command, ben] = [leaseOf('ana', 30_000), leaseOf('ana', 30_000), leaseOf('ben', 30_000)];
      const held = await daemon.take();
      expect((await command.take())?.fence).toBe(held?.fence);
      await daemon.release();
      expect(await ben.take()).toBeUndefined();
      await command.release();
      expect((await ben.take())?.fence).toBe((held?.fence ?? 0) + 1);
      await ben.release();
    });

    it('hold the lease no longer than the server says, however long the answer took', async () => {
      let nowMs = 0;
      const slow = leaseOf('slow', 30_000, () => (nowMs += 6000));
      expect(await slow.take()).toMatchObject({ untilMs: 36_000 });
      nowMs = 30_000;
      // What is left would not do for a write: it is asked for anew, and counted from before the question.
      expect(await slow.whyNot()).toBeUndefined();
      expect((await slow.take())?.untilMs).toBeGreaterThan(36_000);
      await slow.release();
    });

    /** As if the time had passed, here and on the server, and another machine had begun to write. */
    const fallAsleep = async (ben: WriterLease | undefined): Promise<void> => {
      await server.writeBeside((transaction) =>
        transaction.rows('UPDATE leases SET expires_at = clock_timestamp() WHERE namespace = {ns}'),
      );
      if (ben !== undefined) expect(await ben.take()).toBeDefined();
    };

    it('ask at the moment of writing, so that who slept past their lease writes only if nobody else did', async () => {
      let nowMs = 0;
      const [ana, ben] = [leaseOf('ana', 30_000, () => nowMs), leaseOf('ben', LONG_MS)];
      expect(await ana.whyNot()).toBeUndefined();
      const permit = ana.permit();
      await permit.assertHolds();
      nowMs += 30_000;
      await fallAsleep(undefined);
      // Nobody was there in between.
      await permit.assertHolds();
      nowMs += 30_000;
      await fallAsleep(ben);
      await expect(permit.assertHolds()).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringContaining('Machine ben began'),
      });
      await ben.release();
      // It is free again, but ben has written since.
      await expect(permit.assertHolds()).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringContaining('Another machine began'),
      });
      expect(await ana.whyNot()).toBeUndefined();
      await ana.permit().assertHolds();
      await ana.release();
    });

    it('have a call that outlasts its lease propose, or refuse it, and leave the files alone', async () => {
      const { internals } = await homes().open('ana', [], 'bot:main');
      let nowMs = 0;
      const ben = leaseOf('ben', LONG_MS);
      const writer = leaseOf('ana', 30_000, () => nowMs);
      /** Told that it may write, the call sleeps, and wakes up when another machine writes. */
      const askAndSleep = async (): Promise<string | undefined> => {
        const reason = await writer.whyNot();
        nowMs += 30_000;
        await fallAsleep(ben);
        return reason;
      };
      const sleeping = { whyNot: askAndSleep, permit: () => writer.permit(), close: () => Promise.resolve() };
      const context = { ...internals, writer: sleeping };
      const memory = path.join(internals.workspace.root, 'memory');
      const snapshot = (): string[] => fs.readdirSync(memory, LISTED).filter((file) => !file.startsWith('meta'));
      const before = snapshot();
      const kept = await runOperation(remember, context, { text: 'The mill was sold in May.' });
      expect(kept).toMatchObject({ store: 'meta' });
      expect(kept.warnings.join()).toContain('Machine ben began to write this memory while this call was still at it.');
      await ben.release();
      const added = await runOperation(append, context, { path: 'memory/reference/mill.md', text: 'Sold.' });
      expect(added.warnings.join()).toContain('It waits as proposal');
      await ben.release();
      const edit = (): string => 'Sold.\n';
      const commits = defineOperation({
        name: 'sell',
        summary: 'Writes in two steps.',
        input: z.object({}),
        effect: 'write',
        run: ({ workspace, actor }) =>
          workspace.commit({ actor, summary: 'sold', changes: [{ path: 'memory/reference/mill.md', edit }] }),
      });
      await expect(runOperation(commits, context, {})).rejects.toMatchObject({ code: 'locked' });
      await ben.release();
      expect(snapshot()).toEqual(before);
      // People always write.
      await runOperation(commits, { ...context, actor: 'manual' }, {});
      expect(snapshot()).not.toEqual(before);
    });

    it('leave a job to whoever has it now, however it ended for the one before', async () => {
      const options = { url: homes().test.url, schema: SCHEMA, namespace: newName() };
      const [ana, ben] = [new JobQueue(options), new JobQueue(options)];
      const client = new Client({ connectionString: homes().test.url });
      await client.connect();
      try {
        await ana.add('daily', 'monday');
        const slow = await ana.take('daily');
        // As the queue does with a job whose machine was not heard of for too long.
        const schema = queueSchema(SCHEMA, options.namespace);
        await client.query(`UPDATE "${schema}".job SET state = 'retry', start_after = now() WHERE state = 'active'`);
        expect(await slow?.done()).toBe(false);
        const quick = await ben.take('daily');
        expect(quick?.occurrence).toBe('monday');
        expect(await slow?.failed(new Error('late'))).toBe(false);
        expect(await slow?.done()).toBe(false);
        expect(await quick?.done()).toBe(true);
        expect((await ben.status(['daily']))[0]).toMatchObject({ waiting: 0, active: 0, dead: 0 });
      } finally {
        await client.end();
        await ana.close();
        await ben.close();
      }
    });

    it('do each job once, again when it fails, and give it up in the end', async () => {
      const options = { url: homes().test.url, schema: SCHEMA, namespace, retries: 1, retryDelaySeconds: 1 };
      const [ana, ben] = [new JobQueue(options), new JobQueue(options)];
      try {
        expect(await ana.add('daily', 'monday')).toBe(true);
        expect(await ben.add('daily', 'monday')).toBe(false);
        const taken = await ana.take('daily');
        expect(taken?.occurrence).toBe('monday');
        expect(await ben.take('daily')).toBeUndefined();
        await taken?.done();
        expect(await ben.add('daily', 'monday')).toBe(false);
        expect(await ben.take('daily')).toBeUndefined();

        await ana.add('daily', 'tuesday');
        await (await ana.take('daily'))?.failed(new Error('no'));
        expect(await ben.status(['daily'])).toMatchObject([{ job: 'daily', waiting: 1, active: 0, dead: 0 }]);
        const again = await untilDefined(() => ben.take('daily'));
        expect(again.occurrence).toBe('tuesday');
        await again.failed(new Error('no'));
        expect(await ben.status(['daily'])).toMatchObject([
          { job: 'daily', waiting: 0, active: 0, dead: 1, givenUp: [{ occurrence: 'tuesday', reason: 'no' }] },
        ]);
      } finally {
        await ana.close();
        await ben.close();
      }
    });

    const never = new AbortController().signal;
    const jobOf = (name: string, run: Job['run']): Job => ({
      name,
      summary: name,
      schedule: 'daily',
      queue: JOBS.find((known) => known.name === name)?.queue,
      run,
    });

    it('do the queue’s jobs where the lease is, and their own at home', async () => {
      const { internals: context } = await homes().open('ana');
      const options = { url: homes().test.url, schema: SCHEMA, namespace: newName(), retryDelaySeconds: 1 };
      const queue = new JobQueue(options);
      const [ana, ben] = [leaseOf('ana', 30_000), leaseOf('ben', 30_000)];
      const runs: string[] = [];
      const jobs = (who: string): Job[] => [
        jobOf('daily', () => Promise.resolve({ summary: String(runs.push(`${who} daily`)) })),
        jobOf('extract', () => Promise.resolve({ summary: String(runs.push(`${who} extract`)) })),
        jobOf('backup', () => Promise.resolve({ summary: String(runs.push(`${who} backup`)) })),
      ];
      const makeShared = (who: string, lease: WriterLease): SharedJobs =>
        new SharedJobs({ context, jobs: jobs(who), queue, lease });
      const [forAna, forBen] = [makeShared('ana', ana), makeShared('ben', ben)];
      try {
        const controls = { signal: never, onProgress: () => undefined, occurrenceMs: Date.parse('2026-03-02') };
        for (const shared of [forAna, forBen]) {
          for (const job of shared.scheduled) await job.run(context, controls);
        }
        // What is no business of the queue has run; the rest waits, the job for all once.
        expect(runs.splice(0)).toEqual(['ana backup', 'ben backup']);
        expect(await queue.status([])).toMatchObject([
          { job: 'daily', waiting: 1 },
          { job: 'extract.ana', waiting: 1 },
          { job: 'extract.ben', waiting: 1 },
        ]);
        await ben.take();
        // Ben has the lease: Ana does only what needs none.
        expect(await forAna.workOnce(never)).toBe(1);
        expect(runs.splice(0)).toEqual(['ana extract']);
        expect(await forBen.workOnce(never)).toBe(2);
        expect(runs.splice(0)).toEqual(['ben daily', 'ben extract']);
        expect((await queue.status(['daily'])).map(({ waiting, active, dead }) => waiting + active + dead)).toEqual([
          0, 0, 0,
        ]);
        expect(await forAna.workOnce(never)).toBe(0);
      } finally {
        await ben.release();
        await queue.close();
      }
    });

    it('renew the lease while a job takes long, and stop when it is lost', async () => {
      const { internals: context } = await homes().open('ana');
      const ends: string[] = [];
      const taken = {
        job: 'daily',
        occurrence: 'monday',
        done: () => Promise.resolve(ends.push('done') > 0),
        failed: (reason: unknown) => Promise.resolve(ends.push(String(reason)) > 0),
      };
      const queue = {
        add: () => Promise.resolve(true),
        hasWaiting: () => Promise.resolve(true),
        take: () => Promise.resolve(taken),
      };
      for (const lastsFor of [Infinity, 3]) {
        let takes = 0;
        const hold = () => Promise.resolve((takes += 1) > lastsFor ? undefined : { fence: 1, untilMs: 0 });
        const isCurrent = (): Promise<boolean> => Promise.resolve(takes <= lastsFor);
        const lease = {
          device: 'ana',
          take: hold,
          isCurrent,
          permit: () => ({ assertHolds: () => Promise.resolve() }),
        };
        const long = jobOf('daily', async (_context, { signal }) => {
          while (takes < 5 && !signal.aborted) await wait(2);
          return { summary: 'slowly' };
        });
        await new SharedJobs({ context, jobs: [long], queue, lease, renewMs: 1 }).workOnce(never);
      }
      expect(ends).toEqual(['done', 'Error: the lease ended before the job did']);
    });

    it('go on with their own business without the server, and leave what is everybody’s', async () => {
      const { internals: context } = await homes().open('ana');
      const gone = (): never => {
        throw trouble('gone', new Error('cut'));
      };
      const queue = { add: gone, take: gone, hasWaiting: gone };
      const run: Job['run'] = () => Promise.resolve({ summary: 'learned' });
      const jobs = ['index', 'extract', 'checkpoint', 'daily'].map((name) => jobOf(name, run));
      const shared = new SharedJobs({ context, jobs, queue, lease: leaseOf('ana', 300) });
      const controls = { signal: never, onProgress: () => undefined };
      for (const job of shared.scheduled.slice(0, -1)) {
        expect(await job.run(context, controls)).toMatchObject({
          summary: 'learned',
          notes: [expect.stringContaining('without the queue')],
        });
      }
      await expect(shared.scheduled.at(-1)?.run(context, controls)).rejects.toBeInstanceOf(MnemeError);
    });

    it('have daemons that take jobs from the queue, and hand over what somebody asks for where another writes', async () => {
      const lines = ['  postgres_writer_lease: true'];
      const writer = await homes().open('ana', lines);
      const queue = new JobQueue({ url: homes().test.url, schema: SCHEMA, namespace: homes().namespace });
      const stop = new AbortController();
      const ran: string[] = [];
      const job = jobOf('daily', (context) => {
        ran.push(context.home);
        return Promise.resolve({ summary: 'done' });
      });
      try {
        expect(await writer.internals.writer?.whyNot()).toBeUndefined();
        const other = await homes().open('ben', lines);
        const handed = await runNamedJob(other.internals, 'daily', { signal: never });
        expect(handed).toMatchObject({ state: 'done', notes: [expect.stringContaining('writes this memory now')] });
        const daemon = await runDaemon(
          {
            home: writer.internals.home,
            open: async () => ({
              context: (await homes().open('ana', lines)).internals,
              close: () => Promise.resolve(),
            }),
            jobs: [job],
            clock: { now: () => homes().nowMs },
            version: '0',
            onLine: ({ event }) => void (event === 'job-done' && stop.abort()),
          },
          stop.signal,
        );
        expect(daemon).toEqual({ isClean: true });
        expect(ran).toEqual([writer.internals.home]);
        expect((await queue.status(['daily']))[0]).toMatchObject({ waiting: 0, active: 0, dead: 0 });
      } finally {
        await queue.close();
      }
    });
  });
}

async function untilDefined<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(200);
  }
}
