import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withProgress, type ProgressStep } from './server.ts';

describe('progress', () => {
  it('is told whenever the call says something, and goes on while it is silent', async () => {
    const steps: ProgressStep[] = [];
    const answer = await withProgress(
      (step) => steps.push(step),
      async (report) => {
        report('reading');
        while (steps.length < 3) await pause(1);
        return 'done';
      },
      1,
    );
    const told = steps.length;
    expect(answer).toBe('done');
    expect(steps.slice(0, 3)).toEqual([1, 2, 3].map((progress) => ({ progress, message: 'reading' })));
    await pause(5);
    expect(steps).toHaveLength(told);
  });

  it('ends with a call that fails, and is nobody’s where nobody asked', async () => {
    const steps: ProgressStep[] = [];
    const failing = withProgress(
      (step) => steps.push(step),
      () => Promise.reject(new Error('no')),
      1,
    );
    await expect(failing).rejects.toThrow('no');
    expect(await withProgress(undefined, (report) => Promise.resolve(report('x')))).toBeUndefined();
  });
});
