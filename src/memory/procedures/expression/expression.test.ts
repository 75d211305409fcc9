import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMnemeError } from '../../../model/errors.ts';
import { type Variables, evaluateText, isTrue } from './evaluate.ts';
import { fillTemplate } from '../workflow/call.ts';

const VARIABLES: Variables = {
  count: 3,
  status: 'open',
  sent: false,
  mail: { from: { name: 'Ada' }, tags: ['work', 'urgent'] },
  'odd name': 1,
};

// SPEC PROCEDURE-1
describe('expressions', () => {
  test.each([
    ['count > 2 and not sent', true],
    ['count > 2 && !sent', true],
    ['not count == 3', false],
    ['status == "open" or missing', true],
    ['status is not "closed"', true],
    ['mail.from.name', 'Ada'],
    ['mail.tags[0]', 'work'],
    ['mail.tags[-1]', 'urgent'],
    ['mail["from"]["name"]', 'Ada'],
    ['"urgent" in mail.tags', true],
    ['mail.tags contains "private"', false],
    ['status contains "PEN"', true],
    ['length(mail.tags) * 2 - 1', 3],
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-count + 1', -2],
    ['"a" + count', 'a3'],
    ['1 / 0', null],
    ['missing > 3', false],
    ['missing.deeper.still', null],
    ['empty(missing) and defined(count)', true],
    ['lower("ÄB") == "äb"', true],
    ['number("4") + 1', 5],
    ['[1, 2] contains 2', true],
    ['yes', true],
  ])('%s', (source, value) => {
    expect(evaluateText(source, VARIABLES)).toEqual(value);
  });

  test.each(['', 'tests passed', 'a ==', '(1', 'a; b', 'run()', 'a = 1', '"open', 'a..b', '`x`', '{}'])(
    '%j cannot be read, and says so',
    (source) => {
      expect(() => evaluateText(source, {})).toThrow(/cannot be read/u);
    },
  );

  test.each([
    'constructor',
    'mail.constructor',
    'mail.__proto__',
    'status.length',
    'mail["toString"]',
    'mail.tags.map',
  ])('%s reaches nothing', (source) => {
    expect(evaluateText(source, VARIABLES)).toBeNull();
  });

  test('a hostile depth is refused', () => {
    expect(() => evaluateText('('.repeat(500) + '1' + ')'.repeat(500), {})).toThrow(/nested too deep/u);
    expect(() => evaluateText('not '.repeat(300) + '1', {})).toThrow(/nested too deep/u);
  });

  test('any text gives a value or a usage error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9 ().<>=!"[\]+*-]{0,40}$/u)), (source) => {
        const outcome = attempt(() => evaluateText(source, VARIABLES));
        expect(outcome).toBe('fine');
      }),
    );
  });
});

function attempt(body: () => unknown): string {
  try {
    const value = body();
    return value === undefined ? 'no value' : 'fine';
  } catch (error) {
    return isMnemeError(error, 'usage') ? 'fine' : String(error);
  }
}

test('templates', () => {
  expect(fillTemplate('Hello {{mail.from.name}}, {{count}} new{{missing}}', VARIABLES)).toBe('Hello Ada, 3 new');
  expect(fillTemplate('{{mail.tags}}', VARIABLES)).toEqual(['work', 'urgent']);
  expect(fillTemplate('{{count}}{{count}}', VARIABLES)).toBe('33');
  expect(() => fillTemplate('{{a b}}', VARIABLES)).toThrow(/cannot be read/u);
});

test.each([
  [[], false],
  [{}, false],
  ['', false],
  [0, false],
  [null, false],
  [{ a: 1 }, true],
  ['no', true],
])('%j counts as %s', (value, expected) => {
  expect(isTrue(value)).toBe(expected);
});
