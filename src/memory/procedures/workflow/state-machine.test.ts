import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from './state.ts';
import { Simulation, type Behaviour } from './testing/simulation.ts';

const RULES = [
  '',
  'retry 1 every 1s',
  'retry 2 every 1s then skip',
  'skip',
  'abort',
  'fallback act',
  'retry 1 then fallback act',
];

interface StepSpec {
  readonly rule: string;
  readonly isIdempotent: boolean;
}

function fileOf(steps: readonly StepSpec[]): string {
  const lines = steps.flatMap(({ rule, isIdempotent }, index) => [
    `${index + 1}. Step ${index + 1}`,
    '   - action: act',
    ...(rule === '' ? [] : [`   - on error: ${rule}`]),
    ...(isIdempotent ? ['   - idempotent: yes'] : []),
  ]);
  return `# Test\n\n## Steps\n\n${lines.join('\n')}\n`;
}

const stepSpec = fc.record({ rule: fc.constantFrom(...RULES), isIdempotent: fc.boolean() });
const specs = fc.array(stepSpec, { minLength: 1, maxLength: 4 });

/** The expectation of a reader of the file, written as plainly as possible: no events, no phases, no crashes. */
function expectation(steps: readonly StepSpec[], script: readonly Behaviour[]): { calls: string[]; ending: string } {
  const calls: string[] = [];
  const outcomes = [...script];
  const attempt = (label: string): boolean => {
    calls.push(label);
    return (outcomes.shift() ?? 'ok') === 'ok';
  };
  for (const [index, { rule }] of steps.entries()) {
    const label = String(index + 1);
    const tries = 1 + Number(/retry (\d)/u.exec(rule)?.[1] ?? 0);
    let isDone = false;
    for (let count = 0; count < tries && !isDone; count += 1) isDone = attempt(label);
    if (isDone || rule.includes('skip')) continue;
    if (!rule.includes('fallback') || !attempt(`${label}.1`)) return { calls, ending: 'failed' };
  }
  return { calls, ending: 'succeeded' };
}

// SPEC PROCEDURE-2
describe('without crashes', () => {
  test('a run does what its file says', async () => {
    await fc.assert(
      fc.asyncProperty(
        specs,
        fc.array(fc.constantFrom<Behaviour>('ok', 'throws'), { maxLength: 12 }),
        async (steps, script) => {
          const world = new Simulation(fileOf(steps));
          world.script = [...script];
          const end = await world.drive();
          const expected = expectation(steps, script);
          expect(world.executions.map(({ step }) => step)).toEqual(expected.calls);
          expect(end).toMatchObject({ ending: expected.ending });
          expect(end).toEqual(world.state);
        },
      ),
    );
  });
});

/** Finds what must hold of the journal and of what was really done, and does not. */
function findViolations(world: Simulation): string[] {
  const { events, plan } = world;
  const begun = events.filter((event) => event.type === 'begun');
  const names = new Set(begun.map(({ step, attempt }) => `${plan.steps[step]?.label}#${attempt}`));
  const done = world.executions.map(({ step, attempt }) => `${step}#${attempt}`);
  const end = events.findIndex((_event, at) => isOver(world, at));
  const later = end === -1 ? [] : events.slice(end + 1);
  return [
    ...done.filter((name, index) => done.indexOf(name) !== index).map((name) => `${name} was done twice`),
    ...done.filter((name) => !names.has(name)).map((name) => `${name} was never announced`),
    ...plan.steps.flatMap(({ isIdempotent, label }, index) =>
      !isIdempotent && silentRepetitions(events, index) > 0 ? [`step ${label} was repeated without asking`] : [],
    ),
    ...later.filter(({ type }) => type !== 'ended').map(({ type }) => `${type} after the end`),
  ];
}

/**
 * Counts how often a step was begun again although it was unknown whether it had taken effect, and no question was
 * asked.
 */
function silentRepetitions(events: readonly RunEvent[], step: number): number {
  let isUncertain = false;
  let count = 0;
  for (const event of events) {
    if (event.type === 'begun' && event.step === step) {
      if (isUncertain) count += 1;
      isUncertain = true;
    }
    if (event.type === 'ended' && event.step === step) isUncertain = event.outcome === 'unknown';
    if (event.type === 'answered') isUncertain = false;
  }
  return count;
}

function isOver(world: Simulation, at: number): boolean {
  const partial = new Simulation('');
  partial.durable.splice(0, 1, ...world.durable.slice(0, at + 1));
  return partial.state.ending !== undefined;
}

interface Model {
  isOver: boolean;
  readonly violations: string[];
}

type Command = fc.AsyncCommand<Model, Simulation>;

function settle(model: Model, world: Simulation): void {
  model.violations.push(...findViolations(world));
  const isOver = world.state.ending !== undefined;
  if (model.isOver && !isOver) model.violations.push('what had ended goes on');
  model.isOver = isOver;
}

/** A process that drives the run, and may die at any entry of the journal: before it is written or right after. */
class Drive implements Command {
  readonly crash: { readonly after: number; readonly isWritten: boolean } | undefined;
  readonly script: readonly Behaviour[];

  constructor(
    crash: { readonly after: number; readonly isWritten: boolean } | undefined,
    script: readonly Behaviour[],
  ) {
    this.crash = crash;
    this.script = script;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: Simulation): Promise<void> {
    world.crash = this.crash === undefined ? undefined : { ...this.crash };
    world.script = [...this.script];
    const before = world.executions.length;
    const end = await world.drive();
    world.crash = undefined;
    if (model.isOver && world.executions.length > before) model.violations.push('something was done after the end');
    if (end !== 'died' && !isDeepStrictEqual(end, world.state)) model.violations.push('the journal says otherwise');
    if (end !== 'died' && world.status === 'running') model.violations.push('it stopped for no reason');
    settle(model, world);
  }

  toString(): string {
    return `drive(${JSON.stringify(this.crash)}, ${this.script.join(' ')})`;
  }
}

class Say implements Command {
  readonly what: 'pause' | 'resume' | 'cancel' | 'yes' | 'no' | 'again' | 'skip';

  constructor(what: Say['what']) {
    this.what = what;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: Simulation): Promise<void> {
    const { state, nowMs: atMs } = world;
    if (state.ending === undefined) await this.#say(world, atMs);
    settle(model, world);
  }

  async #say(world: Simulation, atMs: number): Promise<void> {
    const by = 'manual';
    if (this.what === 'pause') await world.record({ type: 'paused', atMs, by });
    else if (this.what === 'resume') await world.record({ type: 'resumed', atMs, by });
    else if (this.what === 'cancel') await world.record({ type: 'cancelled', atMs, by, why: '' });
    else if (world.state.question !== undefined) await world.answer({ verdict: this.what });
  }

  toString(): string {
    return this.what;
  }
}

const behaviour = fc.constantFrom<Behaviour>('ok', 'ok', 'throws', 'hangs');
const commands = fc.commands(
  [
    fc
      .tuple(
        fc.option(fc.record({ after: fc.nat(8), isWritten: fc.boolean() }), { nil: undefined }),
        fc.array(behaviour, { maxLength: 5 }),
      )
      .map(([crash, script]) => new Drive(crash, script)),
    fc
      .constantFrom<Say['what']>('pause', 'resume', 'cancel', 'yes', 'no', 'again', 'skip')
      .map((what) => new Say(what)),
  ],
  { maxCommands: 14 },
);

describe('with crashes at any entry of the journal', () => {
  test('nothing is done twice without a yes, and what the journal says is what is', async () => {
    await fc.assert(
      fc.asyncProperty(specs, commands, async (steps, chosen) => {
        const world = new Simulation(fileOf(steps));
        const model = { isOver: false, violations: [] };
        await fc.asyncModelRun(() => ({ model, real: world }), chosen);
        expect(model.violations).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('however often it dies, a run of harmless steps comes to its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 8 }), fc.boolean(), async (crashes, isWritten) => {
        const steps = ['1', '2', '3'].map(() => ({ rule: 'retry 20 every 1s', isIdempotent: true }));
        const world = new Simulation(fileOf(steps));
        for (const after of crashes) {
          world.crash = { after, isWritten };
          await world.drive();
        }
        world.crash = undefined;
        await world.drive();
        expect(world.status).toBe('succeeded');
        expect(world.state.reports.map(({ label, outcome }) => `${label} ${outcome}`)).toEqual([
          '1 ok',
          '2 ok',
          '3 ok',
        ]);
      }),
    );
  });
});
