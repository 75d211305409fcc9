import { describe, expect, it } from 'vitest';
import type { StoredPassage } from '../search-index/port.ts';
import { LaterWords, withNote } from './later.ts';
import type { Owner } from './project.ts';
import { DAY_MS } from '../model/durations.ts';

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
});
