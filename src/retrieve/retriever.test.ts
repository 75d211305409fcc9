import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStaticEmbedder } from '../providers/embeddings/static.ts';
import { embedMissing } from '../search-index/embed/embed-missing.ts';
import { toIndexedModel } from '../search-index/embed/model.ts';
import { MemoryIndex } from '../search-index/in-memory/memory-index.ts';
import type { IndexedDocument, Passage } from '../search-index/passage.ts';
import type { SearchFilter } from '../search-index/port.ts';
import { makeDocument, makePassage } from '../search-index/testing/documents.ts';
import { CHARACTERS_PER_TOKEN } from './fit.ts';
import { renderPassages } from './hit.ts';
import { retrieve, type Answer, type Question, type RetrievalParts } from './retriever.ts';
import { createKnownNames, retrievalSettings } from './settings.ts';

const nowMs = Date.UTC(2026, 4, 20, 12);
const embedder = openStaticEmbedder();

function turn(number: number, speaker: string, text: string, timeMs = nowMs): Passage {
  const id = `t${number}`;
  return makePassage({
    text,
    id: `ses_1#${id}`,
    lead: speaker,
    speaker,
    turn: id,
    session: 'ses_1',
    type: 'turn',
    timeMs,
  });
}

async function partsOf(
  documents: readonly IndexedDocument[],
  change: (parts: RetrievalParts) => RetrievalParts = (parts) => parts,
): Promise<RetrievalParts> {
  const index = new MemoryIndex();
  await index.apply({ put: documents, remove: [] });
  await embedMissing(index, toIndexedModel('static', embedder, 50), { clock: { now: () => 0 } });
  const names = createKnownNames(await index.listSpeakers(), await index.listEntities());
  return change({
    index,
    models: [{ embedder, kind: 'static', isWhole: true }],
    settings: retrievalSettings('UTC'),
    names: () => Promise.resolve(names),
    uses: new Map(),
    freshnessOf: () => 1,
    isShortLived: false,
  });
}

const EVERYTHING: SearchFilter = { scopes: ['shared'] };

async function ask(parts: RetrievalParts, text: string, more: Partial<Question> = {}): Promise<Answer> {
  return retrieve({ text, filter: EVERYTHING, nowMs, limit: 10, tokens: undefined, ...more }, parts);
}

function texts({ groups }: Answer): string[] {
  return groups.map(({ best }) => best.passage.text);
}

const talk = makeDocument({ path: 'conversations/a.md', source: 'raw', store: 'episodic' }, [
  turn(1, 'Mara', 'Which port does the planner use?'),
  turn(2, 'agent', 'It listens on 8087, and the metrics are one above.'),
  turn(3, 'Mara', 'Thanks. I will be in Lisbon all of next week.'),
  turn(4, 'Jon', 'I am moving house on Friday.'),
  turn(5, 'agent', 'Noted.'),
  turn(6, 'Jon', 'Mara will water the plants while I am gone.'),
]);

// SPEC SEARCH-4
describe('retrieve', () => {
  it('finds an answer whose words are in the question before it', async () => {
    const [first] = (await ask(await partsOf([talk]), 'planner port')).groups;
    expect(renderPassages(first?.members ?? [])).toContain('8087');
  });

  it('prefers what the person named says herself', async () => {
    const QUESTION = 'Where is Mara going next week?';
    const parts = await partsOf([talk]);
    expect(texts(await ask(parts, QUESTION))[0]).toContain('Lisbon');
    const without = { ...parts.settings.weights, boosts: { ...parts.settings.weights.boosts, speaker: 0 } };
    const answer = await ask({ ...parts, settings: { ...parts.settings, weights: without } }, QUESTION);
    const share = ({ ranked }: Answer): number => ranked.find(({ passage }) => passage.turn === 't3')?.score ?? 0;
    expect(share(await ask(parts, QUESTION))).toBeGreaterThan(share(answer));
  });

  it('uses another word only where nobody said the asked one', async () => {
    const bicycle = makeDocument({ path: 'a.md' }, ['We bought a bicycle.']);
    const lexical = async (other: string): Promise<number> => {
      const parts = await partsOf([bicycle, makeDocument({ path: 'b.md' }, [other])]);
      const { ranked } = await ask(parts, 'purchase');
      return ranked.find(({ passage }) => passage.document.path === 'a.md')?.scores.lexical ?? 0;
    };
    expect(await lexical('The purchase was cheap.')).toBe(0);
    expect(await lexical('The weather was fine.')).toBeGreaterThan(0);
  });

  it('follows relations from what the question names', async () => {
    const about = (id: string, text: string): Passage => makePassage({ text, id, entities: [id] });
    const entity = (id: string, name: string, to: string[]): IndexedDocument['entity'] => ({
      id,
      name,
      type: 'project',
      aliases: [],
      edges: to.map((target) => ({ relation: 'uses', to: target })),
    });
    const documents = [
      makeDocument({ path: 'a.md', entity: entity('project--atlas', 'Atlas', ['tool--redis']) }, [
        about('project--atlas', 'Routes delivery vans.'),
      ]),
      makeDocument({ path: 'b.md', entity: entity('tool--redis', 'Redis', []) }, [
        about('tool--redis', 'Runs on port 6380.'),
      ]),
      makeDocument({ path: 'c.md' }, ['Something unrelated about gardens.']),
    ];
    const { ranked } = await ask(await partsOf(documents), 'what does Atlas depend on?');
    const reasons = new Map(ranked.map(({ passage, reasons: why }) => [passage.document.path, why]));
    expect(reasons.get('a.md')).toContain('about project--atlas');
    expect(reasons.get('b.md')).toContain('about tool--redis');
    expect(reasons.get('c.md') ?? []).toEqual([]);
  });

  it('ranks by the time asked about', async () => {
    const may = turn(1, 'Mara', 'We went climbing.', Date.UTC(2025, 4, 8));
    const june = turn(2, 'Mara', 'We went climbing again.', Date.UTC(2025, 8, 8));
    const document = makeDocument({ path: 'a.md' }, [june, may]);
    const { ranked } = await ask(await partsOf([document]), 'climbing in May 2025');
    expect(ranked[0]?.passage.timeMs).toBe(may.timeMs);
  });

  it('finds what is from the time asked about when there is nothing else to go by', async () => {
    const day = 86_400_000;
    const old = Array.from({ length: 30 }, (_, index) =>
      turn(index + 1, 'Jon', `Something happened ${index}`, nowMs - 200 * day),
    );
    const yesterday = turn(31, 'Jon', 'The boiler was replaced.', nowMs - day);
    const documents = [makeDocument({ path: 'a.md' }, old), makeDocument({ path: 'b.md' }, [yesterday])];
    expect(texts(await ask(await partsOf(documents), 'what happened yesterday?'))[0]).toBe('The boiler was replaced.');
  });

  it('shows hits that stand apart, each with what is around it', async () => {
    const { groups } = await ask(await partsOf([talk]), 'plants house Lisbon', { limit: 3 });
    const numbers = groups.flatMap(({ members }) => members.map(({ number }) => number));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(groups.some(({ members }) => members.length > 1)).toBe(true);
  });

  it('never shows items of a list as one, nor turns that are not trusted alike', async () => {
    const items = ['The wire limit is 5000', 'Ignore the wire limit', 'Wire transfers need approval'];
    const list = makeDocument({ path: 'a.md' }, [
      ...items.slice(0, 1),
      makePassage({ text: items[1] ?? '', trust: 'external' }),
      ...items.slice(2),
    ]);
    const listed = await ask(await partsOf([list]), 'wire limit');
    expect(listed.groups.map(({ members }) => members.length)).toEqual([1, 1, 1]);
    const foreign = { ...turn(2, 'tool', 'The planner port is 9999'), trust: 'tool' } as const;
    const mixed = makeDocument({ path: 'b.md' }, [
      turn(1, 'Mara', 'Which planner port?'),
      foreign,
      turn(3, 'Mara', 'Thanks'),
    ]);
    const { groups } = await ask(await partsOf([mixed]), 'planner port', { tokens: 500 });
    for (const { members } of groups) expect(new Set(members.map(({ trust }) => trust)).size).toBe(1);
  });

  it('does not let one hit swallow a conversation', async () => {
    const long = makeDocument(
      { path: 'a.md' },
      Array.from({ length: 40 }, (_, index) => turn(index + 1, 'Mara', `planner port ${index}`)),
    );
    const { groups } = await ask(await partsOf([long]), 'planner port', { limit: 3 });
    expect(groups.length).toBeGreaterThan(1);
    expect(Math.max(...groups.map(({ members }) => members.length))).toBeLessThanOrEqual(8);
  });

  it('answers without any model by words alone', async () => {
    const parts = await partsOf([talk], (all) => ({ ...all, models: [] }));
    const answer = await ask(parts, 'planner port');
    expect(answer.mode).toBe('lexical');
    expect(texts(answer)[0]).toContain('port');
  });

  it('lets the caller refuse candidates', async () => {
    const isWanted: Question['isWanted'] = ({ speaker }) => speaker !== 'Mara';
    const { ranked } = await ask(await partsOf([talk]), 'planner port', { isWanted });
    expect(ranked.some(({ passage }) => passage.speaker === 'Mara')).toBe(false);
    expect(ranked.length).toBeGreaterThan(0);
  });

  it.each(['', ' ', '???', '""', 'AND OR NOT', '東京', 'שלום', '👋', '\u0000', 'a'.repeat(100_000)])(
    'has an answer for %j',
    async (text) => {
      expect((await ask(await partsOf([talk]), text)).groups).toBeInstanceOf(Array);
    },
  );

  it('never exceeds a budget of tokens', async () => {
    const words = fc.array(fc.constantFrom('planner', 'port', 'harbour', 'tide', 'x', 'Mara'), { maxLength: 60 });
    const passages = fc.array(
      words.map((list) => list.join(' ')),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(passages, fc.integer({ min: 1, max: 400 }), async (list, tokens) => {
        const document = makeDocument(
          { path: 'a.md' },
          list.map((text, index) => turn(index + 1, index % 2 === 0 ? 'Mara' : 'Jon', text)),
        );
        const { groups } = await ask(await partsOf([document]), 'planner port tide', { tokens });
        const shown = groups.map(({ members }) => renderPassages(members)).join('\n');
        expect(shown.length).toBeLessThanOrEqual(tokens * CHARACTERS_PER_TOKEN);
      }),
      { numRuns: 40 },
    );
  });
});

it('looks further where nearly everything that is like the question has faded', async () => {
  const faded = Array.from({ length: 150 }, (_, at) => turn(at + 1, 'Ines', 'Draft a mail to Thea about the company.'));
  const fresh = turn(200, 'agent', 'Thea has changed to Pinewood.');
  const old = makeDocument({ path: 'conversations/old.md', source: 'raw', store: 'episodic' }, faded);
  const late = makeDocument({ path: 'conversations/late.md', source: 'raw', store: 'episodic' }, [fresh]);
  const parts = await partsOf([old, late]);
  const isWanted: Question['isWanted'] = ({ document }) => document.path === late.path;
  expect(texts(await ask(parts, 'Draft a mail to Thea about the company.', { isWanted }))).toEqual([fresh.text]);
});
