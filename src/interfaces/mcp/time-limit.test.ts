import { describe, expect, it } from 'vitest';
import { CallQueue, withinTime } from './call-queue.ts';

const { signal } = new AbortController();
const never = (): Promise<never> => new Promise(() => undefined);

describe('withinTime', () => {
  it('answers for a call that does not', async () => {
    await expect(withinTime(1, signal, never)).rejects.toThrow(/longer than 0\.001 s/u);
  });

  it('never starts a call whose time was up while it waited', async () => {
    const queue = new CallQueue();
    const going = Array.from({ length: 4 }, () => queue.run(signal, never).catch(() => undefined));
    let hasStarted = false;
    const waiting = withinTime(1, signal, (own) =>
      queue.run(own, () => {
        hasStarted = true;
        return Promise.resolve();
      }),
    );
    await expect(waiting).rejects.toThrow(/longer/u);
    expect([hasStarted, going.length]).toEqual([false, 4]);
  });

  it('passes on what the call says, and a cancellation', async () => {
    await expect(withinTime(60_000, signal, () => Promise.resolve('done'))).resolves.toBe('done');
    const cancel = new AbortController();
    const cancelled = withinTime(60_000, cancel.signal, (own) => {
      cancel.abort(new Error('no longer wanted'));
      own.throwIfAborted();
      return Promise.resolve();
    });
    await expect(cancelled).rejects.toThrow('no longer wanted');
  });
});
