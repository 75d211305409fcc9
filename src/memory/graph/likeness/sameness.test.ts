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
    ['Kuba Wójcik', 'Jakub Wojcik', true, 'short-form'],
    ['Lupe', 'Guadalupe Ortega', true, 'short-form'],
    ['Tanaka Yuki', 'Yuki Tanaka', true, 'equal'],
    ['JP Moreau', 'Jean-Pierre Moreau', true, 'initial'],
    ['Ravi S.', 'Ravi Sundaresan', true, 'initial'],
    ['Lucía Prado Rey', 'Lucía Prado', true, 'equal'],
    ['Susan B. Hale', 'Susan C. Hale', true, 'other-given'],
    ['Big Tom', 'Little Tom', true, 'other-given'],
    ['Torsten Habermann', 'Thorsten Habermann', true, 'sound'],
    ['محمد الحسيني', 'Mohammed al-Husseini', true, 'sound'],
    ['김지훈', 'Kim Ji-hun', true, 'equal'],
    ['Frau Berg-Olsen', 'Marit Berg', true, 'part'],
    ['Coach', 'Marit Berg', true, 'description'],
    ['Harbour FC', 'Harbour Football Club', false, 'letters'],
    ['Second Avenue', '2nd Avenue', false, 'equal'],
    ['Loch Tay', 'River Tay', false, 'sibling'],
    ['Loch Tay', 'Tay', false, 'legal-form'],
    ['Blender', 'Blender 4.2', false, 'versioned'],
    ['PaintBox', 'Paintbox 3', false, 'versioned'],
    ['R/V Calypso', 'Calypso', false, 'legal-form'],
    ['Mont Blanc', 'Blanc', false, 'tail'],
    ['Monte Rosa', 'Mount Rosa', false, 'legal-form'],
    ['Ana María Ruiz', 'María Ana Ruiz', true, 'other-given'],
    ['Apple Pencil', 'Pencil', false, 'tail'],
    ['Delta', 'Delta Taps', false, 'longer'],
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

  test('a slip with the same facts is, the same name with other facts is not', async () => {
    const tuesday = 'runs the design review every Tuesday in the Leipzig office';
    const slip = await compareBearers(
      person('Kathrin Sommer', tuesday),
      person('Katrin Sommer', `${tuesday}, an hour later`),
    );
    expect(slip.verdict).toBe('same');
    const namesakes = await compareBearers(
      person('Maria Garcia', 'cleans the office in the evenings'),
      person('Maria Garcia', 'chairs the board of our investor in Madrid'),
    );
    expect(namesakes.verdict).not.toBe('same');
  });

  test('says why, whichever of the two comes first', async () => {
    const [a, b] = [person('Ola Bankole', "is Olu's manager"), person('Olu Bankole', 'wrote the alerting rules')];
    const one = await compareBearers(a, b);
    expect(one).toEqual(await compareBearers(b, a));
    expect(one.reasons).toContain('another first name by its ending');
  });

  test.each([
    ['one is a cleaner and the other a notary', 'cleaner of the Lisbon flat', 'notary who handled the Lisbon flat'],
    ['one is nine and the other seventy', 'aged 9, plays in the Lisbon park', 'aged 70, plays in the Lisbon park'],
    ['one is he and the other she', 'he tends the Lisbon garden', 'she tends the Lisbon garden'],
  ])('whom a name is shared with is asked about, not joined, when %s', async (_why, left, right) => {
    const { verdict } = await compareBearers(person('Rui', left), person('Rui Salgado', right));
    expect(verdict).not.toBe('same');
  });

  test('what is said outright counts', async () => {
    const [old, renamed] = [
      { name: 'Pelikaan', type: 'project', aliases: [], context: 'Route planner for the library vans.' },
      { name: 'Boekbus', type: 'project', aliases: [], context: 'Formerly Pelikaan.' },
    ];
    expect((await compareBearers(old, renamed)).verdict).toBe('same');
  });
});
