import { expect, it } from 'vitest';
import type { Judge, JudgedPair } from '../../../judge/judge.ts';
import type { EntityMention, RelationMention } from '../../../model/knowledge.ts';
import { findRelations } from './relations.ts';

type Judged = readonly [subject: string | undefined, family: string, object: string | undefined, chance: number];

async function read(
  text: string,
  judge: Judge['findRelations'],
  known: readonly EntityMention[] = [],
): Promise<readonly RelationMention[]> {
  const turn = { id: 't1', role: 'user', text, timeMs: Date.UTC(2026, 2, 4), trust: 'user' } as const;
  const conversation = { session: 's1', user: 'Ines', timeZone: 'UTC', turns: [turn], known };
  const [found] = await findRelations(
    conversation,
    () => true,
    () => ({ findRelations: judge }),
  );
  return found?.relations ?? [];
}

/** The relations found in a message, given the model's verdicts. */
async function found(
  text: string,
  judged: readonly Judged[],
  known?: readonly EntityMention[],
): Promise<readonly RelationMention[]> {
  const pairs = judged.map(([subject, family, object, chance]): JudgedPair => {
    return { subject, object, chances: { [family]: chance, none: 1 - chance } };
  });
  return read(text, () => pairs, known);
}

function shown({ subject, relation, object }: RelationMention): string {
  return `${subject.type} ${subject.name} ${relation} ${object.type} ${object.name}`;
}

it('writes families in the words of the ontology, and the speaker as the user', async () => {
  const relations = await found('Greta and I are at Halden, which is on Fly.io.', [
    [undefined, 'works for', 'Halden', 0.9],
    ['Halden', 'deployed on', 'Fly.io', 0.8],
    ['Greta', 'works for', 'Halden', 0.5],
  ]);
  expect(relations.map(shown)).toEqual([
    'person Ines works-for organization Halden',
    'service Halden deployed-on service Fly.io',
  ]);
  expect(relations[0]?.subject.isUser).toBe(true);
});

it('reads what can be said from either end by both, and once', async () => {
  const relations = await found('Greta and Tomasz are a couple, and Ada bosses me around.', [
    ['Greta', 'married to', 'Tomasz', 0.95],
    ['Tomasz', 'married to', 'Greta', 0.85],
    ['Ada', 'manages', undefined, 0.95],
    [undefined, 'reports to', 'Ada', 0.7],
    ['Greta', 'sibling of', 'Ada', 0.9],
    ['Ada', 'sibling of', 'Greta', 0.1],
  ]);
  expect(relations.map(shown)).toEqual(['person Greta married-to person Tomasz', 'person Ada manages person Ines']);
});

it('reads forms of words without the model, and once where both read them', async () => {
  const text = 'My wife Frauke is here. I report to Greta Holm, and Leonor is my sister.';
  expect((await found(text, [])).map(shown)).toEqual([
    'person Frauke married-to person Ines',
    'person Leonor sibling-of person Ines',
    'person Ines managed-by person Greta Holm',
  ]);
  const both = await found(text, [
    ['Frauke', 'married to', undefined, 1],
    [undefined, 'married to', 'Frauke', 1],
    ['Greta', 'manages', undefined, 1],
    [undefined, 'reports to', 'Greta', 1],
  ]);
  expect(both).toHaveLength(3);
});

it('takes the owner in "Vera’s neighbour" for no end of what is said of the neighbour', async () => {
  const judged: Judged[] = [['Jonas', 'works for', 'Vera', 0.9]];
  expect(await found('Jonas helps Vera’s neighbour.', judged)).toEqual([]);
  expect(await found('Jonas became Vera’s clerk.', judged)).toHaveLength(1);
  expect(await found('Jonas helps Vera at work.', judged)).toHaveLength(1);
});

it('takes a name in a form for who is known to bear it', async () => {
  const known = [{ name: 'Halden', type: 'project' }];
  expect((await found('Greta works at Halden.', [], known)).map(shown)).toEqual([
    'person Greta works-for project Halden',
  ]);
});

it('takes the likelier of two relations that cannot both hold', async () => {
  const relations = await found('Tobin is at Hadley now, as Wren is, and Pina calls Aurelio papa.', [
    ['Tobin', 'works for', 'Hadley', 0.95],
    ['Tobin', 'works for', 'Wren', 0.85],
    ['Wren', 'works for', 'Hadley', 0.9],
    [undefined, 'parent of', 'Pina', 0.82],
    ['Aurelio', 'parent of', 'Pina', 0.9],
    ['Hadley', 'located in', 'Tobin', 0.88],
  ]);
  expect(relations.map(shown)).toEqual([
    'person Tobin works-for organization Hadley',
    'person Wren works-for organization Hadley',
    'person Aurelio parent-of person Pina',
  ]);
});

it('keeps what is known of a name, and gives lower-case names of people and places capitals', async () => {
  const known = [{ name: 'Halden', type: 'project' }];
  const relations = await found(
    'leontyna uses halden of tidewater, part two, she lives in gdynia',
    [
      ['leontyna', 'lives in', 'gdynia', 0.9],
      ['Halden', 'part of', 'tidewater', 0.9],
    ],
    known,
  );
  expect(relations.map(shown)).toEqual([
    'person Leontyna lives-in place Gdynia',
    'project Halden part-of concept tidewater',
  ]);
});

it('knows a name again at the end of a sentence and as an owner', async () => {
  const known = ['halden', 'Bergwerk e.V.', 'ledger'].map((name) => ({ name, type: 'project' }));
  const given: string[] = [];
  await read(
    'it depends on halden. We asked Bergwerk e.V. and read the ledger’s log.',
    (_text, names) => {
      given.push(...names);
      return [];
    },
    known,
  );
  expect(given).toEqual(expect.arrayContaining(['halden', 'Bergwerk e.V.', 'ledger']));
});

it('takes the user and the name of the user for one person', async () => {
  expect(
    await found('I, Ines, say so.', [
      [undefined, 'sibling of', 'Ines', 1],
      ['Ines', 'sibling of', undefined, 1],
    ]),
  ).toEqual([]);
});

it('reads a long message in parts, without what was pasted', async () => {
  const parts: string[] = [];
  await read(`${'Ada lives in Graz. '.repeat(30)}\n\`\`\`\nGreta works for Halden\n\`\`\``, (part) => {
    parts.push(part);
    return [];
  });
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(400);
  expect(parts.join(' ')).not.toContain('Greta');
  expect(parts.join(' ').match(/Ada/gu)).toHaveLength(30);
});

it('reads the user’s turns that are asked for', async () => {
  const turn = { role: 'user', timeMs: Date.UTC(2026, 2, 4), trust: 'user' } as const;
  const turns = [
    { ...turn, id: 't1', text: 'Ada lives in Graz.' },
    { ...turn, id: 't2', text: 'Greta lives in Graz.' },
    { ...turn, id: 't3', role: 'agent' as const, text: 'Vera lives in Graz.' },
  ];
  const conversation = { session: 's1', user: 'Ines', timeZone: 'UTC', turns };
  const pairs = [{ subject: undefined, object: 'Graz', chances: { 'lives in': 0.9 } }];
  const relations = await findRelations(
    conversation,
    ({ id }) => id !== 't1',
    () => ({ findRelations: () => pairs }),
  );
  expect(relations.map((one) => one.turn.id)).toEqual(['t2']);
});

it.each([
  ['I’ll ask Dario, he is a member of nothing.', ['Dario', 'member of', 'I’ll']],
  ['Different people work with Marisol.', ['Marisol', 'works for', 'Different']],
  ['Dario has a cello, he plays in the band.', ['Dario', 'member of', 'cello']],
  ['Is Dario with the Halden team now?', ['Dario', 'member of', 'Halden']],
  ['Maybe Dario joins the Halden team.', ['Dario', 'member of', 'Halden']],
  ['Dario isn’t a player of Halden.', ['Dario', 'member of', 'Halden']],
  ['He said "Dario and Halden are one team".', ['Dario', 'member of', 'Halden']],
  ['Dario plays. Halden has a team.', ['Dario', 'member of', 'Halden']],
  ['Here come Élodie and his wife, and I sing.', [undefined, 'married to', 'Élodie']],
] as const)('findRelations does not believe the model about %j', async (text, [subject, family, object]) => {
  expect(await found(text, [[subject, family, object, 0.99]])).toEqual([]);
});

it('asks the model for more certainty where no word of the family stands near', async () => {
  expect(await found('Greta sits with us for Halden.', [['Greta', 'owns', 'Halden', 0.9]])).toEqual([]);
  expect(await found('Greta sits with us for Halden.', [['Greta', 'owns', 'Halden', 0.96]])).toHaveLength(1);
  expect(await found('Greta bought us all of Halden.', [['Greta', 'owns', 'Halden', 0.65]])).toHaveLength(1);
});

it('believes a form where the model contradicts it', async () => {
  const relations = await found('Greta lives in Graz, and her office home is Linz.', [
    ['Greta', 'lives in', 'Linz', 0.99],
    ['Graz', 'located in', 'Greta', 0.99],
  ]);
  expect(relations.map(shown)).toEqual(['person Greta lives-in place Graz']);
});
