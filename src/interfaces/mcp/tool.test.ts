import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArguments } from './tool.ts';

const rules = {
  parameters: {
    query: { type: 'string' },
    limit: { type: 'integer' },
    tags: { type: 'array' },
    archived: { type: 'boolean' },
    share: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
  aliases: { query: ['q', 'text'], limit: ['maxResults', 'n'] },
};

const values = (given: Record<string, unknown>): unknown => readArguments(given, rules).values;

describe('arguments', () => {
  it('are found under other names, however they are written', () => {
    expect(values({ q: 'where?' })).toEqual({ query: 'where?' });
    expect(values({ max_results: 3 })).toEqual({ limit: 3 });
    expect(values({ 'Max-Results': 3 })).toEqual({ limit: 3 });
  });

  it('prefer the real name, then the earlier alias; a second name for the same is no mistake', () => {
    expect(readArguments({ text: 'b', q: 'a' }, rules)).toEqual({ values: { query: 'a' }, ignored: [] });
    expect(values({ q: 'a', query: 'real' })).toEqual({ query: 'real' });
  });

  it('are read as the type that is expected', () => {
    expect(values({ limit: '5', archived: 'TRUE', share: '0.5' })).toEqual({ limit: 5, archived: true, share: 0.5 });
    expect(values({ query: 42 })).toEqual({ query: '42' });
    expect(values({ tags: 'a, b,,' })).toEqual({ tags: ['a', 'b'] });
    expect(values({ tags: '["a","b"]' })).toEqual({ tags: ['a', 'b'] });
    expect(values({ tags: '[a' })).toEqual({ tags: ['[a'] });
    expect(values({ tags: 7 })).toEqual({ tags: [7] });
  });

  it('that cannot be read stay as they are, for the schema to refuse', () => {
    expect(values({ limit: 'many' })).toEqual({ limit: 'many' });
    expect(values({ limit: { a: 1 } })).toEqual({ limit: { a: 1 } });
  });

  it('of null are as good as none', () => {
    expect(readArguments({ query: null, foo: null }, rules)).toEqual({ values: {}, ignored: [] });
  });

  it('that mean nothing are named', () => {
    expect(readArguments({ query: 'x', corpus: 'all' }, rules).ignored).toEqual(['corpus']);
  });

  it('never make it fail, whatever they are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const { values: read, ignored } = readArguments(given, rules);
        expect(Object.keys(read).every((name) => name in rules.parameters)).toBe(true);
        expect(ignored.every((name) => Object.hasOwn(given, name))).toBe(true);
      }),
    );
  });
});
