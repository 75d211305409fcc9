import { describe, expect, it } from 'vitest';
import type { Group } from '../../retrieve/fit.ts';
import type { Trust } from '../../model/provenance.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { makeDocument, makePassage } from '../../search-index/testing/documents.ts';
import { MemoryIndex } from '../../search-index/in-memory/memory-index.ts';
import { isNamedIn, namesIn, withAnswers, wordsIn } from './answers.ts';

const PROMPT = 'Draft a mail to Thea about a cooperation with the company where Thea works.';

async function conversation(...turns: readonly (readonly [Trust, string])[]): Promise<{
  readonly stored: readonly StoredPassage[];
  readonly read: (numbers: readonly number[]) => Promise<readonly StoredPassage[]>;
}> {
  const index = new MemoryIndex();
  const passages = turns.map(([trust, text], at) =>
    makePassage({ text, trust, id: `ses_1#t${at + 1}`, turn: `t${at + 1}`, session: 'ses_1', type: 'turn' }),
  );
  const key = { path: 'conversations/a.md', source: 'raw' } as const;
  await index.apply({ put: [makeDocument({ ...key, store: 'episodic' }, passages)], remove: [] });
  const view = await index.view({ scopes: ['shared'] });
  return { stored: await view.readDocument(key), read: (numbers) => view.read(numbers) };
}

function groupOf(...members: readonly StoredPassage[]): Group {
  const [passage] = members;
  if (passage === undefined) throw new Error('a group has a member');
  const scores = { semantic: 0, lexical: 0, temporal: 0, importance: 0, access: 0 };
  return { members, best: { passage, score: 1, scores, similarity: 0.9, closeness: undefined, reasons: [] } };
}

async function told(
  turns: readonly (readonly [Trust, string])[],
  { message = PROMPT, names = ['Thea'], shown = [0] }: { message?: string; names?: string[]; shown?: number[] } = {},
): Promise<string[][]> {
  const { stored, read } = await conversation(...turns);
  const groups = shown.map((at) => groupOf(...stored.slice(at, at + 1)));
  const completed = await withAnswers(groups, { message, names, read });
  return completed.map(({ members }) => members.map(({ text }) => text));
}

describe('a question that was asked before', () => {
  const ANSWER = 'As you told me: Thea works at Pinewood.';

  it('brings its answer along', async () => {
    expect(
      await told([
        ['user', PROMPT],
        ['agent', ANSWER],
      ]),
    ).toEqual([[PROMPT, ANSWER]]);
    const other = 'Where does Thea work?';
    expect(
      await told([
        ['user', other],
        ['agent', ANSWER],
      ]),
    ).toEqual([[other, ANSWER]]);
  });

  it('is another one when it was asked of somebody else', async () => {
    const other = PROMPT.replaceAll('Thea', 'Bruno');
    expect(
      await told([
        ['user', other],
        ['agent', 'Bruno works at Kestrel.'],
      ]),
    ).toEqual([[other]]);
  });

  it.each<[string, readonly (readonly [Trust, string])[]]>([
    [
      'what is no question',
      [
        ['user', 'Thea moved the meeting to Thursday.'],
        ['agent', 'Noted.'],
      ],
    ],
    [
      'what tools gave back',
      [
        ['user', PROMPT],
        ['tool', 'Thea works at Pinewood.'],
      ],
    ],
    ['the end of a conversation', [['user', PROMPT]]],
    [
      'the agent itself',
      [
        ['agent', PROMPT],
        ['agent', ANSWER],
      ],
    ],
  ])('not: %s', async (_name, turns) => {
    expect(await told(turns)).toEqual([[turns[0]?.[1]]]);
  });

  it('shows an answer once, and of a long one the beginning', async () => {
    const turns: readonly (readonly [Trust, string])[] = [
      ['user', PROMPT],
      ['agent', ANSWER],
    ];
    expect(await told(turns, { shown: [0, 1] })).toEqual([[PROMPT], [ANSWER]]);
    const [[, cut = ''] = []] = await told([
      ['user', PROMPT],
      ['agent', 'and so on '.repeat(200)],
    ]);
    expect(cut.length).toBeLessThanOrEqual(400);
    expect(cut).toMatch(/^and so on.*…$/su);
  });
});

describe('names', () => {
  it('are what is written as one, and not what all the world knows', () => {
    expect(namesIn('Ask Rosa on Saturday about cargo-index and port8, please.')).toEqual([
      'Rosa',
      'cargo-index',
      'port8',
    ]);
  });

  it('of several words stand there as a whole', () => {
    expect(isNamedIn('cargo-index', wordsIn('The budget of cargo-index is small.'))).toBe(true);
    expect(isNamedIn('cargo-index', wordsIn('The cargo is small.'))).toBe(false);
    expect(isNamedIn('', wordsIn('Anything.'))).toBe(false);
  });
});
