import { describe, expect, test } from 'vitest';
import type { Json } from '../expression/evaluate.ts';
import type { DriveParts } from './drive.ts';
import { RunQueue } from './run-lock.ts';
import { Simulation } from './testing/simulation.ts';

function steps(...lines: readonly string[]): string {
  return `# X\n\n## Steps\n${lines.join('\n')}\n`;
}

const HARMLESS = steps('1. a', '   - action: act', '2. b', '   - action: act');

describe('driving', () => {
  test('conditions, expectations and answers', async () => {
    const world = new Simulation(
      steps(
        '1. a',
        '   - action: act {{n}}',
        '   - save as: first',
        '2. no',
        '   - action: act',
        '   - if: n > 5',
        '3. b',
        '   - action: act',
        '   - expect: `output.done == "3"`',
      ) + '\n## Postconditions\n- `first.given.text == 1`\n',
      { n: 1 },
    );
    expect(await world.drive()).toMatchObject({ ending: 'succeeded' });
    expect(world.state.reports.map(({ outcome }) => outcome)).toEqual(['ok', 'not-needed', 'ok']);
  });

  test.each([
    ['## Preconditions\n- `ready`\n', 'Precondition not met: `ready`', 0],
    ['## Postconditions\n- `ready`\n', 'Postcondition not met: `ready`', 2],
  ])('%j', async (section, failure, calls) => {
    const world = new Simulation(`${HARMLESS}\n${section}`);
    expect(await world.drive()).toMatchObject({ ending: 'failed', failure });
    expect(world.executions).toHaveLength(calls);
  });

  test('an expectation that is not met is an error like any other', async () => {
    const world = new Simulation(
      steps('1. a', '   - action: act', '   - expect: `output.never`', '   - on error: retry 1 then skip'),
    );
    expect(await world.drive()).toMatchObject({ ending: 'succeeded' });
    expect(world.state.reports).toMatchObject([{ outcome: 'skipped', attempts: 2, error: 'expected `output.never`' }]);
  });

  test('what an action is to be given may fail to be computed', async () => {
    const world = new Simulation(steps('1. a', '   - action: act {{1 + missing}}', '   - on error: retry 3 then skip'));
    await world.drive();
    expect(world.executions).toEqual([]);
    expect(world.state.reports).toMatchObject([{ outcome: 'skipped', failures: 1 }]);
  });

  test('plain words wait for somebody, and go on with the answer', async () => {
    const world = new Simulation(
      `${steps('1. By hand', '2. b', '   - action: act', '   - if: the tests passed')}\n## Preconditions\n- All is calm\n`,
    );
    const asked: (string | undefined)[] = [];
    for (const verdict of ['yes', 'yes', 'no'] as const) {
      await world.drive();
      asked.push(world.state.question?.text);
      await world.answer({ verdict });
    }
    await world.drive();
    expect(asked).toEqual(['All is calm', 'By hand', 'the tests passed']);
    expect(world.state).toMatchObject({ ending: 'succeeded', reports: [{ outcome: 'ok' }, { outcome: 'not-needed' }] });
    expect(world.executions).toEqual([]);
  });

  test('somebody who is there is asked at once', async () => {
    const world = new Simulation(
      steps('1. Name', '   - action: ask "Who?"', '   - save as: who', '2. b', '   - action: act {{who}}'),
    );
    await world.drive({ answer: () => Promise.resolve({ verdict: 'yes', text: 'Ada' }) });
    expect(world.state.variables['last']).toEqual({ done: '2', given: { text: 'Ada' } });
  });

  test('a cancellation stops a step that hangs; nothing follows', async () => {
    const world = new Simulation(HARMLESS);
    world.script = ['hangs'];
    const wishes: DriveParts['wish'][] = [];
    const wish: DriveParts['wish'] = () => {
      wishes.push(undefined);
      return wishes.length === 2 ? { want: 'cancel', by: 'manual', why: 'enough' } : undefined;
    };
    expect(await world.drive({ wish })).toMatchObject({ ending: 'cancelled', failure: 'cancelled by manual: enough' });
    expect(world.executions).toHaveLength(1);
    expect(world.state.reports).toMatchObject([{ outcome: 'failed', error: 'it was cancelled and did not stop' }]);
  });

  test('a pause waits for the end of the step', async () => {
    const world = new Simulation(HARMLESS);
    let looks = 0;
    const wish: DriveParts['wish'] = () => {
      looks += 1;
      return looks === 2 ? { want: 'pause', by: 'manual', why: '' } : undefined;
    };
    await world.drive({ wish });
    expect(world.status).toBe('paused');
    expect(world.executions).toHaveLength(1);
    await world.record({ type: 'resumed', atMs: world.nowMs, by: 'manual' });
    await world.drive();
    expect(world.executions).toHaveLength(2);
    expect(world.status).toBe('succeeded');
  });

  test('an answer may be used again for as long as the step says', async () => {
    const kept = new Map<string, Json>();
    const ages: number[] = [];
    const cache = {
      find: (call: string, maxAgeMs: number) => {
        ages.push(maxAgeMs);
        return kept.get(call);
      },
      keep: (call: string, answer: Json) => void kept.set(call, answer),
    };
    const text = steps('1. a', '   - action: act x', '   - cache: 5m');
    const [first, second] = [new Simulation(text), new Simulation(text)];
    await first.drive({ cache });
    await second.drive({ cache });
    expect([first.executions.length, second.executions.length]).toEqual([1, 0]);
    expect(second.state.reports).toMatchObject([{ outcome: 'ok', isCached: true }]);
    expect(ages).toEqual([300_000, 300_000]);
  });
});

describe('RunQueue', () => {
  test('so many at once, the more urgent first', async () => {
    const queue = new RunQueue(1);
    const order: string[] = [];
    let release = (): void => undefined;
    const first = queue.run('low', async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push('first');
    });
    const rest = (['low', 'medium', 'high'] as const).map((priority) =>
      queue.run(priority, () => Promise.resolve(void order.push(priority))),
    );
    await Promise.resolve();
    release();
    await Promise.all([first, ...rest]);
    expect(order).toEqual(['first', 'high', 'medium', 'low']);
  });

  test('while something critical runs, the others stand back', async () => {
    const queue = new RunQueue(1);
    const order: string[] = [];
    let goOn = (): void => undefined;
    const low = queue.run('low', async (standBack) => {
      order.push('low begins');
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await standBack();
      order.push('low ends');
    });
    await Promise.resolve();
    const critical = queue.run('critical', async (standBack) => {
      goOn();
      await standBack();
      await new Promise((resolve) => setImmediate(resolve));
      order.push('critical ends');
    });
    await Promise.all([low, critical]);
    expect(order).toEqual(['low begins', 'critical ends', 'low ends']);
  });

  test('a run that throws gives its place back', async () => {
    const queue = new RunQueue(1);
    await expect(queue.run('low', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await queue.run('low', () => Promise.resolve('fine'))).toBe('fine');
  });
});
