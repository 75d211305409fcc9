import { describe, expect, test } from 'vitest';
import { relateNames } from './name-relation.ts';
import { compareBearers, type Bearer } from './sameness.ts';
import { isSameSpelling } from './spelling.ts';

describe('how two names stand to one another', () => {
  test.each([
    ['Jürgen Müller', 'Juergen Mueller', true, 'equal'],
    ['Юлия Белова', 'Yuliya Belova', true, 'equal'],
    ['Søren Nygård', 'Soren Nygaard', true, 'equal'],
    ['Weiß, Annegret', 'Annegret Weiss', true, 'equal'],
    ['Bob Tanner', 'Robert Tanner', true, 'short-form'],
    ['Pepe', 'José Cabrera', true, 'short-form'],
    ['J. Weber', 'Johanna Weber', true, 'initial'],
    ['K. Weber', 'Johanna Weber', true, 'other-given'],
    ['Dr. Okafor', 'Chidi Okafor', true, 'part'],
    ['hkessler@loomly.example', 'Heike Kessler', true, 'handle'],
    ['rvk', 'Remco van Kampen', true, 'letters'],
    ['Tasmin Wray', 'Tamsin Wray', true, 'slip'],
    ['Anna Winkler', 'Anne Winkler', true, 'other-ending'],
    ['Christian Pohl', 'Christina Pohl', true, 'other-ending'],
    ['Stefanie Lorenz', 'Stephan Lorenz', true, 'other-given'],
    ['George Whitby', 'George Whitby Jr.', true, 'generation'],
    ['Laura', 'Laura', true, 'single-identical'],
    ['my boss', 'Riitta Salo', true, 'description'],
    ['mneme-core', 'Mneme Core', false, 'equal'],
    ['k8s', 'Kubernetes', false, 'other-name'],
    ['HPI', 'Hasso Plattner Institute', false, 'letters'],
    ['Stellarix Inc.', 'Stellarix', false, 'legal-form'],
    ['Python 2', 'Python 3', false, 'other-number'],
    ['React', 'React Native', false, 'longer'],
    ['billing-api', 'billing-worker', false, 'sibling'],
    ['the greenhouse thing', 'Thermidor', false, 'description'],
    ['Jest', 'Vitest', false, 'unlike'],
  ])('%s and %s', (left, right, isPerson, expected) => {
    expect(relateNames(left, right, isPerson)).toBe(expected);
    expect(relateNames(right, left, isPerson)).toBe(expected);
  });
});

test('a name is the same in another alphabet, with or without marks, space and case', () => {
  expect(isSameSpelling('Γιώργος Παππάς', 'Giorgos Pappas')).toBe(true);
  expect(isSameSpelling('NightOwl', 'night_owl')).toBe(true);
  expect(isSameSpelling('C', 'C#')).toBe(false);
});

describe('whether two are one', () => {
  const person = (name: string, context: string): Bearer => ({ name, type: 'person', aliases: [], context });

  test('a slip with the same facts is, the same name with other facts is not', () => {
    const tuesday = 'runs the design review every Tuesday in the Leipzig office';
    const slip = compareBearers(
      person('Kathrin Sommer', tuesday),
      person('Katrin Sommer', `${tuesday}, an hour later`),
      0.8,
    );
    expect(slip.verdict).toBe('same');
    const namesakes = compareBearers(
      person('Maria Garcia', 'cleans the office in the evenings'),
      person('Maria Garcia', 'chairs the board of our investor in Madrid'),
      0.1,
    );
    expect(namesakes.verdict).not.toBe('same');
  });

  test('says why, whichever of the two comes first', () => {
    const [a, b] = [person('Ola Bankole', "is Olu's manager"), person('Olu Bankole', 'wrote the alerting rules')];
    expect(compareBearers(a, b, 0.2)).toEqual(compareBearers(b, a, 0.2));
    expect(compareBearers(a, b, 0.2).reasons).toContain('another first name by its ending');
  });
});
