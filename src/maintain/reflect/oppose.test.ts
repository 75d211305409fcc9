import { describe, expect, it } from 'vitest';
import { packagedJudge } from '../../judge/judge.ts';
import { oppose } from './oppose.ts';

describe('two statements of different days', () => {
  it.each([
    [
      'another figure',
      'The staging box has 16 GB of memory.',
      'By the way, staging has 32 GB of memory, for the import.',
    ],
    ['another floor', 'The office is on the third floor, above the bakery.', 'The office is on the fifth floor.'],
    ['another day', 'The fair in Lund is on 14 May.', 'The fair in Lund is on 21 May.'],
    ['another place', 'Feature flags live in Postgres.', 'The feature flags live in Consul.'],
    ['somebody else in charge', 'Liis runs the payments team.', 'Rasmus runs the payments team, ask him.'],
    ['another name', 'Wrona is our headmistress.', 'Our headmistress is Bielak.'],
    ['a denial', 'We squash every branch before merge.', 'We never squash branches.'],
    ['a denial in few words', 'I dont own a car.', 'I own a car, an old one.'],
    ['a taste', 'Beata likes opera.', 'Beata hates opera.'],
    ['a habit', 'I never work on Sundays, family day.', 'I work every Sunday morning.'],
  ])('cannot both hold: %s', (_what, earlier, later) => {
    expect(oppose(earlier, later, packagedJudge)).toBe(true);
  });

  it.each([
    ['other things', 'The oscilloscope costs 1200.', 'The power supply costs 340.'],
    ['other people', 'My sister lives in Lund.', 'My cousin lives in Malmö.'],
    ['who speaks and somebody else', 'I do not eat pork.', 'My colleague Otto eats pork.'],
    ['the same in other words', 'I do not like long emails.', 'Long emails I cannot stand.'],
    ['both bad', 'My handwriting is bad.', 'My handwriting is terrible, even I cannot read it.'],
    ['several of a kind', 'Beata is my friend.', 'Marek is my friend.'],
    ['other days', 'Never deploy on Fridays.', 'We deploy on Tuesdays after the standup.'],
    ['what was asked for once', 'Write a test with 5 questions.', 'Write a test with 8 questions.'],
    ['days that are over', 'The train was late today.', 'The train was not late yesterday.'],
  ])('go together: %s', (_what, earlier, later) => {
    expect(oppose(earlier, later, packagedJudge)).toBe(false);
  });
});
