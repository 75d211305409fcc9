import { describe, expect, it } from 'vitest';
import { CallQueue } from './call-queue.ts';

const never = new AbortController().signal;

/** A call that runs until it is told to end. */
function held(): { readonly body: () => Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { body: () => ended, end };
}

describe('call queue', () => {
  it('runs a few at once and the others in the order they came', async () => {
    const queue = new CallQueue();
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const call = (number: number): Promise<void> =>
      queue.run(never, async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(number);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
    await Promise.all(Array.from({ length: 20 }, (_, number) => call(number)));
    expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(most).toBe(4);
  });

  it('never starts a call that was cancelled while it waited', async () => {
    const queue = new CallQueue();
    const holding = Array.from({ length: 4 }, held);
    const held4 = holding.map(({ body }) => queue.run(never, body));
    const cancel = new AbortController();
    let hasStarted = false;
    const waiting = queue.run(cancel.signal, () => {
      hasStarted = true;
      return Promise.resolve();
    });
    const behind = queue.run(never, () => Promise.resolve('done'));
    cancel.abort();
    await expect(waiting).rejects.toThrow(/abort/u);
    for (const { end } of holding) end();
    await Promise.all(held4);
    expect(await behind).toBe('done');
    expect(hasStarted).toBe(false);
  });

  it('never starts a call that is cancelled as it arrives', async () => {
    const cancel = new AbortController();
    let hasStarted = false;
    const call = new CallQueue().run(cancel.signal, () => {
      hasStarted = true;
      return Promise.resolve();
    });
    cancel.abort();
    await expect(call).rejects.toThrow(/abort/u);
    expect(hasStarted).toBe(false);
  });

  it('passes the turn on when a call fails', async () => {
    const queue = new CallQueue();
    const failing = Array.from({ length: 9 }, () => queue.run(never, () => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await queue.run(never, () => Promise.resolve('fine'))).toBe('fine');
  });
});
