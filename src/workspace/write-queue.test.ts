import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommitRequest, CommitResult } from './door/request.ts';
import { WriteQueue, type WriteOptions } from './write-queue.ts';

const REQUEST: CommitRequest = { actor: 'bot:test', summary: 'x', changes: [] };

describe('WriteQueue', () => {
  let committed: number;
  let queue: WriteQueue;

  beforeEach(() => {
    vi.useFakeTimers();
    committed = 0;
    const commit = (): Promise<CommitResult> => {
      committed += 1;
      const nothing = { files: [], redactions: [], warnings: [], indexError: undefined };
      return Promise.resolve({ mutation: `m${committed}`, timeMs: 0, ...nothing });
    };
    queue = new WriteQueue({
      commit,
      strategy: 'batched',
      batchSize: 3,
      batchIntervalMs: 1000,
      idleMs: 1000,
      immediateImportance: 0.8,
      conditionalImportance: 0.3,
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function write(options: WriteOptions = {}): Promise<CommitResult | undefined> {
    return queue.write(REQUEST, options);
  }

  it('writes at once what is immediate or important', async () => {
    await write({ strategy: 'immediate' });
    await write({ importance: 0.8 });
    await write({ strategy: 'deferred', importance: 1 });
    expect(committed).toBe(3);
  });

  it('gathers batched writes until there are enough', async () => {
    const first = write();
    const second = write();
    expect(committed).toBe(0);
    await Promise.all([first, second, write()]);
    expect(committed).toBe(3);
  });

  it('writes a small batch when its time is up', async () => {
    const only = write();
    await vi.advanceTimersByTimeAsync(999);
    expect(committed).toBe(0);
    await vi.advanceTimersByTimeAsync(2);
    await only;
    expect(committed).toBe(1);
  });

  it('writes deferred ones only when nothing else is going on', async () => {
    const deferred = write({ strategy: 'deferred' });
    await vi.advanceTimersByTimeAsync(900);
    await write({ strategy: 'immediate' });
    await vi.advanceTimersByTimeAsync(900);
    expect(committed).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    await deferred;
    expect(committed).toBe(2);
  });

  it('drops a conditional write whose condition says no', async () => {
    expect(await write({ strategy: 'conditional', condition: () => false })).toBeUndefined();
    expect(await write({ strategy: 'conditional', condition: () => Promise.resolve(true) })).toBeDefined();
    expect(await write({ strategy: 'conditional', importance: 0.2 })).toBeUndefined();
    expect(await write({ strategy: 'conditional', importance: 0.3 })).toBeDefined();
    expect(committed).toBe(2);
  });

  it('writes everything that waits when it closes', async () => {
    const all = [write(), write({ strategy: 'deferred' })];
    expect(queue.waiting).toBe(2);
    await queue.close();
    await Promise.all(all);
    expect(committed).toBe(2);
    expect(queue.waiting).toBe(0);
  });
});
