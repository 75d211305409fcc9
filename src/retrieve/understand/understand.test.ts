import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndexedEntity } from '../../search-index/passage.ts';
import { createAliasTable, createSpeakerTable } from './names.ts';
import { understandQuery } from './understand.ts';
import type { Intent, UnderstandContext } from './understanding.ts';

function entity(id: string, name: string, ...aliases: string[]): IndexedEntity {
  return { id, name, aliases, type: 'thing', edges: [] };
}

const context: UnderstandContext = {
  nowMs: Date.parse('2023-08-16T14:00:00Z'),
  timeZone: 'Europe/Berlin',
  speakers: createSpeakerTable(['Caroline', 'Melanie Ross', 'Will', 'Dr. José García', 'user', '田中']),
  aliases: createAliasTable([
    entity('tool--postgres', 'PostgreSQL', 'postgres', 'pg'),
    entity('project--atlas', 'Atlas', 'Project Atlas', 'the map service'),
    entity('project--atlas-mobile', 'Atlas Mobile'),
    entity('tool--go', 'Go', 'golang'),
    entity('tool--cpp', 'C++'),
    entity('place--zurich', 'Zürich'),
    entity('tool--kubernetes', 'Kubernetes', 'k8s'),
    entity('place--tokyo-tower', '東京タワー'),
  ]),
};

const ask = (question: string) => understandQuery(question, context);
const idsIn = async (question: string) => (await ask(question)).entities.map(({ id }) => id);

describe('intent', () => {
  const questions: readonly (readonly [Intent, string])[] = [
    ['when', 'When did Caroline join the choir?'],
    ['when', 'when was the cluster moved'],
    ['when', 'In which year did we found the company?'],
    ['when', 'Do you remember when we moved?'],
    ['when', 'What day is the dentist?'],
    ['when', 'How long ago did he quit?'],
    ['when', 'Since when do we use Redis?'],
    ['when', 'Wann ist die Abgabe?'],
    ['when', '¿Cuándo llegó Ana?'],
    ['when', 'Quand est le rendez-vous ?'],
    ['about', 'What do you know about Atlas?'],
    ['about', 'Tell me about the map service'],
    ['about', 'Who is Melanie?'],
    ['about', "What's PostgreSQL?"],
    ['about', 'Do we have any notes on the pricing?'],
    ['about', 'Describe our release train'],
    ['about', 'Was weißt du über Atlas?'],
    ['about', '¿Quién es Marta?'],
    ['about', 'Qui est Marta ?'],
    ['how-to', 'How do I rotate the signing key?'],
    ['how-to', 'how to restore a backup'],
    ['how-to', 'How do we usually name branches?'],
    ['how-to', 'What is the command to drain a node?'],
    ['how-to', 'Steps for onboarding a new customer'],
    ['how-to', 'Wie starte ich den Server?'],
    ['how-to', '¿Cómo se despliega la web?'],
    ['how-to', 'Comment faire une sauvegarde ?'],
    ['latest', "What's the latest on Atlas?"],
    ['latest', 'What is the status of the migration?'],
    ['latest', 'Which database do we use now?'],
    ['latest', 'Is Caroline still in the choir?'],
    ['latest', 'Any news from the landlord?'],
    ['latest', 'What is my current address?'],
    ['latest', 'Was ist der aktuelle Stand der Migration?'],
    ['latest', 'Où en est la migration ?'],
    ['general', 'How many children does Melanie have?'],
    ['general', 'What did Will say about the budget?'],
    ['general', 'What time zone does the server use?'],
    ['general', 'Why do tests time out when the cache is cold?'],
    ['general', 'favourite colour'],
    ['general', ''],
  ];
  it.each(questions)('%s: %s', async (intent, question) => {
    expect((await ask(question)).intent).toBe(intent);
  });
});

describe('the past', () => {
  it.each([
    ['What did we decide about caching?', true],
    ['Where did Melanie use to live?', true],
    ['Which editor was I using back then?', true],
    ['What do we have from May 2021?', true],
    ['Was hatten wir beschlossen?', true],
    ["What's the latest version we had?", false],
    ['Which editor do I use?', false],
    ['What was I doing, and what runs right now?', false],
    ['What does Caroline like?', false],
  ])('%s', async (question, expected) => {
    expect((await ask(question)).isAboutThePast).toBe(expected);
  });
});

describe('people', () => {
  it.each([
    ['What does caroline collect?', ['Caroline']],
    ["Is Melanie's brother older?", ['Melanie Ross']],
    ['Did Melanie Ross meet Jose?', ['Melanie Ross', 'Dr. José García']],
    ['José Garcia wrote it', ['Dr. José García']],
    ['Where does Will live?', ['Will']],
    ["Will's address", ['Will']],
    ['Will the build pass?', []],
    ['it will pass', []],
    ['What does the user prefer?', ['user']],
    ['田中さんは何を食べましたか', ['田中']],
    ['Carolinestraße 5', []],
  ])('%s', async (question, expected) => {
    expect((await ask(question)).people).toEqual(expected);
  });

  it('marks their terms', async () => {
    const { terms } = await ask("What did Caroline's friend bake last week?");
    expect(terms.filter(({ isPerson }) => isPerson).map(({ term }) => term)).toEqual(['carolin']);
    expect(terms.filter(({ isTime }) => isTime).map(({ term }) => term)).toEqual(['last', 'week']);
  });
});

describe('entities', () => {
  it.each([
    ['Why did we pick postgres?', ['tool--postgres']],
    ['Is postgrse slow?', ['tool--postgres']],
    ['Is PostgersQL slow?', ['tool--postgres']],
    ['Open tasks of project atlas', ['project--atlas']],
    ['Open tasks of Atlas Mobile', ['project--atlas-mobile']],
    ['Who runs The Map Service?', ['project--atlas']],
    ['Services written in Go', ['tool--go']],
    ['Where did we go?', []],
    ['Is it C++?', ['tool--cpp']],
    ['Vitamin C', []],
    ['flights to zurich', ['place--zurich']],
    ['kubernetis on k8s', ['tool--kubernetes']],
    ['at last', []],
    ['昨日東京タワーに行った', ['place--tokyo-tower']],
  ])('%s', async (question, expected) => {
    expect(await idsIn(question)).toEqual(expected);
  });

  it('trusts a mistyped name less', async () => {
    const [typo] = (await ask('kubernetis')).entities;
    const [exact] = (await ask('kubernetes')).entities;
    expect(typo?.confidence).toBeLessThan(exact?.confidence ?? 0);
  });
});

describe('phrases and operators', () => {
  it('finds what is quoted', async () => {
    const question = 'the "exact words", “curly ones”, „deutsche“, «françaises», `npm run x` and "the exact words"';
    expect((await ask(question)).phrases).toEqual([
      'exact words',
      'curly ones',
      'deutsche',
      'françaises',
      'npm run x',
      'the exact words',
    ]);
  });

  it.each(['NOT (a AND', 'a OR OR b', 'path:src/*', '"open', '""', '((*))', 'x\0y', '\uD800', '👩‍👩‍👧', "don't can't"])(
    'takes %j literally',
    async (question) => {
      expect((await ask(question)).phrases).toEqual([]);
    },
  );
});

describe('terms and expansions', () => {
  const expansionsOf = async (question: string) => (await ask(question)).expansions.map(({ term }) => term);

  it.each([
    ['What did she buy?', 'bought'],
    ['Where had they gone?', 'went'],
    ['Which repo is it?', 'repositori'],
    ['the db config', 'databas'],
    ['How many kids?', 'children'],
    ['three dogs', '3'],
    ['3 dogs', 'three'],
    ['notes from Sept', 'septemb'],
    ['mice in the attic', 'mous'],
    ['is k8s down?', 'kubernet'],
  ])('%s also looks for %s', async (question, term) => {
    expect(await expansionsOf(question)).toContain(term);
  });

  it('never repeats what was asked, and weighs less', async () => {
    const { terms, expansions } = await ask('database db repository went go');
    const asked = new Set(terms.map(({ term }) => term));
    expect(expansions.filter(({ term }) => asked.has(term))).toEqual([]);
    expect(expansions.every(({ weight }) => weight > 0 && weight < 1)).toBe(true);
  });

  it('names each term once and the framing lighter', async () => {
    const { terms } = await ask('Tell me: red wine or red beer?');
    expect(terms.map(({ term }) => term)).toEqual(['tell', 'red', 'wine', 'beer']);
    expect(terms.map(({ weight }) => weight)).toEqual([0.5, 1, 1, 1]);
  });

  it('keeps a question of framing alone', async () => {
    expect((await ask('tell me')).terms).toEqual([{ term: 'tell', weight: 1, isPerson: false, isTime: false }]);
  });
});

describe('language and script', () => {
  it.each([
    ['What did we do?', 'en', 'spaced'],
    ['Was haben wir gemacht?', 'de', 'spaced'],
    ['¿Qué hicimos con la base de datos?', 'es', 'spaced'],
    ["Qu'est-ce que nous avons fait ?", 'fr', 'spaced'],
    ['昨日は何を食べましたか', 'other', 'unspaced'],
    ['Что мы делали вчера?', 'other', 'spaced'],
    ['pnpm ERR_MODULE_NOT_FOUND', 'en', 'spaced'],
  ])('%s', async (question, language, script) => {
    expect(await ask(question)).toMatchObject({ language, script });
  });
});

describe('any text', () => {
  const fragments = fc.constantFrom(
    'last ',
    'May ',
    '2023',
    '-',
    '/',
    ' and ',
    '3 ',
    'ago',
    '"',
    '`',
    'Caroline',
    "'s",
    'weeks ',
    '1.2.3',
    'between ',
    '東',
    '\n',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('')),
  );

  it('is understood within bounds', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { timeRange, terms, expansions, phrases, people, entities } = await ask(text);
        expect(terms.length).toBeLessThanOrEqual(128);
        expect(expansions.length).toBeLessThanOrEqual(64);
        expect(phrases.length).toBeLessThanOrEqual(16);
        expect(people.length + entities.length).toBeLessThanOrEqual(48);
        expect(timeRange?.untilMs ?? Infinity).toBeGreaterThan(timeRange?.sinceMs ?? -Infinity);
      }),
      { numRuns: 400 },
    );
  });

  it('may be very long', async () => {
    const text = Array.from({ length: 12_000 }, (_, index) => `word${index} May`).join(' ');
    const { terms, expansions } = await ask(text);
    expect(terms).toHaveLength(128);
    expect(terms[0]?.term).toBe('mai');
    expect(expansions.length).toBeLessThanOrEqual(64);
  });
});
