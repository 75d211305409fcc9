import { describe, expect, it } from 'vitest';
import { createSpeakerTable, findPeople } from '../names.ts';
import { guessLanguage } from '../language.ts';
import { splitWords } from '../words.ts';
import { findTimeRange } from './time-range.ts';

/** A Wednesday afternoon in Berlin. */
const NOW_MS = Date.parse('2023-08-16T14:00:00Z');
const BERLIN = 'Europe/Berlin';
const speakers = createSpeakerTable(['April', 'June Park', 'Caroline']);

async function rangeOf(question: string, timeZone = BERLIN, nowMs = NOW_MS) {
  const words = splitWords(question);
  const language = guessLanguage(question, words);
  const people = findPeople(speakers, question, words).places;
  return await findTimeRange(question, { nowMs, timeZone, language, people });
}

function local(ms: number | undefined, timeZone = BERLIN): string {
  if (ms === undefined) return 'open';
  const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone });
  return format.format(ms).replace(' 00:00', '');
}

async function shown(question: string, timeZone = BERLIN): Promise<string> {
  const range = await rangeOf(question, timeZone);
  if (range === undefined) return 'none';
  return `${local(range.sinceMs, timeZone)} .. ${local(range.untilMs, timeZone)} ${range.precision} [${range.phrase}]`;
}

describe('findTimeRange', () => {
  it.each([
    ['What did we ship last week?', '2023-08-07 .. 2023-08-14 week [last week]'],
    ['Who visited us in May 2023?', '2023-05-01 .. 2023-06-01 month [in May 2023]'],
    ['What broke yesterday?', '2023-08-15 .. 2023-08-16 day [yesterday]'],
    ['Which flat did I look at two months ago?', '2023-06-01 .. 2023-07-02 month [two months ago]'],
    ['What was said on 8 May?', '2023-05-08 .. 2023-05-09 day [on 8 May]'],
    ['What was said on the 8th of May, 2022?', '2022-05-08 .. 2022-05-09 day [on the 8th of May, 2022]'],
    ['How often did the build fail since March?', '2023-03-01 .. open month [since March]'],
    ['Between 3 May and 5 June 2023, who was on call?', '2023-05-03 .. 2023-06-06 day [Between 3 May and 5 June 2023]'],
    ['What did I eat this morning?', '2023-08-16 04:00 .. 2023-08-16 12:00 part-of-day [this morning]'],
    ['did anything happen in march', '2023-03-01 .. 2023-04-01 month [in march]'],
    ['Where were we in December?', '2022-12-01 .. 2023-01-01 month [in December]'],
    ['Where were we last August?', '2022-08-01 .. 2022-09-01 month [August]'],
    ['What did she cook on Friday?', '2023-08-11 .. 2023-08-12 day [on Friday]'],
    ['What is due next Friday?', '2023-08-25 .. 2023-08-26 day [next Friday]'],
    ['Errors over the past 3 days', '2023-08-13 .. 2023-08-16 16:00 day [past 3 days]'],
    ['What changed in the last two weeks?', '2023-08-02 .. 2023-08-16 16:00 week [in the last two weeks]'],
    ['Minutes of 05/08/2023', '2023-08-05 .. 2023-08-06 day [05/08/2023]'],
    ['Minutes of 2023-05-08', '2023-05-08 .. 2023-05-09 day [2023-05-08]'],
    ['Minutes of 5.3.2023', '2023-03-05 .. 2023-03-06 day [5.3.2023]'],
    ['What were the goals in 2022?', '2022-01-01 .. 2023-01-01 year [in 2022]'],
    ['What did Anna do last summer?', '2022-06-01 .. 2022-09-01 season [last summer]'],
    ['Where did we sleep in the summer of 2021?', '2021-06-01 .. 2021-09-01 season [in the summer of 2021]'],
    ['Why did the pager ring last night?', '2023-08-15 18:00 .. 2023-08-16 06:00 part-of-day [last night]'],
    ['The movie we saw a few days ago', '2023-08-12 .. 2023-08-16 day [a few days ago]'],
    ['Where did he live 10 years ago?', '2013-01-01 .. 2014-01-01 year [10 years ago]'],
    ['Her job half a year ago', '2023-02-01 .. 2023-03-04 month [half a year ago]'],
    ['What happened the week before 9 June 2023?', '2023-06-02 .. 2023-06-09 week [the week before 9 June 2023]'],
    ['What did she do the Sunday before 25 May 2023?', '2023-05-21 .. 2023-05-22 day [Sunday before 25 May 2023]'],
    ['Sprint goals from May to July', '2023-05-01 .. 2023-08-01 month [from May to July]'],
    ['Costs between May and July 2022', '2022-05-01 .. 2022-08-01 month [between May and July 2022]'],
    ['Trips between December and February', '2022-12-01 .. 2023-03-01 month [between December and February]'],
    ['Anything in October or November?', '2022-10-01 .. 2022-12-01 month [in October or November]'],
    ['What did we do last weekend?', '2023-08-11 17:00 .. 2023-08-14 day [last weekend]'],
    ['Gifts from last Christmas', '2022-12-23 .. 2022-12-27 day [from last Christmas]'],
    ['Releases in mid-June', '2023-06-11 .. 2023-06-21 week [in mid-June]'],
    ['Revenue in early 2022', '2022-01-01 .. 2022-05-02 season [in early 2022]'],
    ['Revenue in Q3 2022', '2022-07-01 .. 2022-10-01 season [in Q3 2022]'],
    ['What was decided before July?', 'open .. 2023-07-01 month [before July]'],
    ['What was decided after 5 May?', '2023-05-06 .. open day [after 5 May]'],
    ['Which phone did I have until 2021?', 'open .. 2022-01-01 year [until 2021]'],
    ['Notes from the first week of May', '2023-05-01 .. 2023-05-08 week [from the first week of May]'],
    ['Music of the 90s', '1990-01-01 .. 2000-01-01 decade [the 90s]'],
    ['Logs from 2023-05', '2023-05-01 .. 2023-06-01 month [from 2023-05]'],
    ['The bug we had 3 weeks back', '2023-07-23 .. 2023-07-31 week [3 weeks back]'],
    ['Who called on sat?', '2023-08-12 .. 2023-08-13 day [on sat]'],
    ['What happened on Sep 3?', '2022-09-03 .. 2022-09-04 day [on Sep 3]'],
    ['What did April say in April?', '2023-04-01 .. 2023-05-01 month [in April]'],
    ['Did they march on Sunday?', '2023-08-13 .. 2023-08-14 day [on Sunday]'],
  ])('understands %s', async (question, expected) => {
    expect(await shown(question)).toBe(expected);
  });

  it.each([
    ['Was haben wir letzte Woche gemacht?', '2023-08-07 .. 2023-08-14 week [letzte Woche]'],
    ['Was war im März?', '2023-03-01 .. 2023-04-01 month [im März]'],
    ['Was haben wir vor zwei Monaten entschieden?', '2023-06-01 .. 2023-07-02 month [vor zwei Monaten]'],
    ['Was war am 8. Mai?', '2023-05-08 .. 2023-05-09 day [am 8. Mai]'],
    ['Seit Montag kaputt?', '2023-08-14 .. open day [Seit Montag]'],
    [
      'Was lief zwischen dem 3. Mai und dem 5. Juni 2023?',
      '2023-05-03 .. 2023-06-06 day [zwischen dem 3. Mai und dem 5. Juni 2023]',
    ],
    ['Was steht diese Woche an?', '2023-08-14 .. 2023-08-21 week [diese Woche]'],
    ['Wo waren wir letztes Wochenende?', '2023-08-11 17:00 .. 2023-08-14 day [letztes Wochenende]'],
    ['¿Qué hicimos la semana pasada?', '2023-08-07 .. 2023-08-14 week [la semana pasada]'],
    ['¿Qué dijo hace dos meses?', '2023-06-01 .. 2023-07-02 month [hace dos meses]'],
    ['¿Qué pasó el 8 de mayo?', '2023-05-08 .. 2023-05-09 day [el 8 de mayo]'],
    ['¿Quién llamó anoche?', '2023-08-15 18:00 .. 2023-08-16 06:00 part-of-day [anoche]'],
    ["Qu'avons-nous fait la semaine dernière ?", '2023-08-07 .. 2023-08-14 week [la semaine dernière]'],
    ['Où étions-nous il y a deux mois ?', '2023-06-01 .. 2023-07-02 month [il y a deux mois]'],
    ["Qui est venu l'été dernier ?", "2022-06-01 .. 2022-09-01 season [l'été dernier]"],
    ['Que faisons-nous depuis mars ?', '2023-03-01 .. open month [depuis mars]'],
  ])('understands %s', async (question, expected) => {
    expect(await shown(question)).toBe(expected);
  });

  it.each([
    'May I delete the file?',
    'It may take a while, may it not?',
    'This may be wrong',
    'How did the march go?',
    'Why does the sun burn when she sat outside?',
    'Is there a second opinion?',
    'Which Node version fixed it, 2.10.3?',
    'Was it v5.3.2023 or 3.11.21?',
    'Who listens on port 2024 at 5?',
    'What runs right now?',
    'Does it take 3 hours, or is it done in a minute?',
    'Which address is 10.0.5.3?',
    'Spring Boot or Quarkus?',
    'Why do leaves fall?',
    'Is Mars a planet?',
    'What did April say?',
    'What did June cook?',
    'Who wrote "yesterday" and `May 2023`?',
    'What do I do every Monday?',
    'What did we get for Christmas?',
    'What do I eat in the morning?',
    'The limit is in 2022 tokens',
    'Open https://example.org/2023/05/08/post',
    'Il a été malade',
    'Mein Auto ist so laut, wo ist mi casa?',
    'mon ami',
    'error 2013',
    '',
  ])('sees no time in: %s', async (question) => {
    expect(await rangeOf(question)).toBeUndefined();
  });

  it('counts days as the home sees them', async () => {
    // 22:30 UTC on the 15th is already the 16th in Berlin, and still the 15th in New York.
    const late = Date.parse('2023-08-15T22:30:00Z');
    const berlin = await rangeOf('today', BERLIN, late);
    const newYork = await rangeOf('today', 'America/New_York', late);
    expect(new Date(berlin?.sinceMs ?? 0).toISOString()).toBe('2023-08-15T22:00:00.000Z');
    expect(new Date(newYork?.sinceMs ?? 0).toISOString()).toBe('2023-08-15T04:00:00.000Z');
  });

  it('reads the month first where people write it first', async () => {
    expect(await shown('minutes of 05/08/2023', 'America/Chicago')).toBe('2023-05-08 .. 2023-05-09 day [05/08/2023]');
  });

  it('keeps whole days when the clocks change', async () => {
    const range = await rangeOf('on 26 March 2023');
    expect((range?.untilMs ?? 0) - (range?.sinceMs ?? 0)).toBe(23 * 3_600_000);
  });
});
