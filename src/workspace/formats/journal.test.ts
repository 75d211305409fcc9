import { expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import { journalPath, parseJournal, renderJournal, type Journal } from './journal.ts';

const JOURNAL: Journal = {
  period: 'day',
  date: '2026-02-16',
  sessions: ['ses_a1', 'ses_b2'],
  topics: [
    { name: 'mneme', points: ['Chose the file formats', 'Wrote golden files'] },
    { name: 'people', points: ['Ada visits on Friday'] },
  ],
  decisions: ['Metadata lives in comments: it reads best'],
  errors: ['Rate limit; backed off and recovered'],
  counts: { sessions: 2, memories: 14 },
  next: ['Review the layout table'],
};

test.each<Journal>([
  JOURNAL,
  { ...JOURNAL, period: 'week', date: '2026-W07' },
  { ...JOURNAL, period: 'month', date: '2026-02', topics: [] },
])('a $period is read back as it was written', (journal) => {
  expect(parseJournal(parseDocument(renderJournal(journal)), journalPath(journal.period, journal.date))).toEqual(
    journal,
  );
});

test('the shape of older journals is understood', () => {
  const text =
    '---\ntype: journal\ndate: 2026-02-16\n---\n\n## 2026-02-16\n\n### ops\n- Mail: 3 urgent\n\n## Notes for Tomorrow\n- Call Sarah\n';
  expect(parseJournal(parseDocument(text), 'x.md')).toMatchObject({
    topics: [{ name: 'ops', points: ['Mail: 3 urgent'] }],
    next: ['Call Sarah'],
    sessions: [],
  });
});

test('the period follows from the name of the file', () => {
  expect(parseJournal(parseDocument(''), 'memory/journal/weekly/2026-W07.md')).toMatchObject({
    period: 'week',
    date: '2026-W07',
  });
});
