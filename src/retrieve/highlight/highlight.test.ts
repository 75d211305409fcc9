import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractQueryTerms } from '../../search-index/text/terms.ts';
import { highlight, type Highlight } from './highlight.ts';
import { findMatches } from './matches.ts';

function query(question: string, ...phrases: string[]) {
  return { terms: extractQueryTerms(question).map((term) => ({ term, weight: 1 })), phrases };
}

function marked({ snippet, ranges }: Highlight): string[] {
  return ranges.map(([start, end]) => snippet.slice(start, end));
}

const filler = 'Nothing of interest stands here at all. '.repeat(40);

// SPEC SEARCH-8
describe('highlight', () => {
  it('marks words by their stems', () => {
    const result = highlight('She was baking cakes; a baker bakes.', query('bake cake'));
    expect(result.snippet).toBe('She was baking cakes; a baker bakes.');
    expect(marked(result)).toEqual(['baking', 'cakes', 'bakes']);
  });

  it('shows the densest part, cut at sentences', () => {
    const text = `${filler}We met a dog once. ${filler}The dog Rufus chased the postman through the garden. ${filler}`;
    const result = highlight(text, query('dog postman garden'), { maxChars: 200 });
    expect(result.snippet).toMatch(/^…[A-Z].*The dog Rufus chased the postman through the garden\..*\.…$/u);
    expect(result.snippet.length).toBeLessThanOrEqual(200);
    expect(marked(result)).toEqual(['dog', 'postman', 'garden']);
  });

  it('prefers a quoted phrase, whatever its blanks and case', () => {
    const text = `${filler}deploy key deploy. ${filler}the Deploy\n Key expired. ${filler}`;
    const result = highlight(text, query('deploy', 'deploy key expired'), { maxChars: 120 });
    expect(marked(result)).toEqual(['Deploy\n Key expired']);
  });

  it('takes a phrase literally', () => {
    expect(marked(highlight('f(x)* and fx', query('', 'f(x)*')))).toEqual(['f(x)*']);
  });

  it('starts at the beginning when nothing matches', () => {
    const result = highlight(filler, query('zebra'), { maxChars: 100 });
    expect(result.snippet).toBe('Nothing of interest stands here at all. Nothing of interest stands here at all.…');
    expect(result.ranges).toEqual([]);
  });

  it('joins pairs in scripts without spaces', () => {
    const text = `${'今日は天気がいいです。'.repeat(60)}東京タワーに行きました。${'明日は雨です。'.repeat(60)}`;
    const result = highlight(text, query('東京タワー'), { maxChars: 60 });
    expect(marked(result)).toEqual(['東京タワー']);
  });

  it('finds identifiers by a part of their name', () => {
    expect(marked(highlight('see RouteMerger and route_merger.', query('merger')))).toEqual([
      'RouteMerger',
      'route_merger',
    ]);
  });

  it('has room for nothing more than one character', () => {
    expect(highlight('abc def', query('def'), { maxChars: 1 }).snippet.length).toBeLessThanOrEqual(3);
  });

  it('marks plain English as it marks everything else', () => {
    const pieces = fc.constantFrom(
      'Dog',
      'dogs',
      'RouteMerger',
      'route_',
      '_',
      'x9',
      '9',
      'The',
      'tying',
      ' ',
      '. ',
      '-',
      'doGs',
    );
    const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    const { terms } = query('dog the merger tie 9 x9 route');
    fc.assert(
      // One letter beyond ASCII, and the words are found by a pattern instead of letter by letter.
      fc.property(texts, (text) => {
        expect(findMatches(text, terms, [])).toEqual(findMatches(`${text} é`, terms, []));
      }),
      { numRuns: 300 },
    );
  });

  it('marks every form of a word, however short its stem', () => {
    const stems = fc.string({ unit: fc.constantFrom(...'aeiouybdlst'), minLength: 1, maxLength: 5 });
    const endings = fc.constantFrom('', 's', 'es', 'ed', 'ing', 'ies', 'y', 'eed', 'ational', 'ly');
    fc.assert(
      fc.property(stems, endings, endings, (stem, asked, said) => {
        const { terms } = query(stem + asked);
        const text = stem + said;
        expect(findMatches(text, terms, [])).toEqual(findMatches(`${text} –`, terms, []));
      }),
      { numRuns: 1000 },
    );
  });

  it('never splits a character and keeps ranges in order', () => {
    const pieces = fc.constantFrom('dog ', 'dogs', '👩‍👩‍👧', 'é', 'é', '東京', ' ', '. ', '\n', 'a', '🇩🇪', '❤️', 'क्षि');
    const texts = fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join(''));
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(texts, fc.integer({ min: 12, max: 80 }), (text, maxChars) => {
        const { snippet, ranges } = highlight(text, query('dog 東京', 'a a'), { maxChars });
        expect(snippet.length).toBeLessThanOrEqual(maxChars);
        const inner = snippet.replaceAll('…', '');
        const borders = new Set([...segmenter.segment(text)].map(({ index }) => index)).add(text.length);
        const places = [...text].length === 0 ? [0] : allPlaces(text, inner);
        expect(places.some((place) => borders.has(place) && borders.has(place + inner.length))).toBe(true);
        let last = 0;
        for (const [start, end] of ranges) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.length);
      }),
    );
  });
});

function allPlaces(text: string, part: string): number[] {
  const places: number[] = [];
  for (let place = text.indexOf(part); place !== -1 && places.length < 500; place = text.indexOf(part, place + 1)) {
    places.push(place);
  }
  return places;
}
