import { describe, expect, it } from 'vitest';
import type { StoredPassage } from '../search-index/port.ts';
import { LaterWords, withNote } from './later.ts';
import type { Owner } from './project.ts';
import { DAY_MS } from '../model/time.ts';

const document = {
  store: 'episodic',
  scope: 'shared',
  path: 's.md',
  source: 'raw',
  title: '',
  isArchived: false,
} as const;

function said(session: string, day: number, text: string): StoredPassage {
  const passage = { id: `${session}#t1`, session, turn: 't1', text, lead: 'Ada', timeMs: day * DAY_MS, trust: 'user' };
  return { ...passage, type: 'turn', document, tags: [], entities: [] } as unknown as StoredPassage;
}

const weekly = said('s2', 2, 'Marek wants a written weekly update, Friday by 14:00.');
const small = [
  said('s1', 1, 'Holds live for 10 minutes by design.'),
  weekly,
  said('s3', 3, 'The API listens on port 8087.'),
];
/** Among few sentences no word is rare. */
const many = Array.from({ length: 2000 }, (_, at) => said(`m${at}`, 1, `Row ${at} of the long list is done.`));
const ofNobody = (): Owner => 'none';
const find = (memory: StoredPassage, ...later: readonly StoredPassage[]) =>
  new LaterWords([...small, ...later]).find(memory, ofNobody);
const dayOf = (timeMs: number): string => `day ${timeMs / DAY_MS}`;

describe('what was said later of a memory', () => {
  it('is the sentence about the same that speaks of a change', () => {
    const later = find(weekly, said('s9', 9, 'Lunch was fine. Marek moved the weekly update: Thursday by 17:00.'));
    expect(later?.text).toBe('Marek moved the weekly update: Thursday by 17:00.');
    expect(withNote(weekly.text, later, dayOf)).toBe(
      'Marek wants a written weekly update, Friday by 14:00. (may be superseded, day 9: Marek moved the weekly update: Thursday by 17:00.)',
    );
  });

  it('is found where a name and a leaving are all that both have', () => {
    const memory = said('s4', 4, 'The club is run with Lucyna on Mondays.');
    expect(find(memory, said('s9', 9, 'Lucyna has left.'))?.text).toBe('Lucyna has left.');
  });

  it.each([
    ['speaks of no change', said('s9', 9, 'Marek liked the weekly update.')],
    ['is a question', said('s9', 9, 'Has Marek moved the weekly update?')],
    ['was said before', said('s0', 0, 'Marek moved the weekly update to Thursday.')],
    ['was said in the same conversation', said('s2', 9, 'Marek moved the weekly update to Thursday.')],
    ['speaks of something else', said('s9', 9, 'The office moved to another street.')],
  ])('is nothing that %s', (_why, other) => {
    expect(find(weekly, other)).toBeUndefined();
  });

  it('is nothing that shares no more than a day of the week', () => {
    const club = said('s4', 4, 'The game with Wojciech lasts three Thursdays.');
    expect(find(club, said('s9', 9, 'Iga left on Thursday.'))).toBeUndefined();
  });

  it('stands behind the part of the memory that it changes', () => {
    const memory = said('s4', 4, 'Lunch is late; Marek wants a written weekly update, Friday by 14:00; the rest stays');
    const later = find(memory, said('s9', 9, 'Marek moved the weekly update: Thursday by 17:00.'));
    expect(withNote(memory.text, later, dayOf)).toMatch(/14:00 \(may be superseded, day 9: [^)]+\); the rest stays$/u);
  });

  it('is found where neighbouring sentences share the words that one alone does not', () => {
    const memory = said('s4', 4, 'my brother madis is getting married!! 16 aug, porvoo. he lives in helsinki');
    const later = said('s9', 9, 'madis postponed the wedding. her dad is ill. now 23 may 2026, same place porvoo');
    expect(withNote(memory.text, find(memory, later), dayOf)).toMatch(
      /porvoo\. \(.*postponed the wedding.*\) he lives/u,
    );
  });

  it('is read where a reader is given: what it takes for no change is passed over for the next', () => {
    const moved = said('s8', 8, 'Marek moved the weekly update: Thursday by 17:00.');
    const other = said('s9', 9, 'Marek has no longer a written weekly update folder, Friday by 14:00 or not.');
    const words = new LaterWords([...small, moved, other]);
    const read = (_earlier: string, { text }: { readonly text: string }) =>
      text.includes('17:00') ? ('surely' as const) : undefined;
    expect(words.find(weekly, ofNobody, read)).toMatchObject({ says: 'surely', turn: moved });
    expect(words.find(weekly, ofNobody, () => undefined)).toBeUndefined();
  });

  it('is not read where a short sentence says that somebody has gone', () => {
    const memory = said('s4', 4, 'The club is run with Lucyna on Mondays.');
    const words = new LaterWords([...small, memory, said('s9', 9, 'Lucyna has left.')]);
    expect(words.find(memory, ofNobody, () => undefined)?.says).toBe('surely');
  });

  it('is not looked for between two projects', () => {
    const later = said('s9', 9, 'Marek moved the weekly update: Thursday by 17:00.');
    const ownerOf = ({ session }: StoredPassage): Owner => (session === 's9' ? 'other' : 'this');
    expect(new LaterWords([...small, later]).find(weekly, ownerOf)).toBeUndefined();
  });

  it('is that what was learned from a turn no longer holds', () => {
    const ended = { ...said('s2', 2, 'The weekly update is due on Fridays.'), type: 'superseded' };
    const later = new LaterWords(small, [ended]).find(weekly, ofNobody);
    expect(withNote(weekly.text, later, dayOf)).toMatch(/ \(superseded: The weekly update is due on Fridays\.\)$/u);
  });

  it('is only pointed to where its turn is injected as well', () => {
    const later = said('s9', 9, 'Marek moved the weekly update: Thursday by 17:00.');
    const [found] = new LaterWords([...small, later]).findEach([weekly, later], ofNobody);
    expect(withNote(weekly.text, found, dayOf)).toMatch(/\(may be superseded, day 9\)$/u);
  });

  it('is noted once where two memories are injected that it changes', () => {
    const other = said('s4', 4, 'Marek reads the weekly update on Saturday.');
    const later = said('s9', 9, 'Marek moved the weekly update: Thursday by 17:00.');
    const found = new LaterWords([...small, other, later]).findEach([weekly, other], ofNobody);
    expect(found.map((one) => one?.text)).toEqual(['Marek moved the weekly update: Thursday by 17:00.', '']);
  });

  it('is found by its clause of change, however much else the sentence tells', () => {
    const memory = said('s4', 4, 'Ada takes metoprolol twice a day, because of the exam in the spring.');
    const rest =
      'the sugar is high in the morning, the kitchen scale stays beside the bread box, the nurse comes on foot';
    const later = `The health: the doctor says that metoprolol alone no longer does it, ${rest}.`;
    expect(find(memory, ...many, said('s9', 9, later))).toMatchObject({ says: 'surely', text: later });
  });

  it('is another number behind the same rare name, without a word of change', () => {
    const memory = said('s4', 4, 'We chose the colour of the hull: navy, RAL 5011.');
    const words = new LaterWords([...many, memory, said('s9', 9, 'Moss green for the hull, RAL 6005, final.')]);
    expect(words.find(memory, ofNobody, () => undefined)?.says).toBe('surely');
    const same = new LaterWords([...many, memory, said('s9', 9, 'Three tins for the hull, RAL 5011, please.')]);
    expect(same.find(memory, ofNobody)).toBeUndefined();
  });
});
