import { describe, expect, it } from 'vitest';
import { NOW_MS, turn } from '../testing/harness.ts';
import type { SummaryAnswer } from '../schemas.ts';
import { checkComparison, checkConclusions, checkRoute, checkSlug, checkSummaries } from './answers.ts';
import { checkCoreChoice, checkReflections } from '../tasks.ts';

describe('where a text belongs', () => {
  const input = { text: 'Vera moved to Graz', user: 'Ines', timeMs: NOW_MS, timeZone: 'UTC' };
  const answer = {
    store: 'semantic',
    kind: 'gossip',
    entities: [
      { name: 'Vera', type: 'person' },
      { name: '../../x', type: 'y' },
      { name: 'Moscow', type: 'place' },
    ],
    relations: [{ subject: 'Vera', relation: 'located-in', object: 'Moscow' }],
    tags: ['family'],
    confidence: 'sure',
    is_core_worthy: true,
    summary: 'Vera lives in Graz.',
  } as const;

  it('keeps what the text names', () => {
    expect(
      checkRoute(
        { ...answer, entities: [...answer.entities], relations: [...answer.relations], tags: ['family'] },
        input,
      ),
    ).toEqual({
      output: {
        store: 'semantic',
        kind: undefined,
        entities: [{ name: 'Vera', type: 'person' }],
        relations: [],
        tags: ['family'],
        confidence: 'low',
        isCoreWorthy: true,
        summary: 'Vera lives in Graz.',
      },
      notes: [],
    });
  });

  it('takes the text itself for a summary that says something else', () => {
    const invented = {
      ...answer,
      entities: [],
      relations: [],
      tags: [],
      summary: 'The bank account was closed yesterday.',
    };
    expect(checkRoute(invented, input)).toMatchObject({
      output: { summary: 'Vera moved to Graz' },
      notes: ['the summary said what the text does not; the text itself was taken'],
    });
  });
});

describe('a diary entry', () => {
  const turns = [turn('t1', 'The deploy failed because the disk was full, so we move harbor to the bigger host.')];
  const conversation = { session: 's', timeZone: 'UTC', turns };
  const answer = (given: Partial<SummaryAnswer>): SummaryAnswer => {
    return { topic: 'Deploy', points: [], decisions: [], errors: [], next: [], tags: [], ...given };
  };

  it('joins pieces, the most telling lines of each first, and keeps no line twice', () => {
    const pieces = [
      answer({ points: ['The deploy failed.', 'The disk was full.'], tags: ['deploy'] }),
      answer({ topic: 'Later', points: ['harbor moves to the bigger host.', 'The deploy failed.'], tags: ['disk'] }),
    ];
    expect(checkSummaries(pieces, { conversation, maxTokens: 500 })).toEqual({
      output: {
        topic: 'Deploy',
        points: ['The deploy failed.', 'harbor moves to the bigger host.', 'The disk was full.'],
        decisions: [],
        errors: [],
        next: [],
        tags: ['deploy', 'disk'],
      },
      notes: [],
    });
  });

  it('drops lines that nobody said and says how many', () => {
    const invented = answer({ points: ['The deploy failed.', 'Aliens landed behind our garage.'], next: [' '] });
    const { output, notes } = checkSummaries([invented], { conversation, maxTokens: 500 });
    expect(output.points).toEqual(['The deploy failed.']);
    expect(notes).toEqual(['2 of its lines said what nobody said and were dropped']);
  });

  it('fits the tokens, decisions first', () => {
    const long = answer({
      points: ['The deploy failed because the disk was full.'],
      decisions: ['harbor moves to the bigger host.'],
    });
    const { output } = checkSummaries([long], { conversation, maxTokens: 10 });
    expect(output).toMatchObject({ points: [], decisions: ['harbor moves to the bigger host.'] });
  });
});

describe('a name', () => {
  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['Tile Cache: Redis!', 'tile-cache-redis'],
    ['a'.repeat(300), 'a'.repeat(48)],
  ])('%s', (slug, expected) => {
    expect(checkSlug({ slug }).output).toBe(expected);
  });
});

it('a reason is one line', () => {
  expect(checkComparison({ verdict: 'same', reason: 'a\nb\u0000' }).output).toEqual({ verdict: 'same', reason: 'a b' });
});

describe('what follows from what is known', () => {
  const premises = [
    { id: 'p1', text: 'Ines works in the Graz office.' },
    { id: 'p2', text: 'The Graz office is closed on Fridays.' },
  ];
  const conclude = (statement: string, ...named: string[]) =>
    checkConclusions(
      { conclusions: [{ statement, premises: named, confidence: 'sure' }] },
      { subject: 'Ines', premises },
    );

  it('needs two premises that were given, and their words', () => {
    expect(conclude('Ines works in an office closed on Fridays.', '^p1', 'p2', 'p9').output).toEqual([
      { statement: 'Ines works in an office closed on Fridays.', premises: ['p1', 'p2'], confidence: 'low' },
    ]);
    expect(conclude('Ines works in an office closed on Fridays.', 'p1').output).toEqual([]);
    expect(conclude('Ines sends payroll to Zurich bankers.', 'p1', 'p2')).toMatchObject({
      output: [],
      notes: [expect.stringContaining('1 of its conclusions')],
    });
  });
});

describe('a reflection', () => {
  const draft = { learning: 'One was approved.', understanding: '1 fact is new.', theme: '', questions: [] };
  const input = { learned: ['Ines moved to the Graz office.'], revised: [], past: [], draft };

  it('keeps the draft where a model speaks of what it was not shown', () => {
    const answer = {
      learning: '',
      understanding: 'Zeppelins orbit unicorn cathedrals.',
      theme: 'The Graz office.',
      questions: ['Whose zeppelin?'],
    };
    const { output, notes } = checkReflections(answer, input);
    expect(output).toEqual({ ...draft, theme: 'The Graz office.' });
    expect(notes).toHaveLength(1);
  });

  it('chooses for core memory only what was offered', () => {
    const offered = { bullets: [], candidates: [{ id: 'a', text: 'A' }], removable: [] };
    const { output, notes } = checkCoreChoice({ add: ['^a', 'a', 'z'], remove: ['a'] }, offered);
    expect(output).toEqual({ add: ['a'], remove: [] });
    expect(notes).toHaveLength(1);
  });
});
