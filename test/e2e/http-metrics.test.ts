import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_ROLES } from '../../src/interfaces/http/route.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';

describe('/metrics', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await serveTestHome({});
  });
  afterAll(() => server.close());

  const read = async (role: (typeof API_ROLES)[number]): Promise<string> => {
    const headers = { authorization: `Bearer ${server.token(role)}` };
    const response = await fetch(`${server.url}/metrics`, { headers });
    expect(response.status).toBe(200);
    return response.text();
  };
  /** The sum over all labels of a metric. */
  const valueOf = (text: string, name: string): number =>
    [...text.matchAll(new RegExp(String.raw`^${name}(?:\{.*\})? (\S+)$`, 'gmu'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );

  it('tells what the memory holds and what waits, and follows it', async () => {
    const before = await read('owner');
    const owner = server.client('owner');
    await owner.call('remember', { text: 'The metrics of the harbour are read at noon' });
    await owner.call('proposals add', { path: 'notes/tides.md', after: '# Tides\n', title: 'A tide table' });
    const after = await read('owner');
    expect(valueOf(after, 'mneme_index_passages')).toBe(valueOf(before, 'mneme_index_passages') + 1);
    expect(valueOf(after, 'mneme_memory_bytes')).toBeGreaterThan(valueOf(before, 'mneme_memory_bytes'));
    expect(valueOf(after, 'mneme_proposals_waiting')).toBe(valueOf(before, 'mneme_proposals_waiting') + 1);
    expect(after).toMatch(/^mneme_jobs_scheduled [01]$/mu);
    expect(after).toMatch(/^mneme_conversations_waiting \d+$/mu);
  });

  it('is well formed for every role, each name described once', async () => {
    for (const role of API_ROLES) {
      const text = await read(role);
      const described = [...text.matchAll(/^# TYPE (\S+) (?:gauge|counter|histogram)$/gmu)].map(
        ([, name = '']) => name,
      );
      expect(new Set(described).size).toBe(described.length);
      for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
        const [, name = ''] = /^([a-z_]+)(?:\{(?:[a-z]+="[^"]*",?)+\})? -?[\d.e+-]+$/u.exec(line) ?? [];
        expect(described.some((each) => name === each || name.startsWith(`${each}_`))).toBe(true);
      }
    }
  });
});
