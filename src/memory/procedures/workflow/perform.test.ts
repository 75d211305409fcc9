import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Actions } from './actions.ts';
import { waitFor } from '../../../platform/clock.ts';
import { perform } from './perform.ts';

const context = { run: 'r', procedure: 'p', step: '1', attempt: 1, variables: {} };
const never = new AbortController().signal;
const limits = { timeoutMs: 20, graceMs: 20, sleep: waitFor, signal: never };

async function outcomeOf(run: (given: unknown, signal: AbortSignal) => unknown): Promise<unknown> {
  const actions = new Actions();
  actions.register('x', undefined, (given, { signal }) => run(given, signal));
  const action = actions.find('X');
  return action === undefined ? 'no action' : perform(action, {}, context, limits);
}

describe('an action', () => {
  test.each<[string, () => unknown, unknown]>([
    ['gives', () => ({ a: 1 }), { outcome: 'ok', answer: { a: 1 } }],
    ['gives nothing', () => undefined, { outcome: 'ok', answer: null }],
    ['gives NaN', () => ({ a: Number.NaN }), { outcome: 'ok', answer: { a: null } }],
    [
      'throws',
      () => {
        throw new Error('no\nstack');
      },
      { outcome: 'failed', error: 'no' },
    ],
    ['throws nothing', () => Promise.reject(), { outcome: 'failed', error: 'it failed without saying why' }],
    ['throws a word', () => Promise.reject('broken'), { outcome: 'failed', error: 'broken' }],
    ['gives a big integer', () => 1n, { outcome: 'ok', answer: null, note: expect.stringContaining('cannot be kept') }],
    [
      'gives a function',
      () => () => 1,
      { outcome: 'ok', answer: null, note: 'its answer is a function, which cannot be kept' },
    ],
    [
      'gives far too much',
      () => 'x'.repeat(100_000),
      { outcome: 'ok', answer: null, note: expect.stringContaining('too long') },
    ],
  ])('that %s', async (_name, run, expected) => {
    expect(await outcomeOf(run)).toEqual(expected);
  });

  test('that gives a circle', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(await outcomeOf(() => circle)).toMatchObject({
      outcome: 'ok',
      answer: null,
      note: expect.stringContaining('circular'),
    });
  });

  test('that hangs may have taken effect', async () => {
    expect(await outcomeOf(() => new Promise(() => undefined))).toMatchObject({ outcome: 'unknown' });
  });

  test('that stops when told has failed', async () => {
    const stops = (_given: unknown, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    expect(await outcomeOf(stops)).toEqual({ outcome: 'failed', error: 'it took longer than 20 ms' });
  });

  test('that comes back only when told may have taken effect', async () => {
    const late = (_given: unknown, signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('done?'));
      });
    expect(await outcomeOf(late)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('registering', () => {
  test('input is checked, and the message says what is wrong', async () => {
    const actions = new Actions();
    actions.register('greet', z.object({ name: z.string() }), ({ name }) => `Hello ${name}`);
    const greet = actions.find('greet');
    const run = (given: Record<string, string | number>) =>
      greet === undefined ? undefined : perform(greet, given, context, limits);
    expect(await run({ name: 'Ada' })).toEqual({ outcome: 'ok', answer: 'Hello Ada' });
    expect(await run({ name: 3 })).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('greet was given what it does not take: name'),
    });
  });

  test.each(['', '../x', 'two words', '-x', 'a..b'])('%j is no name', (name) => {
    expect(() => new Actions().register(name, undefined, () => null)).toThrow(/cannot be the name/u);
  });

  test('a name is taken once, whatever its case', () => {
    const actions = new Actions();
    actions.register('greet', undefined, () => null);
    expect(() => actions.register('GREET', undefined, () => null)).toThrow(/already/u);
    expect(() => actions.register('Confirm', undefined, () => null)).toThrow(/already/u);
  });
});
