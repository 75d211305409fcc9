import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../../src/client/client.ts';
import { EventHub } from '../../src/interfaces/http/events/hub.ts';
import { openEventStream } from '../../src/interfaces/http/events/stream.ts';
import { Mneme } from '../../src/mneme.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';

/** Reads until something has come, then lets go of the connection. */
async function until(
  events: AsyncGenerator<ServerEvent>,
  isEnough: (seen: readonly ServerEvent[]) => boolean,
): Promise<ServerEvent[]> {
  const seen: ServerEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (isEnough(seen)) break;
  }
  return seen;
}

const count = (events: readonly ServerEvent[], name: ServerEvent['name']): number =>
  events.filter((event) => event.name === name).length;

// SPEC HTTP-4
describe('events as they happen', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await serveTestHome();
  });
  afterAll(() => server.close());

  it('tells of changes by this and by other processes, and goes on where a client left', async () => {
    const client = server.client('owner');
    const reading = until(client.events(), (seen) => count(seen, 'mutation') >= 3 && count(seen, 'proposal') >= 1);
    // Whoever listens hears from the next look on.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await client.call('remember', { text: 'The kettle is broken.' });
    const other = await Mneme.open({ home: server.home, actor: 'bot:other' });
    await other.remember('The kettle was repaired.');
    await other.close();
    await client.call('proposals add', { path: 'memory/reference/a.md', after: '# A\n', title: 'A' });
    const seen = await reading;
    expect(seen[0]).toMatchObject({ name: 'hello', data: { resumed: false } });
    const actors = seen.flatMap((event) => (event.name === 'mutation' ? [event.data.actor] : []));
    expect(actors).toEqual(expect.arrayContaining(['human:owner', 'bot:other']));
    expect(seen.find(({ name }) => name === 'proposal')).toMatchObject({ data: { waiting: 1 } });

    const first = seen.find(({ name }) => name === 'mutation');
    const again = await until(
      client.events({ lastEventId: first?.id ?? '' }),
      (events) => count(events, 'mutation') >= 2,
    );
    expect(again[0]).toMatchObject({ name: 'hello', data: { resumed: true } });
    const [before, missed] = [seen, again].map((events) =>
      events.filter(({ name }) => name === 'mutation').map(({ data }) => data),
    );
    expect(missed).toEqual(before?.slice(1, 3));
    const [lost] = await until(client.events({ lastEventId: 'another.5' }), () => true);
    expect(lost).toMatchObject({ name: 'hello', data: { resumed: false } });
  });

  it('shows an agent nothing of what it may not see', async () => {
    const reading = until(server.client('reader').events(), (seen) => count(seen, 'mutation') >= 1);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const owner = server.client('owner');
    await owner.call('proposals add', { path: 'memory/reference/b.md', after: '# B\n', title: 'B' });
    await owner.call('remember', { text: 'A secret of Ada.', scope: 'user:ada' });
    await owner.call('remember', { text: 'Everybody may know this.' });
    const seen = await reading;
    expect(JSON.stringify(seen)).not.toMatch(/Ada|user:ada|scopes|proposals/u);
    expect(count(seen, 'proposal')).toBe(0);
  });

  it('tells an agent that a job ran, and not how much there is', async () => {
    const reading = until(server.client('reader').events(), (seen) =>
      seen.some((event) => event.name === 'job' && event.data.state === 'done'),
    );
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await server.client('owner').call('jobs run', { job: 'decay' });
    const jobs = (await reading).filter(({ name }) => name === 'job').map(({ data }) => data);
    expect(jobs.at(-1)).toMatchObject({ job: 'decay', state: 'done', summary: '' });
  });

  it('whoever lost their token hears nothing more, and one who missed too much is let go', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const hub = new EventHub('run');
      const summary = 'x'.repeat(1000);
      const mutation = { mutation: '', time: '', actor: '', action: '', summary, session: null, files: [] };
      const from = hub.lastId;
      for (let number = 0; number < 2000; number += 1) hub.publish('mutation', mutation);
      let isWelcome = true;
      let ended = 0;
      const open = (lastEventId: string | undefined): ReadableStream<Uint8Array> =>
        openEventStream({
          hub,
          context: server.mneme.internals,
          lastEventId,
          now: () => 0,
          isWelcome: () => isWelcome,
          onEnd: () => void (ended += 1),
          stop: new AbortController().signal,
        });
      const behind = await new Response(open(from)).text();
      expect(behind.length).toBeLessThan(1_200_000);
      expect([ended, hub.subscribers]).toEqual([1, 0]);
      const heard = new Response(open(undefined)).text();
      vi.advanceTimersByTime(15_000);
      isWelcome = false;
      vi.advanceTimersByTime(15_000);
      expect((await heard).match(/event: heartbeat/gu)).toHaveLength(1);
      expect([ended, hub.subscribers]).toEqual([2, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
