import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Actions } from './actions.ts';
import { makePlan, type MadePlan } from './make-plan.ts';
import { parseCall } from './call.ts';
import { backOffMs, readErrorRule } from './plan.ts';
import { known } from './testing/simulation.ts';

const actions = new Actions();
actions.registerBuiltIn('say', undefined, () => null, { isIdempotent: true });

const fileB = known(
  '# Beta\n## Steps\n1. b1\n   - action: say b1\n   - on error: fallback [[alpha]]\n2. b2\n   - action: say b2\n',
  'memory/procedures/beta.md',
);
const fileA = known(
  '# Alpha\n## Steps\n1. a1\n   - action: say a1\n   - on error: fallback Beta\n2. a2\n   - action: say a2\n',
  'memory/procedures/alpha.md',
);

function plan(text: string, options: Partial<Parameters<typeof makePlan>[1]> = {}): MadePlan {
  return makePlan(known(text), { actions, defaultTimeoutMs: 5000, procedures: [], ...options });
}

function errors({ findings }: MadePlan): string[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('plans', () => {
  test('every part of a step is understood', () => {
    const { plan: made, findings } = plan(`# X
## Preconditions
- The tree is clean \`clean\`
- Somebody is awake
## Steps
1. Say it
   - action: say text="Hi {{name}}" loud=yes count=3
   - expect: \`output == null\`
   - timeout: 90s
   - if: count > 2
   - on error: retry 3 every 2s then skip
   - save as: greeting
   - cache: 1h
   - idempotent: no
2. By hand
3. Ask
   - action: confirm "Go on?"
`);
    expect(findings).toEqual([]);
    expect(made.preconditions).toEqual([
      { text: 'The tree is clean `clean`', expression: 'clean' },
      { text: 'Somebody is awake' },
    ]);
    expect(made.steps).toMatchObject([
      {
        label: '1',
        work: { kind: 'call', call: { name: 'say', given: { text: 'Hi {{name}}', loud: true, count: 3 } } },
        timeoutMs: 90_000,
        condition: { expression: 'count > 2' },
        expected: { expression: 'output == null' },
        rule: { retries: 3, waitMs: 2000, lastly: 'skip' },
        saveAs: 'greeting',
        cacheMs: 3_600_000,
        isIdempotent: false,
        next: 1,
      },
      { label: '2', work: { kind: 'by-hand', text: 'By hand' }, timeoutMs: 5000, next: 2 },
      { label: '3', work: { kind: 'ask', wants: 'yes' }, next: null },
    ]);
  });

  test('a fallback that is a procedure brings its steps and leads back', () => {
    const made = plan('# X\n## Steps\n1. x1\n   - action: say x\n   - on error: fallback Plain\n2. x2\n', {
      procedures: [known('# Plain\n## Steps\n1. p1\n2. p2\n', 'memory/procedures/plain.md')],
    });
    expect(errors(made)).toEqual([]);
    expect(made.plan.steps.map(({ label, next }) => [label, next])).toEqual([
      ['1', 1],
      ['2', null],
      ['1.1', 3],
      ['1.2', 1],
    ]);
    expect(made.plan.steps[0]?.fallback).toBe(2);
  });

  test('fallbacks in a circle are refused, with the way', () => {
    const made = makePlan(fileA, { actions, defaultTimeoutMs: 5000, procedures: [fileA, fileB] });
    expect(errors(made)).toEqual(['Step 1.1 falls back in a circle: alpha → beta → alpha']);
  });

  test.each([
    ['1. x\n   - action: shell npm test', /needs the action "shell", which nobody registered/u],
    ['1. x\n   - action: "quoted"', /does not begin with the name of an action/u],
    ['1. x\n   - action: say {{a b}}', /cannot be read/u],
    ['1. x\n   - on error: explode', /"on error: explode" is none of retry, skip, abort, fallback/u],
    ['1. x\n   - timeout: soon', /"timeout: soon" is not a time/u],
    ['1. x\n   - on error: fallback', /falls back to nothing/u],
    ['1. x\n   - save as: two words', /cannot be a name/u],
    ['1. x\n   - idempotent: perhaps', /neither yes nor no/u],
    ['just prose', /has no steps/u],
    ['1. x\n   - expect: y\n\n   A remark.\n2. z', /looks like a step/u],
  ])('%j is an error that says so', (steps, message) => {
    const found = errors(plan(`# X\n## Steps\n${steps}\n`));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test('an unknown action can be done by hand instead', () => {
    const made = plan('# X\n## Steps\n1. Test\n   - action: shell npm test\n', { byHand: true });
    expect(errors(made)).toEqual([]);
    expect(made.plan.steps[0]?.work).toEqual({ kind: 'by-hand', text: 'Test (shell npm test)' });
  });

  test('whatever a file says, a plan is made, and its steps lead only forward or to what stands in', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '1. a',
        '2. b',
        '   - action: say x',
        '   - on error: fallback say y',
        '   - on error: retry',
        '## Steps',
      ),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 15 }), (lines) => {
        const { steps } = plan(`# X\n## Steps\n${lines.join('\n')}\n`).plan;
        const seen = new Set<number>();
        for (let at: number | null = steps.length === 0 ? null : 0; at !== null; at = steps[at]?.next ?? null) {
          expect(seen.has(at)).toBe(false);
          seen.add(at);
        }
      }),
    );
  });
});

test.each([
  ['say', {}],
  ['say Good morning', { text: 'Good morning' }],
  ['say "Good morning"', { text: 'Good morning' }],
  ['wait seconds=5', { seconds: 5 }],
  ['post to="a b", body={{last.text}}', { to: 'a b', body: '{{last.text}}' }],
  ['shell FOO=1 npm test', { text: 'FOO=1 npm test' }],
])('%s', (source, given) => {
  expect(parseCall(source).given).toEqual(given);
});

test.each(['say text="Good morning', "say text='Good"])('a quote that is never closed is refused: %s', (source) => {
  expect(() => parseCall(source)).toThrow('never closed');
});

test('a condition that looks computed and is not is told; one in plain words is a question', () => {
  const text = (condition: string): string => `# X\n## Steps\n1. Do it\n   - if: ${condition}\n`;
  expect(
    plan(text('1 +* 2'))
      .findings.map(({ message }) => message)
      .join(' '),
  ).toContain('is taken for a question');
  expect(plan(text('the tree is clean and the tests pass')).findings).toEqual([]);
});

test('back-off doubles up to a minute', () => {
  const rule = readErrorRule({ onError: 'retry', onErrorDetail: '5' });
  expect(rule).toMatchObject({ retries: 5, waitMs: 1000, lastly: 'abort' });
  expect([1, 2, 3, 10].map((attempts) => backOffMs(rule, attempts))).toEqual([1000, 2000, 4000, 60_000]);
  expect(readErrorRule({ onError: 'retry' }).retries).toBe(2);
});
