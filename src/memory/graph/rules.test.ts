import { describe, expect, test } from 'vitest';
import { parseOntology } from '../../workspace/formats/relations.ts';
import { RELATIONS_TEMPLATE } from '../../workspace/formats/relations-template.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { inferFrom, parseRules } from './rules.ts';
import { type Triple, findCycles } from './triples.ts';

const ontology = parseOntology(parseDocument(RELATIONS_TEMPLATE));
const rules = parseRules(parseDocument(RELATIONS_TEMPLATE));

function triple(words: string, trust: 'user' | 'external' = 'user'): Triple {
  const [from = '', relation = '', to = ''] = words.split(' ');
  const edge = {
    id: words,
    path: from,
    line: 1,
    relation,
    target: to,
    isSuperseded: false,
    meta: {},
    source: 'user-explicit',
    trust,
    premises: [],
    said: [],
  } as const;
  return { from, relation, to, edge };
}

function concluded(...triples: readonly Triple[]): string[] {
  const { inferences } = inferFrom(triples, ontology, rules, { max: 100 });
  return inferences.map(
    ({ from, relation, to, premises }) => `${from} ${relation} ${to} <= ${premises.map(({ id }) => id).join(', ')}`,
  );
}

// SPEC TRUST-3, GRAPH-3
describe('what follows', () => {
  test('a transitive relation reaches on, step by step, with its premises in order', () => {
    expect(concluded(triple('a part-of b'), triple('b part-of c'), triple('c part-of d'))).toEqual([
      'a part-of c <= a part-of b, b part-of c',
      'b part-of d <= b part-of c, c part-of d',
      'a part-of d <= a part-of b, b part-of c, c part-of d',
    ]);
  });

  test('a rule joins two relations', () => {
    expect(concluded(triple('vera works-for lab'), triple('lab part-of acme'))).toEqual([
      'vera works-for acme <= vera works-for lab, lab part-of acme',
    ]);
  });

  test.each([
    ['what is written already', [triple('a part-of b'), triple('b part-of c'), triple('a part-of c')]],
    ['itself, from a circle', [triple('a part-of b'), triple('b part-of a')]],
    ['from relations that do not reach on', [triple('a knows b'), triple('b knows c')]],
  ])('never %s', (_what, triples) => {
    expect(concluded(...triples)).toEqual([]);
  });

  test('nobody said it: it is at most an agent’s word, and never more trusted than a premise', () => {
    const both = [triple('a part-of b'), triple('b part-of c')];
    const [own] = inferFrom(both, ontology, rules, { max: 1 }).inferences;
    expect(own?.trust).toBe('agent');
    const told = [triple('a part-of b', 'external'), triple('b part-of c')];
    const [foreign] = inferFrom(told, ontology, rules, { max: 1 }).inferences;
    expect(foreign?.trust).toBe('external');
  });

  test('more than asked for is cut off and said', () => {
    const chain = Array.from({ length: 10 }, (_, at) => triple(`n${at} part-of n${at + 1}`));
    const { inferences, isCut } = inferFrom(chain, ontology, rules, { max: 5 });
    expect([inferences.length, isCut]).toEqual([5, true]);
  });
});

test('rules are read from bullets, with or without words behind them', () => {
  const text = '- `a` + `b` → `c`: why\n- `a` + `b` => `d`\n- `plain` — any → any\n- `x` + y → `z`\n';
  expect(parseRules(parseDocument(text))).toEqual([
    { first: 'a', second: 'b', gives: 'c' },
    { first: 'a', second: 'b', gives: 'd' },
  ]);
});

describe('circles', () => {
  const around = (...words: readonly string[]): string[][] =>
    findCycles(words.map((word) => triple(word))).map((cycle) => cycle.map(({ from }) => from));

  test('one for each knot, from the first by name', () => {
    expect(around('b p c', 'c p a', 'a p b', 'a p x', 'y p a')).toEqual([['a', 'b', 'c']]);
    expect(around('a p b', 'b p a', 'c p d', 'd p c')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('none where every way ends', () => {
    expect(around('a p b', 'b p c', 'a p c', 'd p a')).toEqual([]);
  });
});
