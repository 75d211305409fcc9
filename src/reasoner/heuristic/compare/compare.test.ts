import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Judge } from '../../../judge/judge.ts';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { compareStatements } from './compare.ts';
import { datesIn, detailsOf, isSameNumber, numbersIn } from './details.ts';

interface Item {
  readonly id: string;
  readonly kind: KnowledgeKind;
  readonly statement: string;
}
interface Trap {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
}

const FOLDER = path.resolve(import.meta.dirname, '../../../../bench/data/knowledge');
const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8'));
const items = new Map(
  fs
    .readdirSync(FOLDER)
    .filter((name) => /^\d.*\.json$/u.test(name))
    .flatMap((name) => {
      const { started, session, items: labels } = read(name) as { started: string; session: string; items: Item[] };
      return labels.map((item) => [item.id, { ...item, session, saidMs: Date.parse(started) }] as const);
    }),
);

async function verdictOf({ a, b }: Trap): Promise<string> {
  const pair = [items.get(a), items.get(b)].flatMap((item) => item ?? []);
  const [known, incoming] = pair.sort((one, other) => one.saidMs - other.saidMs);
  if (known === undefined || incoming === undefined) throw new Error(`${a} or ${b} is no item`);
  const { verdict } = await compareStatements({
    known: { ...known, text: known.statement },
    incoming: { ...incoming, text: incoming.statement },
    similarity: 0,
    user: 'Ines',
    isOneConversation: known.session === incoming.session,
  });
  return verdict;
}

// SPEC LEARN-6
describe.each(['A', 'B'])('the traps of set %s', (set) => {
  const traps = read(`merge-traps-${set}.json`) as readonly Trap[];

  it('catch nothing', async () => {
    for (const trap of traps.filter(({ same }) => !same)) expect([trap, await verdictOf(trap)]).not.toContain('same');
  });
});

describe('two statements', () => {
  const compare = async (known: string, incoming: string, isOneConversation = false): Promise<string> => {
    const input = { known: { text: known, saidMs: 1 }, incoming: { text: incoming, saidMs: 2 }, similarity: 0 };
    return (await compareStatements({ ...input, isOneConversation })).verdict;
  };

  it.each([
    ['The backup runs at 3:00 every night.', 'Every night at three the backup runs.'],
    ['Carla has her birthday on 3 May.', 'Carla’s birthday is on May 3.'],
    ['Never deploy on Fridays after two.', 'You know the rule: no deploys after two on a Friday.'],
    ['Ada stages and Ben commits.', 'As we said, Ada stages, Ben commits.'],
  ])('in other words are two: %s / %s', async (one, other) => {
    expect(await compare(one, other)).toBe('different');
  });

  it('of which each gives two other values are of different things', async () => {
    expect(await compare('Gate 7 opens at nine.', 'Gate 17 opens at ten.')).toBe('different');
  });

  it('in the same words are one', async () => {
    expect(await compare('The backup runs at three.', 'the backup runs at 3')).toBe('same');
  });

  it.each([
    ['Max is allergic to walnuts.', 'Max is not allergic to walnuts.'],
    ['Finn is older than Liv.', 'Liv is older than Finn.'],
    ['The boiler runs on 5 V.', 'The boiler runs on 12 V.'],
    ['The contract has to be signed before the audit.', 'The contract has to be signed after the audit.'],
  ])('of which one says the opposite contradict each other: %s / %s', async (one, other) => {
    expect(await compare(one, other)).toBe('contradicts');
    expect(await compare(other, one)).toBe('contradicts');
  });

  it.each([
    ['The TTL of cached tiles is 24 hours.', 'Cached tiles get a TTL of 6 hours instead of 24.'],
    ['The weekly call with Nadia is on Tuesdays at ten.', 'The weekly call with Nadia has moved to Thursdays at ten.'],
    ['Micropython it is, for the couch reason [moss].', 'Forget micropython, moss goes to rust w/ embassy.'],
    [
      'Tuesday evening I am not home, I have the choir, every Tuesday at seven.',
      'The choir passes to Wednesday at seven in the evening, from this month.',
    ],
  ])('of which the later is a newer state replace one another: %s / %s', async (one, other) => {
    expect(await compare(one, other)).toBe('replaces');
  });

  it.each([
    ['The pump runs on 12 V.', 'The pump runs for 12 seconds.'],
    ['Ada is allergic to peanuts.', 'Ada is allergic to cats.'],
    ['Carla’s birthday is on 3 May.', 'Carla’s brother’s birthday is on 3 May.'],
    ['The liability insurance stays with Nordlicht.', 'The contents insurance stays with Nordlicht.'],
    ['Lena’s buddy is Jonas.', 'Seun’s buddy is Jonas.'],
    ['Use Redis or Postgres for the queue.', 'Use Postgres or Redis for the queue.'],
    ['The queue must not be restarted at night.', 'The queue is restarted at night by Ben.'],
    ['Tolland Briggs is where Ada works as a paralegal.', 'Tolland Briggs painted its foyer in salmon pink.'],
  ])('of different things are two: %s / %s', async (one, other) => {
    expect(await compare(one, other)).toBe('different');
  });

  it('of which the later, in other words, may be what became of the earlier contradict each other', async () => {
    expect(await compare('I live in Bruges with my two cats.', 'We moved to Ghent in May.')).toBe('contradicts');
  });

  it('said side by side both hold', async () => {
    const [one, other] = ['Last orders are at 21:30 on Tuesday.', 'Last orders are at 22:15 on Friday.'];
    expect(await compare(one, other, true)).toBe('different');
  });
});

describe('the table of opposites', () => {
  const table = fs.readFileSync(path.resolve(FOLDER, '../../../test/fixtures/opposites.tsv'), 'utf8').trimEnd();

  it('holds none that is another or replaces it', async () => {
    const lost: unknown[] = [];
    for (const [, one = '', other = ''] of table.split('\n').map((line) => line.split('\t'))) {
      for (const [known, incoming] of [
        [one, other],
        [other, one],
      ] as const) {
        const statement = { kind: 'fact', subject: 'Ines' } as const;
        const { verdict } = await compareStatements({
          known: { ...statement, text: known, saidMs: 1 },
          incoming: { ...statement, text: incoming, saidMs: 2 },
          similarity: 0.95,
          user: 'Ines',
        });
        if (verdict !== 'different' && verdict !== 'contradicts') lost.push([known, incoming, verdict]);
      }
    }
    expect(lost).toEqual([]);
  });
});

describe('what statements are compared by', () => {
  it.each([
    ['on 3 May', ['05-03']],
    ['on May 3rd', ['05-03']],
    ['by 2026-05-03', ['05-03']],
    ['in May', []],
    ['it may 3 times', []],
  ])('days of %j', (text, days) => {
    expect([...datesIn(text).dates.days]).toEqual(days);
  });

  it.each([
    ['ten', '10:00', true],
    ['5,000 euros', '5k', true],
    ['12 V', '12 seconds', false],
    ['the fortieth', '40th', true],
  ])('%j and %j as figures', (one, other, isSame) => {
    const [left = '', right = ''] = [one, other].map((text) => [...numbersIn(text).numbers][0]);
    expect(isSameNumber(left, right)).toBe(isSame);
  });

  it('never fails, and finds in a text what it finds in it alone', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const { words, stems } = detailsOf(text, 'Ines');
        expect(stems).toHaveLength(words.length);
        expect(numbersIn(datesIn(text).rest).words).not.toMatch(/(?<![\p{L}\d])\d{2}(?![\p{L}\d:.,])/u);
      }),
    );
  });
});

describe('a property that is stated in somebody’s file', () => {
  const verdict = async (known: string, value: string, incoming: string, newValue: string): Promise<string> => {
    const about = { subject: 'Ines', attribute: 'port' };
    const compared = await compareStatements({
      known: { ...about, text: known, value, saidMs: 1 },
      incoming: { ...about, text: incoming, value: newValue, saidMs: 2 },
      similarity: 0,
      user: 'Ines',
    });
    return compared.verdict;
  };

  it('of another thing replaces nothing', async () => {
    const [one, other] = ['The port of harbor-ledger is 8348.', 'The port of crane-api is 9229.'];
    expect(await verdict(one, '8348', other, '9229')).toBe('different');
    expect(await verdict('The port of Atlas is 1.', '1', 'The port of Fjord is 2.', '2')).toBe('different');
  });

  it('of the same thing does', async () => {
    const [one, other] = ['The port of harbor-ledger is 8348.', 'The port of harbor-ledger is 9229.'];
    expect(await verdict(one, '8348', other, '9229')).toBe('replaces');
    expect(await verdict('Ines lives in Bad-Aussee.', 'Bad-Aussee', 'Ines lives in Graz.', 'Graz')).toBe('replaces');
  });
});

describe('without the model', () => {
  it('two statements are two, and the reason says why nobody judged them', async () => {
    const input = {
      known: { text: 'Max is allergic to walnuts.', saidMs: 1 },
      incoming: { text: 'Max is not allergic to walnuts.', saidMs: 2 },
      similarity: 0,
    };
    const { verdict, reason } = await compareStatements(input, () => new Judge(path.join(FOLDER, 'no-model')));
    expect(verdict).toBe('different');
    expect(reason).toContain('no-model');
  });
});

describe('a correction', () => {
  it('is the same as what it says under another kind', async () => {
    const { verdict } = await compareStatements({
      known: { text: 'The backup runs at 3:00 every night.', saidMs: 1, kind: 'correction' },
      incoming: { text: 'the backup runs at 3:00 every night', saidMs: 2, kind: 'fact' },
      similarity: 0,
    });
    expect(verdict).toBe('same');
  });
});
