import { describe, expect, it } from 'vitest';
import { createIgnoreRules } from './ignore-rules.ts';

describe('an ignore rule', () => {
  it.each([
    ['my divorce', 'The divorce is final in May.'],
    ['my divorce', 'They got DIVORCED last year.'],
    ['my divorce', 'We are divorcing.'],
    ['Ines', "Ines's birthday is in June."],
    ['my health, my salary', 'The salary is paid on Fridays.'],
    ['meine Scheidung', 'Der Scheidungsanwalt heißt Kern.'],
    ['mi divorcio', 'Los divorcios son caros.'],
    ['ma santé', 'La sante de Paul.'],
    ['project Falcon', 'The Falcon project starts on Monday.'],
    ['the who', 'The Who play in Graz.'],
    ['离婚', '我们去年离婚了。'],
  ])('%j covers %j', (rule, text) => {
    expect(createIgnoreRules([rule]).find(text)).toBe(rule);
  });

  it.each([
    ['Anna', 'Annabelle lives in Graz.'],
    ['Max', 'The maximum is 8.'],
    ['project Falcon', 'The project starts on Monday.'],
    ['my divorce', 'My dog is called Rex.'],
    ['the who', 'The dog barks.'],
    ['', 'Anything.'],
  ])('%j leaves %j alone', (rule, text) => {
    expect(createIgnoreRules([rule]).find(text)).toBeUndefined();
  });

  it('covers the other names of what it names', () => {
    const rules = createIgnoreRules(['my sister'], (name) => (name === 'sister' ? ['Vera Moreau'] : []));
    expect(rules.find('Vera Moreau lives in Vienna.')).toBe('my sister');
  });
});
