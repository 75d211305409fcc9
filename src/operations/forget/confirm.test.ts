import { describe, expect, it } from 'vitest';
import { isConsent } from './confirm.ts';

const CODE = 'M8YE6S';

describe('a yes to what is to be forgotten', () => {
  it.each([
    'M8YE6S',
    'm8ye6s.',
    'yes, m8ye6s',
    'Ja, bitte: "M8YE6S"',
    'go ahead with M8YE6S please',
    'sí, M8YE6S',
    'oui M8YE6S',
  ])('is %s', (text) => {
    expect(isConsent(text, CODE)).toBe(true);
  });

  it.each([
    'No! do not use M8YE6S',
    'don’t M8YE6S',
    'dont do M8YE6S',
    'never M8YE6S',
    'M8YE6S — wait',
    'stop, cancel M8YE6S',
    'nein M8YE6S',
    'M8YE6S bitte nicht',
    'auf keinen Fall M8YE6S',
    'M8YE6S, nunca',
    'non, M8YE6S',
    "n'efface pas M8YE6S",
    'jamais M8YE6S',
    'what would M8YE6S do?',
    'XM8YE6S',
    'M8YE6S7',
    'yes',
    '',
  ])('is not %s', (text) => {
    expect(isConsent(text, CODE)).toBe(false);
  });

  it('is short', () => {
    const words = (count: number): string => `${'well '.repeat(count)}M8YE6S`;
    expect(isConsent(words(12), CODE)).toBe(true);
    expect(isConsent(words(13), CODE)).toBe(false);
  });
});
