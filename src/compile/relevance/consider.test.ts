import { describe, expect, it } from 'vitest';
import type { Ranked } from '../../retrieve/rank.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { makeStored } from '../../search-index/testing/documents.ts';
import { considerMemories, firstLook, type Consideration, type ConsiderRequest } from './consider.ts';
import type { MeasurePassage } from './evidence.ts';
import { DAY_MS } from '../../model/time.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const TEXT = 'The API listens on port 8443.';

interface Memory extends Partial<Parameters<typeof makeStored>[0]> {
  readonly similarity?: number;
}

function rankedOf({ similarity = 0.6, text = TEXT, ...parts }: Memory = {}, store?: 'semantic'): Ranked {
  const made = makeStored({ text, timeMs: NOW_MS - DAY_MS, ...parts });
  const document = { ...made.document, ...(store === undefined ? {} : { source: 'workspace' as const, store }) };
  const scores = { semantic: 0, lexical: 0, temporal: 0, importance: 0, access: 0 };
  return { passage: { ...made, document }, score: 1, scores, similarity, closeness: undefined, reasons: [] };
}

/** Shares the words of the message as a part of the message's words. */
const measureFor =
  (message: string): MeasurePassage =>
  (passages) => {
    const words = message.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
    const text = passages.map((passage) => passage.text.toLowerCase()).join(' ');
    const matched = words.filter((word) => text.includes(word));
    return { information: matched.length, coverage: matched.length / words.length, matched };
  };

const MESSAGE = 'which port has the API';

function consider(ranked: readonly Ranked[], parts: Partial<ConsiderRequest> = {}): Consideration {
  const { message = MESSAGE } = parts;
  return considerMemories({
    message,
    ranked,
    measure: measureFor(message),
    ownerOf: () => 'none',
    isInProject: false,
    nowMs: NOW_MS,
    size: 2000,
    helps: undefined,
    ...parts,
  });
}

const chanceOf = (memory: Memory, parts: Partial<ConsiderRequest> = {}): number =>
  consider([rankedOf(memory)], parts).memories[0]?.chance ?? 0;

describe.each<[string, ConsiderRequest['helps']]>([
  ['by what is stored', undefined],
  ['once the model has read both', () => 0.4],
])('the chance that a memory helps, %s,', (_name, helps) => {
  const inProject = (owner: 'this' | 'none' | 'other') => ({ helps, isInProject: true, ownerOf: () => owner });

  it('rises with closeness in meaning and with the share of the message it holds', () => {
    expect(chanceOf({ similarity: 0.8 }, { helps })).toBeGreaterThan(chanceOf({ similarity: 0.4 }, { helps }));
    expect(chanceOf({}, { helps })).toBeGreaterThan(chanceOf({ text: 'Rosa repairs old clocks now.' }, { helps }));
  });

  it('rises in its own project and falls in another', () => {
    const [own, none, other] = (['this', 'none', 'other'] as const).map((owner) => chanceOf({}, inProject(owner)));
    expect(own).toBeGreaterThan(none ?? 1);
    expect(none).toBeGreaterThan(other ?? 1);
  });

  it('does not depend on whose a memory is where no project is known', () => {
    const outside = { helps, isInProject: false };
    expect(chanceOf({}, { ...outside, ownerOf: () => 'other' })).toBe(chanceOf({}, outside));
  });

  it('falls with age and with the place in the search', () => {
    expect(chanceOf({ timeMs: NOW_MS - 400 * DAY_MS }, { helps })).toBeLessThan(chanceOf({}, { helps }));
    const found = [rankedOf({ id: 'first' }), rankedOf({ id: 'second', text: 'The API listens on port 8444.' })];
    const { memories } = consider(found, { helps });
    expect(memories.map(({ ranked }) => ranked.passage.id)).toEqual(['first', 'second']);
    expect(memories[0]?.chance).toBeGreaterThan(memories[1]?.chance ?? 1);
  });
});

describe('the model that reads message and memory', () => {
  it('raises and lowers a chance, and can change the order', () => {
    const [left, right] = [rankedOf({ id: 'left' }), rankedOf({ id: 'right', text: 'The API is on port 9.' })];
    const helps = (wanted: string) => (_message: string, memory: string) => (memory.includes(wanted) ? 0.99 : 0.001);
    const best = (wanted: string) => consider([left, right], { helps: helps(wanted) }).memories[0]?.ranked.passage.id;
    expect(best('8443')).toBe('left');
    expect(best('port 9')).toBe('right');
  });

  it('reads only the most likely of what was found, and of a turn who said it on which day', () => {
    const read: string[] = [];
    const helps = (_message: string, memory: string): number => read.push(memory) && 0.5;
    const turn = rankedOf({ id: 'a#t1', turn: 't1', session: 'a', lead: 'Mara', day: '2026-10-01', similarity: 0.9 });
    const line = rankedOf({ id: 'line', text: 'The API moved to port 8444.', similarity: 0.9 }, 'semantic');
    const rest = Array.from({ length: 30 }, (_, at) =>
      rankedOf({ id: `rest-${at}`, similarity: 0.2, text: `Far ${at}` }),
    );
    consider([turn, line, ...rest], { helps });
    expect(read).toHaveLength(8);
    expect(read[0]).toBe('Mara · 2026-10-01: The API listens on port 8443.');
    expect(read[1]).toBe('The API moved to port 8444.');
  });

  it('tells less beside a memory that surely helps, and least in a small home', () => {
    const found = [rankedOf({ id: 'near', similarity: 0.9 }), rankedOf({ id: 'far', similarity: 0.3, text: 'Other.' })];
    const helps = (_message: string, memory: string): number => (memory === TEXT ? 0.99 : 0.1);
    const [small, large] = [10, 5000].map((size) => consider(found, { helps, size }));
    const best = small?.memories[0]?.chance ?? 0;
    expect(small?.leastChance).toBeCloseTo(best * 0.3, 5);
    expect(large?.leastChance).toBeCloseTo(Math.max(0.05, best * 0.1), 5);
  });

  it('is not needed: without it the first look decides', () => {
    const found = [rankedOf({ id: 'near', similarity: 0.8 }), rankedOf({ id: 'far', similarity: 0.3, text: 'Other.' })];
    const { memories, value } = consider(found);
    const looks = firstLook(found, measureFor(MESSAGE));
    expect(memories.map(({ ranked }) => ranked.passage.id)).toEqual(['near', 'far']);
    expect(looks.get(found[0] as Ranked)).toBeGreaterThan(looks.get(found[1] as Ranked) ?? 1);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(1);
  });
});

describe('the chance that a message needs anything', () => {
  const valueOf = (similarity: number, help: number, message = MESSAGE): number =>
    consider([rankedOf({ similarity })], { helps: () => help, message }).value;

  it('rises with what the best memory says to it', () => {
    expect(valueOf(0.8, 0.9)).toBeGreaterThan(valueOf(0.4, 0.9));
    expect(valueOf(0.6, 0.9)).toBeGreaterThan(valueOf(0.6, 0.01));
    expect(valueOf(0.6, 0.9)).toBeGreaterThan(valueOf(0.6, 0.9, 'what shall we bake for the party'));
  });

  it('is the sum of the parts it names', () => {
    const { value, parts } = consider([rankedOf()], { helps: () => 0.5 });
    const sum = parts.reduce((total, { weight }) => total + weight, 0);
    expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(value, 10);
    expect(parts.map(({ name }) => name)).toContain('close in meaning');
  });

  it('is next to nothing where nothing was found', () => {
    const { value, memories } = consider([]);
    expect(memories).toEqual([]);
    expect(value).toBeLessThan(0.01);
  });
});

describe('a statement and the turn it was learned from', () => {
  const from = { session: 'ses_1', turn: 't4' };
  const line: StoredPassage['id'] = 'aaaaaaaaaaaaa';

  it('are one memory: the likelier of the two is told', () => {
    const turn = rankedOf({ id: 'ses_1#t4', similarity: 0.5, ...from });
    const learned = rankedOf({ id: line, similarity: 0.8, ...from }, 'semantic');
    const other = rankedOf({ id: 'ses_1#t5', session: 'ses_1', turn: 't5', text: 'The queue is on port 8444.' });
    const { memories } = consider([turn, learned, other]);
    expect(memories.map(({ ranked }) => ranked.passage.id)).toEqual([line, 'ses_1#t5']);
  });

  it('are one as well where nobody knows the turn and the words are the same: the longer one is told', () => {
    const [short, long] = ['The API is called Heron', 'The API is called Heron and its disk is full'];
    const found = [
      rankedOf({ id: 'short', text: short }, 'semantic'),
      rankedOf({ id: 'long', text: long }, 'semantic'),
    ];
    const { memories } = consider(found);
    expect(memories.map(({ ranked }) => ranked.passage.id)).toEqual(['long']);
    expect(memories[0]?.chance).toBe(consider(found.slice(0, 1)).memories[0]?.chance);
  });

  it('are two where they say something else', () => {
    const other = rankedOf({ id: 'two', text: 'The queue moved to another host.' }, 'semantic');
    expect(consider([rankedOf({ id: 'one' }, 'semantic'), other]).memories).toHaveLength(2);
  });
});
