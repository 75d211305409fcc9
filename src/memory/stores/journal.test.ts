import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../../model/errors.ts';
import { checkFile } from '../../workspace/formats/findings.ts';
import { parseJournal, type Journal } from '../../workspace/formats/journal.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { planJournal, type SessionDay } from './journal.ts';
import { StoreHome } from './testing/store-home.ts';

const FILE = 'memory/journal/2026-11-15.md';

function write(home: StoreHome, day: Partial<SessionDay>): boolean {
  const plan = planJournal(home.parts, { date: '2026-11-15', session: 'ses_a', topic: 'Shop', points: [], ...day });
  return home.apply(plan).isChanged;
}

function read(home: StoreHome): Journal {
  return parseJournal(parseDocument(home.read(FILE)), FILE);
}

describe('the day’s journal', () => {
  test('sessions stand under their topics, decisions and the rest in their lists', () => {
    const home = new StoreHome();
    write(home, { points: ['Stripe won.', 'Photos are in.'], decisions: ['Use Stripe.'], next: ['Call Ada.'] });
    write(home, { session: 'ses_b', points: ['Fees compared.'], errors: ['Printer jam.'] });
    write(home, { session: 'ses_c', topic: 'Garden', points: ['Planted beans.'], decisions: ['Use Stripe.'] });
    expect(read(home)).toMatchObject({
      sessions: ['ses_a', 'ses_b', 'ses_c'],
      topics: [
        { name: 'Shop', points: ['Stripe won.', 'Photos are in.', 'Fees compared.'] },
        { name: 'Garden', points: ['Planted beans.'] },
      ],
      decisions: ['Use Stripe.'],
      errors: ['Printer jam.'],
      next: ['Call Ada.'],
    });
    expect(home.read(FILE).match(/^## .*$/gmu)).toEqual([
      '## What Happened',
      '## Decisions',
      '## Errors and Recoveries',
      '## Context for Tomorrow',
    ]);
    expect(checkFile(FILE, home.read(FILE))).toEqual([]);
  });

  test('the same session again changes nothing; with other points it replaces its own only', () => {
    const home = new StoreHome();
    write(home, { points: ['One.', 'Two.'], decisions: ['Both.', 'Mine.'] });
    write(home, { session: 'ses_b', points: ['Two.', 'Other.'], decisions: ['Both.'] });
    const text = home.read(FILE);
    home.nowMs += 1000;
    expect(write(home, { points: ['One.', 'Two.'], decisions: ['Both.', 'Mine.'] })).toBe(false);
    expect(home.read(FILE)).toBe(text);
    write(home, { points: ['One.', 'Three.'], decisions: [] });
    expect(read(home)).toMatchObject({
      topics: [{ points: ['One.', 'Two.', 'Other.', 'Three.'] }],
      decisions: ['Both.'],
    });
  });

  test('what a person changed, added or took out stays so', () => {
    const home = new StoreHome();
    write(home, { points: ['One.', 'Two.', 'Three.'] });
    const edited = home
      .read(FILE)
      .replace('- One.', '- One, in my words.')
      .replace('- Two.\n', '')
      .replace('- Three.', '- Three.\n  - with my remark')
      .concat('\n## Mood\n\nTired.\n');
    home.write(FILE, edited);
    write(home, { points: ['One.', 'Two.', 'Three.'] });
    expect(home.read(FILE)).toBe(edited);
    write(home, { points: ['Four.'] });
    write(home, { points: ['One.', 'Two.', 'Four.'] });
    expect(read(home).topics[0]?.points).toEqual(['One, in my words.', 'Three.', 'Four.']);
    expect(home.read(FILE)).toContain('  - with my remark');
    expect(home.read(FILE)).toContain('## Mood\n\nTired.\n');
  });

  test('a session that turns out to be about something else moves; a topic a person renamed is left', () => {
    const home = new StoreHome();
    write(home, { points: ['One.'] });
    write(home, { topic: 'Bakery', points: ['One.'] });
    expect(read(home).topics).toEqual([{ name: 'Bakery', points: ['One.'] }]);
    expect(home.read(FILE)).not.toContain('Shop');
    home.write(FILE, home.read(FILE).replace('### Bakery', '### Krume'));
    write(home, { topic: 'Bakery', points: ['One.'] });
    expect(read(home).topics).toEqual([{ name: 'Krume', points: ['One.'] }]);
  });

  test('a person’s file without our headings keeps every byte', () => {
    const home = new StoreHome();
    const mine = '# My day\r\n\r\nSunny.\r\n\r\n## Notes for Tomorrow\r\n* bread\r\n';
    home.write(FILE, mine);
    write(home, { points: ['One.'], next: ['Buy flour.'] });
    const text = home.read(FILE);
    expect(text.startsWith('# My day\r\n\r\nSunny.\r\n\r\n')).toBe(true);
    expect(text).toContain('## Notes for Tomorrow\r\n* bread\r\n- Buy flour.\r\n');
    expect(read(home)).toMatchObject({ next: ['bread', 'Buy flour.'], topics: [{ name: 'Shop', points: ['One.'] }] });
  });

  test.each(['../x', '2026-11', ''])('%j is no day', (date) => {
    const day = { date, session: 's', topic: 't', points: [] };
    expect(() => planJournal(new StoreHome().parts, day)).toThrow(/not a day/u);
  });

  test('whatever sessions say, each ends up with exactly its last points', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '# d', '- e', '<!-- f -->', 'g ^h', '[ ] i', '> j', '```'), {
      maxLength: 4,
    });
    const run = fc.record({
      session: fc.constantFrom('ses_1', 'ses_2', 'odd "id" -->'),
      topic: fc.constantFrom('Shop', 'shop:', 'C #', 'Decisions', '', '# x'),
      points: lines,
      decisions: lines,
    });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
        const files = new Map<string, string>();
        const { parts } = shared;
        for (const given of runs) {
          const [change] = planJournal(parts, { date: '2026-11-15', ...given }).changes;
          const edit = change !== undefined && 'edit' in change ? change.edit : undefined;
          const once = must(edit?.(files.get(FILE)), 'text');
          expect(edit?.(once)).toBe(once);
          files.set(FILE, once);
        }
        const last = new Map(runs.map((given) => [given.session, given]));
        const { decisions, sessions } = parseJournal(parseDocument(files.get(FILE) ?? ''), FILE);
        expect(new Set(sessions)).toEqual(new Set(last.keys()));
        const wanted = new Set([...last.values()].flatMap((given) => given.decisions.map(visible)));
        expect(new Set(decisions)).toEqual(wanted);
      }),
      { numRuns: 150 },
    );
  });
});

const shared = new StoreHome();

function visible(line: string): string {
  return must(parseJournal(parseDocument(`## Decisions\n\n- ${line}\n`), FILE).decisions[0], line);
}
