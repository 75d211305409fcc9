import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobQueue } from '../../src/runtime/coordination/job-queue.ts';
import { WriterLease } from '../../src/runtime/coordination/writer-lease.ts';
import { PostgresServer } from '../../src/search-index/postgres/server.ts';
import { newName, startTestServer, type TestServer } from './server.ts';

describe('machines that share a memory', () => {
  let test: TestServer;
  let server: PostgresServer;
  let namespace: string;

  beforeAll(async () => {
    test = await startTestServer();
    namespace = newName();
    server = new PostgresServer({ url: test.url, schema: 'mneme_test', namespace });
  });
  afterAll(async () => {
    await server.administer('SELECT erase_namespace($1)', namespace);
    await server.close();
    await test.stop();
  });

  const leaseOf = (device: string, leaseMs: number, elapsedMs = () => performance.now()): WriterLease =>
    new WriterLease({ server: () => server, device, leaseMs, elapsedMs });

  it('let one write at a time, and number each holding higher than the one before', async () => {
    const [ana, ben] = [leaseOf('ana', 400), leaseOf('ben', 400)];
    const first = await ana.take();
    expect(first?.fence).toBeGreaterThan(0);
    expect(await ben.take()).toBeUndefined();
    expect(await ben.whyNot()).toContain('Machine ana writes');
    expect(await ana.whyNot()).toBeUndefined();
    expect((await ana.take())?.fence).toBe(first?.fence);
    await wait(450);
    const second = await ben.take();
    expect(second?.fence).toBe((first?.fence ?? 0) + 1);
    expect(await ana.isCurrent(first?.fence ?? 0)).toBe(false);
    expect(await ana.take()).toBeUndefined();
    await ben.release();
    expect((await ana.take())?.fence).toBe((second?.fence ?? 0) + 1);
    await ana.release();
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

  it('do each job once, again when it fails, and give it up in the end', async () => {
    const options = { url: test.url, schema: 'mneme_test', namespace, retries: 1, retryDelaySeconds: 1 };
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
      expect(await ben.status(['daily'])).toEqual([{ job: 'daily', waiting: 1, active: 0, dead: 0 }]);
      const again = await untilDefined(() => ben.take('daily'));
      expect(again.occurrence).toBe('tuesday');
      await again.failed(new Error('no'));
      expect(await ben.status(['daily'])).toEqual([{ job: 'daily', waiting: 0, active: 0, dead: 1 }]);
    } finally {
      await ana.close();
      await ben.close();
    }
  });
});

async function untilDefined<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(200);
  }
}
