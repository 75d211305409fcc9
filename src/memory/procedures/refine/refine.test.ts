import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../../../model/errors.ts';
import type { ExecutionRecord, StepExecution } from '../executions/record.ts';
import { fingerprintOf } from '../workflow/make-plan.ts';
import { known } from '../workflow/testing/simulation.ts';
import { applyRefinements, nextVersion, previousVersion, retire, withRateChange } from './apply-refinements.ts';
import { findRefinements, removeStep, setDetail } from './find-refinements.ts';

const TEXT = `---
type: procedure
name: X
---
# X

## Steps

1. Fetch
   - action: fetch a
   - timeout: 10s
2. Look up the rate
   - action: rate EUR
   - idempotent: yes

3. Look up again
   - action: rate EUR
4. Post
   - action: post one
5. Post more
   - action: post two

   My remark, which stays.

## Family
- secret
`;

const procedure = known(TEXT);

/** Makes this many runs, each with the given steps. */
function runs(count: number, steps: (run: number) => Partial<StepExecution>[]): ExecutionRecord[] {
  return Array.from({ length: count }, (_unused, index) => ({
    run: `run_${index}`,
    path: procedure.path,
    name: 'X',
    version: '1',
    fingerprint: fingerprintOf(procedure.procedure.steps),
    started: `2026-11-${String(index + 1).padStart(2, '0')}T12:00:00.000Z`,
    ms: 1,
    status: 'succeeded',
    by: 'manual',
    because: 'asked',
    steps: steps(index).map((step, at) => ({
      step: String(at + 1),
      what: '',
      outcome: 'ok',
      attempts: 1,
      failures: 0,
      ms: 500,
      call: `call${at}-${index}`,
      answer: `answer${at}-${index}`,
      ...step,
    })),
  }));
}

const kindsOf = (records: readonly ExecutionRecord[]) =>
  findRefinements(procedure, records, { minRuns: 5 }).map(({ kind, steps }) => `${kind} ${steps.join(',')}`);

describe('what runs suggest', () => {
  test('nothing from few runs, from runs of other steps, or from runs in which all is well', () => {
    expect(kindsOf(runs(4, () => [{ failures: 1 }]))).toEqual([]);
    expect(kindsOf(runs(9, () => [{ failures: 1 }]).map((one) => ({ ...one, fingerprint: 'other' })))).toEqual([]);
    expect(kindsOf(runs(9, () => [{}, {}, {}]))).toEqual(['batchable 4,5']);
  });

  test('a step that fails now and then is tried again', () => {
    const records = runs(6, (index) => [index % 2 === 0 ? { failures: 1, outcome: 'failed', error: 'x' } : {}]);
    const [found] = findRefinements(procedure, records, { minRuns: 5 });
    expect(found).toMatchObject({ kind: 'failing', type: 'bugfix', evidence: ['run_0', 'run_2', 'run_4'] });
    expect(must(found, 'it').edit(TEXT)).toBe(TEXT.replace('timeout: 10s\n', 'timeout: 10s\n   - on error: retry 2\n'));
  });

  test('one that runs out of time gets more', () => {
    const records = runs(5, () => [{ failures: 1, outcome: 'failed', error: 'it took longer than 10000 ms' }]);
    const [found] = findRefinements(procedure, records, { minRuns: 5 });
    expect(must(found, 'it').edit(TEXT)).toBe(TEXT.replace('timeout: 10s', 'timeout: 20s'));
  });

  test('one that is never needed, or does what another did, goes', () => {
    expect(kindsOf(runs(5, () => [{ outcome: 'not-needed' }]))).toContain('redundant 1');
    const same = runs(5, (index) => [{}, { call: 'c', answer: `a${index}` }, { call: 'c', answer: `a${index}` }]);
    expect(kindsOf(same)).toContain('redundant 3');
  });

  test('the same answer every time may be kept for a while', () => {
    const records = runs(5, () => [{}, { call: 'c', answer: 'a' }]);
    const found = must(findRefinements(procedure, records, { minRuns: 5 })[0], 'it');
    expect(found).toMatchObject({ kind: 'cacheable', steps: ['2'] });
    expect(found.edit(TEXT)).toBe(TEXT.replace('idempotent: yes\n', 'idempotent: yes\n   - cache: 1h\n'));
  });
});

describe('the file', () => {
  const [, , third] = procedure.procedure.steps;

  test('a step is taken out and the rest counted anew; every other line stays', () => {
    const text = removeStep(TEXT, procedure.path, must(third, 'step 3'));
    expect(text).toBe(
      TEXT.replace('3. Look up again\n   - action: rate EUR\n', '')
        .replace('4. Post', '3. Post')
        .replace('5. Post', '4. Post'),
    );
  });

  test('whatever the steps are, only the lines meant change', () => {
    const step = fc.record({ name: fc.stringMatching(/^[a-z]{3,8}$/u), hasDetail: fc.boolean(), remark: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(step, { selector: ({ name }) => name, minLength: 1, maxLength: 6 }),
        fc.nat(),
        (all, pick) => {
          const blocks = all.map(({ name, hasDetail, remark }, index) =>
            [
              `${index + 1}. ${name}`,
              ...(hasDetail ? ['   - action: say x'] : []),
              ...(remark ? ['', '   A remark.', ''] : []),
            ].join('\n'),
          );
          const text = `# X\n\n## Steps\n\n${blocks.join('\n')}\n\n## Notes\n- n\n`;
          const at = pick % all.length;
          const target = must(known(text).procedure.steps[at], 'the step');
          const changed = setDetail(text, 'x.md', target, 'timeout', '5s');
          expect(changed.replace('   - timeout: 5s\n', '')).toBe(text);
          expect(known(changed).procedure.steps.map(({ timeoutMs }) => timeoutMs === 5000)).toEqual(
            all.map((_one, index) => index === at),
          );
          const rest = known(removeStep(text, 'x.md', target)).procedure.steps;
          expect(rest.map(({ description }) => description.split('\n', 1)[0])).toEqual(
            all.filter((_one, index) => index !== at).map(({ name }) => name),
          );
        },
      ),
    );
  });

  test('Windows line ends stay', () => {
    const windows = TEXT.replaceAll('\n', '\r\n');
    const text = setDetail(windows, procedure.path, must(third, 'step 3'), 'on error', 'skip');
    expect(text).toContain('3. Look up again\r\n   - action: rate EUR\r\n   - on error: skip\r\n4. Post');
    expect(text.replaceAll('\r\n', '').includes('\n')).toBe(false);
  });

  test('version and history are told; nothing is when nothing fits any more', () => {
    const found = findRefinements(
      procedure,
      runs(5, () => [{}, { call: 'c', answer: 'a' }]),
      { minRuns: 5 },
    );
    const text = applyRefinements(TEXT, procedure.path, found, '2026-11-15T12:00:00Z');
    expect(known(text).procedure.frontmatter).toMatchObject({
      version: '1.1',
      refinements: [
        { type: 'optimization', before: 'asked every time', after: 'cache: 1h' },
        { type: 'optimization', before: '2 calls' },
      ],
    });
    expect(known(text).procedure.steps[1]).toMatchObject({ cacheMs: 3_600_000 });
    expect(applyRefinements('# Empty\n', 'x.md', found.slice(0, 1), '2026-11-15T12:00:00Z')).toBe('# Empty\n');
    expect(known(retire(TEXT)).procedure.frontmatter.status).toBe('retired');
    const told = withRateChange(text, procedure.path, (before, after) =>
      before === '1' && after === '1.1' ? 0.25 : undefined,
    );
    expect(known(told).procedure.frontmatter.refinements?.at(-1)).toMatchObject({ success_rate_change: 0.25 });
    expect(withRateChange(text, procedure.path, () => undefined)).toBe(text);
  });

  test.each([
    ['1', '1.1'],
    ['1.9', '1.10'],
    ['beta', 'beta.1'],
  ])('%s is followed by %s', (version, next) => {
    expect(nextVersion(version)).toBe(next);
    expect(previousVersion(next)).toBe(version);
  });
});
