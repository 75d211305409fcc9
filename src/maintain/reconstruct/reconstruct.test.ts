import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { compareItems, countByExtractor, isAnswered, mergeItems, parseProbes, probesFrom } from './compare-items.ts';
import { derivedItems, withoutItems, type DerivedRule } from './derived-items.ts';

const FILE = 'memory/graph/entities/person--vera.md';
const RULE: DerivedRule = {
  isChosen: (name) => name === 'facts' || name === 'people',
  touched: new Set(['touched000001']),
};

const bullet = (text: string, id: string, meta = 'source:auto extractor:facts@1'): string =>
  `- ${text} <!-- ${meta} --> ^${id}`;
const file = (...lines: string[]): string =>
  ['---', 'id: person--vera', 'type: person', 'name: Vera', '---', '', '# Vera', '', '## Facts', '', ...lines, ''].join(
    '\n',
  );

const NOW = file(
  bullet('Vera lives in Graz.', 'fact000000001', 'source:auto extractor:facts@1 attribute:residence value:Graz'),
  bullet('Vera likes tea.', 'fact000000002'),
  bullet('Vera sails.', 'fact000000003', 'source:user-explicit extractor:facts@1'),
  bullet('Vera cooks.', 'touched000001'),
  bullet('Vera paints.', 'fact000000005', 'source:auto extractor:facts@1 pinned:true'),
  bullet('Vera decided to move.', 'fact000000006', 'source:auto extractor:decisions@1'),
  '- Vera has a dog. ^hand000000001',
);

// SPEC NIGHT-5
describe('what extractors are to find again', () => {
  it('is only what they found, and never a person’s words, wishes or pins', () => {
    const found = derivedItems(FILE, NOW, 'entity', RULE);
    expect(found.map(({ id }) => id)).toEqual(['fact000000001', 'fact000000002']);
    expect(found[0]).toMatchObject({ extractor: 'facts', section: 'Facts', text: 'Vera lives in Graz.' });
  });

  it('is taken out to the line', () => {
    const rest = withoutItems(FILE, NOW, 'entity', ['fact000000002', 'nowhere000001']);
    expect(rest).toBe(
      NOW.split('\n')
        .filter((line) => !line.includes('fact000000002'))
        .join('\n'),
    );
  });
});

describe('taking over what was found', () => {
  const then = file(bullet('Vera lives in  Graz', 'new0000000001'), bullet('Vera likes coffee.', 'new0000000002'));
  const before = derivedItems(FILE, NOW, 'entity', RULE);
  const after = derivedItems(FILE, then, 'entity', RULE);
  const comparison = compareItems(before, after);

  it('tells the same from the new and the gone', () => {
    expect(comparison.same.map((pair) => [pair.before.id, pair.after.id])).toEqual([
      ['fact000000001', 'new0000000001'],
    ]);
    expect(comparison.gone.map(({ id }) => id)).toEqual(['fact000000002']);
    expect(comparison.added.map(({ id }) => id)).toEqual(['new0000000002']);
    expect(countByExtractor(before, after)).toEqual({ facts: { before: 2, after: 2 } });
  });

  it('leaves the same under its id, and everything else to the byte', () => {
    const sources = { layout: HOME_LAYOUT, readNow: () => NOW, readThen: () => then };
    const [merged] = mergeItems(comparison, sources);
    const expected = NOW.replace(`${bullet('Vera likes tea.', 'fact000000002')}\n`, '');
    expect(merged?.after).toBe(`${expected}${bullet('Vera likes coffee.', 'new0000000002')}\n`);
  });

  it('takes a file that is new as it is', () => {
    const all = { same: [], gone: [], added: after };
    const sources = { layout: HOME_LAYOUT, readNow: () => undefined, readThen: () => then };
    expect(mergeItems(all, sources)).toEqual([{ path: FILE, before: undefined, after: then }]);
  });

  it('pairs each statement once, whatever is said how often', () => {
    const said = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    const items = (texts: readonly string[]): ReturnType<typeof derivedItems> =>
      derivedItems(
        FILE,
        file(...texts.map((text, at) => bullet(`Vera ${text}.`, `fact00000000${at}`))),
        'entity',
        RULE,
      );
    fc.assert(
      fc.property(said, said, (one, other) => {
        const { same, gone, added } = compareItems(items(one), items(other));
        expect(same.length + gone.length).toBe(one.length);
        expect(same.length + added.length).toBe(other.length);
        expect(new Set(same.map((pair) => pair.before.id)).size).toBe(same.length);
      }),
    );
  });
});

describe('probes', () => {
  it('are read a line each, and a bad one is named', () => {
    const text = '{"question":"Where?","expect":"Graz"}\n\n{"question":"Who?","expect":["Vera","Graz"]}\n';
    expect(parseProbes(text, 'p.jsonl')).toEqual([
      { question: 'Where?', expect: ['Graz'] },
      { question: 'Who?', expect: ['Vera', 'Graz'] },
    ]);
    expect(() => parseProbes(`${text}nonsense`, 'p.jsonl')).toThrow('p.jsonl:4 is no probe');
  });

  it('are made of properties', () => {
    const probes = probesFrom(derivedItems(FILE, NOW, 'entity', RULE), () => 'Vera');
    expect(probes).toEqual([{ question: 'What is the residence of Vera?', expect: ['Graz'] }]);
    expect(isAnswered({ question: '', expect: ['graz', 'VERA'] }, ['x', 'Vera: Graz'])).toBe(true);
    expect(isAnswered({ question: '', expect: ['Graz', 'Vera'] }, ['Graz', 'Vera'])).toBe(false);
  });
});
