import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTRACTOR_OF_KIND, KNOWLEDGE_KINDS } from '../../model/knowledge.ts';
import { SOURCES, TRUST_LEVELS } from '../../model/provenance.ts';
import { factMetadataSchema, type FactMetadata } from '../../model/schemas/item.ts';
import { tagsOf } from '../../model/content-words.ts';
import { itemDefaults, resolveMetadata, withoutDefaults } from './defaults.ts';
import { renderItem } from './item.ts';
import { readMetadata, renderComment, renderFields, splitTrailingMetadata } from './metadata.ts';

const STATEMENT = 'Devon moved to Leeds last weekend and works five days now.';
const statement = fc.constantFrom(
  STATEMENT,
  '[ ] Call Devon [apollo].',
  '~~The API has a port [apollo].~~ (until 2026)',
  'Tea (or',
);

function readLine(line: string): FactMetadata {
  const { meta, problems } = readMetadata(factMetadataSchema, splitTrailingMetadata(line).fields);
  expect(problems).toEqual([]);
  return meta;
}

const learned: FactMetadata = {
  category: 'person',
  source: 'auto',
  trust: 'user',
  importance: 0.56,
  confidence: 'medium',
  time: '2026-11-01T14:01:00.000Z',
  from: '2026-11-01',
  learned: '2026-11-01',
  session: 'devon-moves',
  turn: 't1',
  evidence: ['devon-moves#t1'],
  tags: tagsOf(STATEMENT, undefined),
  extractor: 'people@1',
  attribute: 'residence',
  value: 'Leeds',
};

/** Values near those that the form implies, so that each is met, missed and absent. */
const day = fc.constantFrom('2026-11-01', '2026-11-02', '2026-11', '2026');
const session = fc.constantFrom('s1', 'ses_a1b2', '4f0c-9', 'chat:7', 'two words', 'fact', '#x');
const reference = fc.constantFrom('s1#t1', 's1#t2', 'ses_a1b2#t12', 'chat:7#t1', 's 1#t1');
const tags = fc.oneof(
  fc
    .tuple(statement, fc.constantFrom(undefined, 'apollo'))
    .map(([text, project]) => tagsOf(text, project))
    .filter((found) => found.length > 0),
  fc.array(fc.constantFrom('apollo', 'devon', 'two words', '#x'), { minLength: 1, maxLength: 3 }),
);
const metadata: fc.Arbitrary<FactMetadata> = fc
  .record(
    {
      category: fc.constantFrom('fact', 'person', 'decision', 'work'),
      source: fc.constantFrom(...SOURCES),
      trust: fc.constantFrom(...TRUST_LEVELS),
      importance: fc.constantFrom(0, 0.5, 0.56, 0.123, 1),
      confidence: fc.constantFrom('high' as const, 'medium' as const, 0.9),
      time: fc.constantFrom(
        '2026-11-01T14:01:00.000Z',
        '2026-11-01T14:01:30.000Z',
        '2026-11-01T14:01:30.120Z',
        '2026-11-01T14:01',
        '2026-11-01',
      ),
      from: day,
      until: day,
      learned: day,
      session,
      turn: fc.constantFrom('t1', 't12', 'first'),
      evidence: fc.array(reference, { minLength: 1, maxLength: 3 }),
      tags,
      extractor: fc.constantFrom(
        ...KNOWLEDGE_KINDS.map((kind) => `${EXTRACTOR_OF_KIND[kind]}@1`),
        'facts@2',
        'my own@1',
        'plain',
      ),
      attribute: fc.constantFrom('residence', 'Port', 'a=b'),
      value: fc.constantFrom('Leeds', 'New York', 'a"b', '-->', '[x]'),
      supersedes: fc.subarray(['9c4g7k0p3t6xp', '3f8h1n5r9w2yn', 'old'], { minLength: 1 }),
      verified: fc.constantFrom(0, 1, 12),
      last_verified: day,
      superseded_by: fc.constantFrom('3f8h1n5r9w2yn', 'new'),
      pinned: fc.constant(true),
      mood: fc.constantFrom('fact', 's1#t1', '0.5', 'a | b'),
    },
    { requiredKeys: [] },
  )
  .chain((meta) =>
    // Most lines rest on their own turn first; the form is for those.
    fc.boolean().map((isOwn) => {
      const own = `${meta.session}#${meta.turn}`;
      return isOwn && meta.session !== undefined ? { ...meta, evidence: [own, ...(meta.evidence ?? [])] } : meta;
    }),
  );

// SPEC FILE-5
describe('the short form of a learned line’s metadata', () => {
  test('leaves the statement, its turn and what cannot be derived', () => {
    const line = renderItem({ id: 'cx4dvmpdp8nm2', text: STATEMENT, meta: learned }, itemDefaults('entity', undefined));
    expect(line).toBe(
      `- ${STATEMENT} <!-- person 0.56 medium 2026-11-01T14:01 devon-moves#t1 residence=Leeds --> ^cx4dvmpdp8nm2`,
    );
    expect(readLine(line.replace(/ \^\w+$/u, ''))).toEqual(learned);
  });

  test('loses nothing, whatever the metadata are and whatever the file implies', () => {
    const frontmatter = fc.record(
      { source: fc.constantFrom(...SOURCES), trust: fc.constantFrom(...TRUST_LEVELS), session },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(metadata, frontmatter, statement, (meta, values, text) => {
        const defaults = itemDefaults('entity', values);
        const line = renderItem({ id: undefined, text, meta }, defaults);
        expect(resolveMetadata(readLine(line), defaults)).toEqual(resolveMetadata(meta, defaults));
        expect(splitTrailingMetadata(line).text).toBe(`- ${text}`);
      }),
      { numRuns: 2000 },
    );
  });

  test('says the same as the long form of older files', () => {
    fc.assert(
      fc.property(metadata, statement, (meta, text) => {
        const long = `${text} <!-- ${renderFields(Object.entries(withoutDefaults(meta, {})))} -->`;
        fc.pre(splitTrailingMetadata(long).fields !== undefined);
        const before = splitTrailingMetadata(long).fields ?? new Map();
        const short = `${text} ${renderComment(before, text)}`;
        expect(new Map(splitTrailingMetadata(short).fields)).toEqual(new Map(before));
        expect(short.length).toBeLessThanOrEqual(long.length);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [
      'another trust',
      { trust: 'tool' },
      'person 0.56 medium 2026-11-01T14:01 devon-moves#t1 residence=Leeds trust:tool',
    ],
    ['a later version', { extractor: 'people@2' }, '0.56 medium 2026-11-01T14:01 2026-11-01 people@2 devon-moves#t1'],
    ['more evidence', { evidence: ['devon-moves#t1', 'later#t4'] }, 'devon-moves#t1 later#t4 residence=Leeds'],
    ['seconds', { time: '2026-11-01T14:01:07.000Z' }, '2026-11-01T14:01:07 devon-moves#t1'],
    ['an import', { learned: '2026-12-24' }, '2026-11-01T14:01 2026-12-24 devon-moves#t1'],
    ['a project', { tags: tagsOf(STATEMENT, 'apollo') }, 'devon-moves#t1 #apollo residence=Leeds'],
    ['tags that a person chose', { tags: ['moving'] }, 'tags:[moving]'],
    ['what it replaced', { supersedes: ['9c4g7k0p3t6xp', '3f8h1n5r9w2yn'] }, '-9c4g7k0p3t6xp -3f8h1n5r9w2yn'],
    ['what replaced it', { superseded_by: '3f8h1n5r9w2yn' }, '+3f8h1n5r9w2yn'],
    ['how often it was confirmed', { verified: 2, last_verified: '2026-12-01' }, 'devon-moves#t1 x2@2026-12-01'],
    ['unknown keys', { mood: 'glad' }, 'mood:glad'],
  ])('writes out %s', (_name, more, expected) => {
    const meta = { ...learned, ...more } as FactMetadata;
    const line = renderItem({ id: undefined, text: STATEMENT, meta }, {});
    expect(line).toContain(expected);
    expect(readLine(line)).toEqual(meta);
  });

  test('names the trust of what is not the user’s, also where a file implies it', () => {
    const { trust: _, ...meta } = learned;
    expect(renderItem({ id: undefined, text: STATEMENT, meta }, {})).toContain('trust:agent');
    expect(renderItem({ id: undefined, text: STATEMENT, meta }, { trust: 'external' })).toContain('trust:external');
  });

  test('takes the project from the end of the statement, never from a task’s box', () => {
    const text = 'The API listens on port 8443 [harbor].';
    const meta = { ...learned, tags: tagsOf(text, 'harbor') };
    const line = renderItem({ id: undefined, text, meta }, {});
    expect(line).toContain('devon-moves#t1 residence=Leeds -->');
    expect(readLine(line).tags).toEqual(meta.tags);
    expect(readLine('- [x] Devon moved to Bristol. <!-- task s1#t1 -->').tags).toEqual(['devon', 'moved', 'bristol']);
  });

  test('gives a line new tags with its new words', () => {
    const line = 'Devon moved to Bristol. <!-- person 2026-11-01T14:01 s1#t1 -->';
    expect(readLine(line).tags).toEqual(['devon', 'moved', 'bristol']);
  });

  test.each(['check this', 'see s1#t1', 'fact', '0.5 high', 'ask Devon#t1 again', 'residence=Leeds', '#apollo'])(
    'a person’s comment "%s" is not metadata',
    (text) => {
      expect(splitTrailingMetadata(`Tea. <!-- ${text} -->`).fields).toBeUndefined();
    },
  );
});
