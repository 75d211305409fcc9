import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { LiteralScan, PatternSet, foldForScan } from './patterns.ts';
import { requiredLiterals } from './required-literals.ts';

const found = (pattern: string, text: string): string[] =>
  new PatternSet([{ pattern, value: 'x' }]).find(text).map((match) => match.found);

/** Patterns made of the parts people use. */
const pattern = fc.letrec<{ atom: string; sequence: string; all: string }>((tie) => ({
  atom: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('ab', 'c', 'Foo', ' ', '-', '\\d', '\\b', '.', '[a-c]', '[^x]', '\\.', '#'),
    },
    { weight: 1, arbitrary: tie('all').map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: tie('all').map((inner) => `(?:${inner})`) },
  ),
  sequence: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      parts
        .map(([atom, repeat]) =>
          atom === '\\b' ? atom : atom.length > 2 && !/^[([\\]/u.test(atom) ? atom : `${atom}${repeat}`,
        )
        .join(''),
    ),
  all: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
})).all;

// SPEC TOPIC-2
describe('patterns', () => {
  it('are sifted by texts that stand in everything they match', () => {
    const text = fc.array(fc.constantFrom('ab', 'c', 'foo', 'FOO', ' ', '-', '7', '.', '#', 'x'), { maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (source, parts) => {
        const said = parts.join('');
        const needed = requiredLiterals(source);
        fc.pre(needed !== undefined && RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).test(said));
        expect(needed?.some((literal) => foldForScan(said).includes(literal))).toBe(true);
      }),
      { numRuns: repetitions(120, 600) },
    );
  });

  it.each([
    [String.raw`\b(email|inbox)\b`, ['email', 'inbox']],
    [String.raw`\bINV-\d{4}\b`, ['inv-']],
    ['(passes|green) locally', [' locally']],
    [String.raw`\d+`, undefined],
    ['a|bcd', undefined],
    ['(?i)deploy', undefined],
  ])('%s needs %j', (source, literals) => {
    expect(requiredLiterals(source)).toEqual(literals);
  });

  it('find whatever case is written', () => {
    expect(found(String.raw`\bcve-\d{4}-\d{4,}\b`, 'See CVE-2026-12345 and cve-2025-0001.')).toEqual([
      'CVE-2026-12345',
      'cve-2025-0001',
    ]);
  });

  it('end soon on what makes others run for ever', () => {
    expect(found('(a+)+$', `${'a'.repeat(5000)}b`)).toEqual([]);
  });

  it('keep the alternatives that can be matched in linear time', () => {
    expect(found('outline: ?none|<img (?![^>]*alt=)', 'a { outline:none }')).toEqual(['outline:none']);
  });
});

describe('LiteralScan', () => {
  it('finds exactly the literals that stand in a text', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 40 });
    fc.assert(
      fc.property(words, text, (literals, said) => {
        const distinct = [...new Set(literals)];
        const expected = distinct.filter((literal) => said.includes(literal));
        const found = new LiteralScan(distinct).find(said);
        expect(distinct.filter((_, id) => found.has(id))).toEqual(expected);
      }),
    );
  });
});
