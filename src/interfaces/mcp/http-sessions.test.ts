import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { ResumableEvents } from './http-sessions.ts';

const note = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/message', params: { text } });

async function replay(events: ResumableEvents, after: string): Promise<string[]> {
  const heard: string[] = [];
  await events.replayEventsAfter(after, {
    send: (id, message) => {
      heard.push(`${id} ${JSON.stringify(message).length}`);
      return Promise.resolve();
    },
  });
  return heard;
}

// SPEC MCP-5
describe('what a client missed', () => {
  it('is what its own stream said after the last event it heard', async () => {
    const events = new ResumableEvents();
    const first = await events.storeEvent('a', note('one'));
    await events.storeEvent('b', note('of another stream'));
    const third = await events.storeEvent('a', note('three'));
    expect(await replay(events, first)).toEqual([`${third} ${JSON.stringify(note('three')).length}`]);
    expect(await events.getStreamIdForEventId(third)).toBe('a');
  });

  it('does not hold the mark at which a stream begins', async () => {
    const events = new ResumableEvents();
    const mark = await events.storeEvent('a', {} as JSONRPCMessage);
    await events.storeEvent('a', {} as JSONRPCMessage);
    expect(await replay(events, mark)).toEqual([]);
  });

  it('is kept in bounded memory, the newest last', async () => {
    const events = new ResumableEvents();
    const first = await events.storeEvent('a', note('first'));
    for (let number = 0; number < 1000; number += 1) await events.storeEvent('a', note('x'.repeat(5000)));
    expect(events.chars).toBeLessThanOrEqual(256 * 1024);
    const heard = await replay(events, first);
    expect(heard.length).toBeGreaterThan(10);
    expect(heard.at(-1)).toMatch(/^a\.1001 /u);
    await events.storeEvent('a', note('y'.repeat(1_000_000)));
    expect(events.chars).toBe(0);
  });

  it.each(['', 'nothing', 'a.', 'a.b', 'a.1e9', '../x.1', `a.${'9'.repeat(40)}`])(
    'refuses %j as an event',
    async (id) => {
      const events = new ResumableEvents();
      expect(await events.getStreamIdForEventId(id)).toBeUndefined();
      await expect(replay(events, id)).rejects.toThrow('none of this session');
    },
  );
});
