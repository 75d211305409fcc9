import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOURCES, TRUST_LEVELS } from '../../model/provenance.ts';
import { itemMetadataSchema, type ItemMetadata } from '../../model/schemas/item.ts';
import { itemDefaults, resolveMetadata, withoutDefaults } from './defaults.ts';
import { renderItemMetadata } from './item.ts';
import { parseFields, parseMetadataLine, readMetadata, splitTrailingMetadata, visibleText } from './metadata.ts';

const fraction = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const words = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('ses_a1b2', 'person--alex', 'a > b', '-->', '"', '[x]', 'a|b'),
);
/** A number or word that stays itself: numbers are rounded to three decimals when written. */
const metadata: fc.Arbitrary<ItemMetadata> = fc.record(
  {
    source: fc.constantFrom(...SOURCES),
    trust: fc.constantFrom(...TRUST_LEVELS),
    time: fc.constant('2026-02-16T17:45:12.345Z'),
    importance: fraction,
    confidence: fc.oneof(fc.constantFrom('high' as const, 'medium' as const, 'low' as const), fraction),
    session: words,
    turn: fc.constant('t12'),
    tags: fc.array(words, { minLength: 1 }),
    related: fc.array(words, { minLength: 1 }),
    outcome: words,
    pinned: fc.constant(true),
    mood: words,
  },
  { requiredKeys: [] },
);
const fileDefaults = fc.record(
  { source: fc.constantFrom(...SOURCES), trust: fc.constantFrom(...TRUST_LEVELS), session: fc.constant('ses_file') },
  { requiredKeys: [] },
);

describe('metadata comment', () => {
  test('what was written is read back, whatever the values contain', () => {
    fc.assert(
      fc.property(metadata, (meta) => {
        const comment = renderItemMetadata(meta, {});
        const { meta: read, problems } = readMetadata(itemMetadataSchema, parseMetadataLine(comment));
        expect(problems).toEqual([]);
        expect(resolveMetadata(read, {})).toEqual(resolveMetadata(meta, {}));
        expect(comment.split('\n')).toHaveLength(1);
      }),
    );
  });

  test('leaving out the defaults of a file loses nothing', () => {
    fc.assert(
      fc.property(metadata, fileDefaults, (meta, frontmatter) => {
        const defaults = itemDefaults('episode', frontmatter);
        expect(resolveMetadata(withoutDefaults(meta, defaults), defaults)).toEqual(resolveMetadata(meta, defaults));
      }),
    );
  });

  test('reads as a person would write it', () => {
    const meta: ItemMetadata = {
      source: 'user-explicit',
      trust: 'user',
      importance: 0.8,
      tags: ['two words', 'b'],
      pinned: true,
    };
    expect(renderItemMetadata(meta, itemDefaults('episode', undefined))).toBe(
      '<!-- source:user-explicit importance:0.8 tags:[two words, b] pinned -->',
    );
  });

  test('says nothing when all is usual', () => {
    expect(renderItemMetadata({ source: 'conversation', trust: 'agent', importance: 0.5 }, {})).toBe('');
  });

  test.each(['check this', 'TODO: rewrite', 'note to self', 'a, b', ''])(
    'a person’s comment "%s" is not metadata',
    (text) => {
      expect(parseMetadataLine(`<!-- ${text} -->`)).toBeUndefined();
    },
  );

  test('a value the schema refuses is reported and left out', () => {
    const fields = parseFields('importance:3 source:dream tags:lonely verified:2');
    expect(readMetadata(itemMetadataSchema, fields)).toEqual({
      meta: { tags: ['lonely'], verified: 2 },
      problems: ['importance must be at most 1', expect.stringMatching(/^source must be one of: user-explicit/)],
    });
  });

  test('only the comment at the end of a text is its metadata', () => {
    const { text, fields } = splitTrailingMetadata('See <!-- from:2024 --> here <!-- from:2026 -->');
    expect(text).toBe('See <!-- from:2024 --> here');
    expect(fields?.get('from')).toBe('2026');
  });

  test('trust follows from the source unless file or item say otherwise', () => {
    expect(resolveMetadata({ source: 'user-explicit' }, {}).trust).toBe('user');
    expect(resolveMetadata({ source: 'import' }, {}).trust).toBe('import');
    expect(resolveMetadata({}, itemDefaults('episode', { trust: 'external' })).trust).toBe('external');
    expect(resolveMetadata({}, itemDefaults('vault', undefined))).toMatchObject({
      source: 'user-explicit',
      trust: 'user',
    });
  });

  test('a reader sees neither comments nor anchors', () => {
    expect(visibleText('- Tea. <!-- from:2026 --> ^abc\n<!-- one\ntwo -->\nEnd')).toBe('- Tea.\n\nEnd');
  });
});
