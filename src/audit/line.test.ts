import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../test/support/effort.ts';
import { ACTIONS } from '../model/mutation.ts';
import { parseLine, serializeLine, type AuditLine } from './line.ts';

const REFERENCE = '01KHK0000000000000000000AB';

function line(overrides: Partial<AuditLine> = {}): AuditLine {
  return {
    timeMs: Date.UTC(2026, 1, 5, 10, 0, 7),
    action: 'EDIT',
    file: 'MEMORY.md',
    actor: 'bot:trigger-remember',
    approval: 'auto',
    summary: 'added a fact',
    isCritical: false,
    reference: REFERENCE,
    trigger: undefined,
    ...overrides,
  };
}

describe('the audit line', () => {
  it('reads as S4 §12.4 has it, with the mutation behind', () => {
    expect(serializeLine(line())).toBe(
      `2026-02-05T10:00:07Z | EDIT | MEMORY.md | bot:trigger-remember | auto | added a fact | ${REFERENCE}`,
    );
  });

  it('marks a critical file', () => {
    const text = serializeLine(line({ file: 'SOUL.md', isCritical: true, summary: 'guideline modified' }));
    expect(text).toContain('| ⚠ CRITICAL: guideline modified |');
    expect(parseLine(text)).toMatchObject({ isCritical: true, summary: 'guideline modified' });
  });

  it('does not let a summary pass itself off as critical', () => {
    const parsed = parseLine(serializeLine(line({ summary: '⚠ CRITICAL: not really' })));
    expect(parsed).toMatchObject({ isCritical: false, summary: '⚠ CRITICAL: not really' });
  });

  it('parses the seed’s own example, padded and without a reference', () => {
    const text = '2026-02-02T15:30Z | EDIT   | MEMORY.md                | bot:trigger-remember | auto     | added "x"';
    expect(parseLine(text)).toEqual(
      line({ timeMs: Date.UTC(2026, 1, 2, 15, 30), summary: 'added "x"', reference: undefined }),
    );
  });

  it.each(['', 'garbage', '2026-02-02T15:30Z | FLY | a | b | c | d', '2026-13-02T15:30Z | EDIT | a | b | c | d'])(
    'refuses %j',
    (text) => {
      expect(parseLine(text)).toBeUndefined();
    },
  );

  it('round-trips whatever the fields hold, on one line', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[ |\\\n\r⚠—u{}26a0n]*$/));
    const arbitraryLine = fc.record({
      timeMs: fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1000),
      action: fc.constantFrom(...ACTIONS),
      file: text,
      actor: text,
      approval: text,
      summary: text,
      isCritical: fc.boolean(),
      reference: fc.option(
        text.filter((one) => one !== ''),
        { nil: undefined },
      ),
      trigger: fc.option(text, { nil: undefined }),
    });
    fc.assert(
      fc.property(arbitraryLine, (original) => {
        const serialized = serializeLine(original);
        expect(serialized).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(parseLine(serialized)).toEqual(original);
      }),
      { numRuns: repetitions(400, 2000) },
    );
  });
});
