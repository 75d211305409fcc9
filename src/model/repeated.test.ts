import { describe, expect, it } from 'vitest';
import { repeats, withoutRepetitions, withoutSaidParts } from './repeated.ts';

const once = (...texts: string[]): string[] => withoutRepetitions(texts, (text) => text);

describe('withoutRepetitions', () => {
  it('keeps what says most, in the place of the first', () => {
    const [short, long] = [
      'The staging server is called Heron',
      'The staging server is called Heron; its disk is full',
    ];
    expect(once(short, 'Maria is vegetarian', long)).toEqual([long, 'Maria is vegetarian']);
    expect(once(long, short)).toEqual([long]);
  });

  it.each([
    ['Take the pill before dinner', 'Take the pill after dinner'],
    ['Alex is allergic to penicillin', 'Max is allergic to nuts'],
    [
      'The staging database of the lantern project listens on port 5544',
      'The staging database of the lantern project listens on port 5545',
    ],
    ['Deploy on Fridays before noon', 'Do not deploy on Fridays before noon'],
    ['Vera can deploy the harbour service', 'Vera can’t deploy the harbour service'],
    ['Module 1 moves to the new build system', 'Module 3 moves to the new build system'],
  ])('keeps "%s" and "%s" apart', (one, other) => {
    expect(once(one, other)).toEqual([one, other]);
  });

  it('keeps the first of two wordings', () => {
    expect(once('always answer in bullet points', 'From now on always answer in bullet points')).toEqual([
      'always answer in bullet points',
    ]);
  });

  it('leaves out what has no word', () => {
    expect(once('ok', '—')).toEqual([]);
  });
});

describe('withoutSaidParts', () => {
  it('keeps the parts of a text that no earlier text says', () => {
    const texts = [
      ['The cache listens on 6380', 'Nobody may merge the queues'],
      ['The host is called Heron', 'The cache listens on 6380.'],
      ['Nobody may merge the queues'],
    ];
    expect(withoutSaidParts(texts)).toEqual([texts[0], ['The host is called Heron'], []]);
  });
});

describe('repeats', () => {
  it('lets pass what says more than the others', () => {
    expect(repeats(['The server is called Heron'])('The server is called Heron, its disk is full and it is down')).toBe(
      false,
    );
  });

  it('finds a text that says what another does', () => {
    const isKnown = repeats(['My sister Vera lives in Graz. (until 2026-10-27)']);
    expect(isKnown('Alex’s sister Vera lives in Graz')).toBe(true);
    expect(isKnown('Vera moved to Vienna')).toBe(false);
    expect(isKnown('')).toBe(false);
  });
});
