import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTITY_ID_PATTERN } from '../../model/schemas/graph.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { parseDocument, serializeDocument } from '../markdown/document.ts';
import {
  addDecision,
  addFact,
  addOpenQuestion,
  addRelation,
  addTask,
  addTimelineEvent,
  entityId,
  newEntityFile,
  parseEntity,
  slugOf,
} from './entity.ts';
import { changeFact } from './entity-changes.ts';
import { parseFact, renderFact, supersedeFact, type Fact } from './entity-items.ts';
import { locateBlocks } from './sections.ts';
import { must } from '../../model/errors.ts';
import { oneLine } from '../../model/text.ts';

const ID = '7k2m9x0q4t1za';
const PATH = 'memory/graph/entities/person--alex.md';
const NEW = newEntityFile(
  { id: 'person--alex', type: 'person', name: 'Alex', aliases: ['Lex'], created: '2026-02-16' },
  'A friend.',
);

const facts: fc.Arbitrary<Fact> = fc.record({
  id: fc.constant(ID),
  text: fc
    .oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('Uses <!-- pinned -->', '[ ] box', '- dash', 'a ^b', '\\<!-- x -->', '# h'),
    )
    .map(oneLine)
    .filter((text) => text !== '' && !/^~~.*~~/.test(text)),
  isSuperseded: fc.boolean(),
  meta: fc.record(
    {
      category: fc.constantFrom('work', 'likes and dislikes'),
      confidence: fc.constantFrom('high' as const, 0.75),
      from: fc.constantFrom('2024', '2024-03'),
      until: fc.constant('2026-02-16'),
      learned: fc.constant('2026-02-16'),
      verified: fc.nat(9),
      supersedes: fc.constant(['8k2m9x0q4t1za']),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<FactMetadata>,
});

describe('facts', () => {
  test('render → parse gives the same fact', () => {
    fc.assert(
      fc.property(facts, (fact) => {
        const [located, ...more] = locateBlocks(parseDocument(`${renderFact(fact, {})}\n`));
        const { problems, startLine: _s, endLine: _e, ...read } = parseFact(must(located, 'the fact'));
        expect(more).toEqual([]);
        expect(problems).toEqual([]);
        expect(read).toEqual(fact);
      }),
      { numRuns: 500 },
    );
  });

  test('what is no longer true is struck through and dated', () => {
    const berlin: Fact = {
      id: ID,
      text: 'Lives in Berlin.',
      isSuperseded: false,
      meta: { category: 'home', from: '2024-03' },
    };
    const supersede = (fact: Fact): Fact => supersedeFact(fact, '2026-02-16', '8k2m9x0q4t1za');
    const document = changeFact(addFact(parseDocument(NEW), berlin), PATH, ID, supersede);
    expect(serializeDocument(must(document, 'the document'))).toContain(
      `- ~~Lives in Berlin.~~ (until 2026-02-16) <!-- category:home from:2024-03 superseded_by:8k2m9x0q4t1za --> ^${ID}\n`,
    );
  });

  test('an unknown id changes nothing', () => {
    expect(changeFact(parseDocument(NEW), PATH, 'nobody', (fact) => fact)).toBeUndefined();
  });
});

describe('entity file', () => {
  test('items of every kind go to their sections, in order, and come back', () => {
    let document = parseDocument(NEW);
    const meta = {};
    document = addRelation(document, {
      id: 'r1',
      relation: 'develops',
      target: 'project--mneme',
      isSuperseded: false,
      meta: { from: '2026-01' },
    });
    document = addDecision(document, {
      id: 'd1',
      date: '2026-02-14',
      text: 'Files first.',
      rationale: 'Readable',
      impact: 'Simple backup',
      meta: { status: 'active' },
    });
    document = addTask(document, { id: 'k1', text: 'Ship', status: 'blocked', meta: { due: '2026-03-01' } });
    document = addOpenQuestion(document, { id: 'q1', text: 'Which licence?', meta });
    document = addTimelineEvent(document, { id: 'e1', date: '2026-01-15', text: 'Began.', meta });
    document = addFact(document, { id: 'f1', text: 'Likes tea.', isSuperseded: false, meta: { verified: 3 } });
    const text = serializeDocument(document);
    expect([...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])).toEqual([
      'Summary',
      'Facts',
      'Timeline',
      'Open Questions',
      'Goals and Tasks',
      'Decisions',
      'Relations',
    ]);
    expect(parseEntity(parseDocument(text), PATH)).toMatchObject({
      id: 'person--alex',
      type: 'person',
      name: 'Alex',
      summary: 'A friend.',
      facts: [{ id: 'f1', text: 'Likes tea.', meta: { verified: 3 } }],
      timeline: [{ id: 'e1', date: '2026-01-15', text: 'Began.' }],
      questions: [{ id: 'q1', text: 'Which licence?' }],
      tasks: [{ id: 'k1', text: 'Ship', status: 'blocked', meta: { due: '2026-03-01' } }],
      decisions: [
        { id: 'd1', date: '2026-02-14', text: 'Files first.', rationale: 'Readable', impact: 'Simple backup' },
      ],
      relations: [{ id: 'r1', relation: 'develops', target: 'project--mneme', meta: { from: '2026-01' } }],
    });
  });

  test('a file name and a title are enough', () => {
    expect(parseEntity(parseDocument('# Ada Lovelace\n\n## Facts\n- Wrote notes\n'), 'x/person--ada.md')).toMatchObject(
      {
        id: 'person--ada',
        type: 'person',
        name: 'Ada Lovelace',
        facts: [{ text: 'Wrote notes', id: undefined }],
      },
    );
  });

  test('a relation in words with several targets', () => {
    const text = '## Relations\n- Developed by: [[person--alex]], [[entities/person--bo|Bo]]\n- just text\n';
    expect(
      parseEntity(parseDocument(text), 'tool--x.md').relations.map(({ relation, target }) => [relation, target]),
    ).toEqual([
      ['developed-by', 'person--alex'],
      ['developed-by', 'person--bo'],
    ]);
  });

  test('a ticked box counts over the word beside it', () => {
    const text = '## Tasks\n- [x] Ship <!-- status:blocked -->\n- Rest\n';
    expect(parseEntity(parseDocument(text), 'project--x.md').tasks.map((task) => task.status)).toEqual([
      'done',
      'open',
    ]);
  });
});

describe('names', () => {
  test.each([
    ['person', 'Álex Müller-Lüdenscheidt', 'person--alex-muller-ludenscheidt'],
    ['Person', '山田 花子', 'person--山田-花子'],
    ['tool', 'C++ / Rust?', 'tool--c-rust'],
    ['', '!!!', 'thing--unnamed-x16573'],
    ['../x', '../../etc', 'x--etc'],
    ['CON', 'NUL', 'con--nul'],
  ])('%s %s is %s', (type, name, id) => {
    expect(entityId(type, name)).toBe(id);
  });

  test('names that a slug cannot tell apart get different ids', () => {
    const long = 'very '.repeat(60);
    const ids = ['❤️', '🙂', `${long}a`, `${long}b`, '𐐀'.repeat(300)].map((name) => entityId('person', name));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(Buffer.byteLength(`${id}-99.md`)).toBeLessThan(255);
      expect(id).toMatch(ENTITY_ID_PATTERN);
      expect(id).not.toMatch(/\p{Default_Ignorable_Code_Point}/u);
    }
  });

  test('a slug is short and never ends in a hyphen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(slugOf(name)).toMatch(/^$|^[^-]$|^[^-].*[^-]$/su);
        expect(entityId('person', name)).toMatch(ENTITY_ID_PATTERN);
      }),
    );
  });
});
