import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { type ForgettingRules, findCandidates, gcScore, whyGarbage, whyKept } from './candidates.ts';
import type { SurveyedMemory } from './memory.ts';
import { applyStrategy, forgettingScore, STRATEGIES, type Strategy } from './strategies.ts';
import { DAY_MS } from '../../model/time.ts';

const config = defaultConfig();
const nowMs = Date.UTC(2026, 5, 1);
const rules: ForgettingRules = config;

function memory(id: string, parts: Partial<SurveyedMemory> & { readonly days?: number } = {}): SurveyedMemory {
  const { days = 0, ...rest } = parts;
  return {
    id,
    path: 'memory/episodes/2026-01-01.md',
    kind: 'item',
    store: 'episodic',
    scope: 'shared',
    source: 'conversation',
    type: 'note',
    createdMs: nowMs - days * DAY_MS,
    importance: 0.5,
    confidence: undefined,
    isPinned: false,
    use: undefined,
    relevance: 0.3,
    status: 'fading',
    text: id,
    ...rest,
  };
}

const used = (count: number, days: number): SurveyedMemory['use'] => ({ count, lastMs: nowMs - days * DAY_MS });

// SPEC FADE-3
describe('the collector', () => {
  it('weighs age, use and importance as S3 says', () => {
    expect(gcScore(memory('new', { importance: 0 }), nowMs).score).toBeCloseTo(0.3);
    expect(gcScore(memory('week', { days: 7, importance: 0 }), nowMs).score).toBeCloseTo(0.15);
    expect(gcScore(memory('old', { days: 700, importance: 1 }), nowMs).score).toBeCloseTo(0.3);
    expect(gcScore(memory('used', { days: 700, importance: 0, use: used(1, 1) }), nowMs).score).toBeCloseTo(0.2);
  });

  it('finds only what is old enough and scores low enough', () => {
    expect(whyGarbage(memory('a', { days: 30 }), nowMs)).toBeUndefined();
    expect(whyGarbage(memory('b', { days: 31 }), nowMs)).toContain('31 days');
    expect(whyGarbage(memory('c', { days: 31, importance: 0.68 }), nowMs)).toBeUndefined();
    expect(whyGarbage(memory('d', { days: 31, use: used(1, 20) }), nowMs)).toBeUndefined();
  });
});

describe('what could be put away', () => {
  it.each<[string, Partial<SurveyedMemory>, RegExp]>([
    ['pinned', { isPinned: true }, /pinned/u],
    ['important', { importance: 0.7 }, /important/u],
    ['a note of somebody', { store: 'reference' }, /reference/u],
    ['of the vault', { store: 'vault' }, /vault/u],
    ['a procedure', { store: 'procedural' }, /procedural/u],
    ['a relation', { store: 'semantic', type: 'relation' }, /relation/u],
    ['a decision', { store: 'semantic', type: 'decision' }, /decision/u],
    ['what the user asked to remember', { store: 'semantic', type: 'fact', source: 'user-explicit' }, /asked/u],
  ])('is never what is %s', (_what, parts, why) => {
    const kept = memory('a', { days: 900, status: 'faint', relevance: 0, ...parts });
    expect(whyKept(kept)).toMatch(why);
    expect(findCandidates([kept], nowMs, rules)).toEqual([]);
  });

  it('is what no longer holds once it has faded, however important it was', () => {
    const ended = { store: 'semantic', type: 'superseded', importance: 0.9, source: 'user-explicit' } as const;
    const faded = memory('a', { days: 900, status: 'faint', relevance: 0, ...ended });
    expect(findCandidates([faded], nowMs, rules)).toMatchObject([{ memory: { id: 'a' } }]);
    expect(
      findCandidates([memory('b', { days: 60, status: 'dormant', relevance: 0.1, ...ended })], nowMs, rules),
    ).toEqual([]);
  });

  it('is a task only once it has faded', () => {
    const task = { store: 'semantic', type: 'task', importance: 0.3 } as const;
    expect(
      findCandidates([memory('a', { days: 60, status: 'dormant', relevance: 0.1, ...task })], nowMs, rules),
    ).toEqual([]);
    expect(
      findCandidates([memory('b', { days: 300, status: 'faint', relevance: 0, ...task })], nowMs, rules),
    ).toHaveLength(1);
  });

  it('is a day of the journal, never the week or the month that condenses it', () => {
    const page = (id: string) =>
      memory(id, { days: 900, status: 'faint', store: 'journal', kind: 'file', path: `memory/journal/${id}.md` });
    const found = findCandidates(['2026-02-03', 'weekly/2026-W06', 'monthly/2026-02'].map(page), nowMs, rules);
    expect(found.map(({ memory: { id } }) => id)).toEqual(['2026-02-03']);
    expect(whyKept(page('weekly/2026-W06'))).toMatch(/condenses/u);
  });

  it('is what is faint, garbage or over its age, the least relevant first', () => {
    const found = findCandidates(
      [
        memory('fresh'),
        memory('new', { days: 29, importance: 0.1, relevance: 0.01, status: 'faint' }),
        memory('rule', { days: 900, importance: 0.1, status: 'faint', store: 'semantic', isStanding: true }),
        memory('low', { days: 31, importance: 0.2, relevance: 0.4 }),
        memory('garbage', { days: 40, relevance: 0.2 }),
        memory('faint', { days: 200, relevance: 0.01, status: 'faint', store: 'core' }),
        memory('fading core', { days: 60, store: 'core' }),
        memory('diary', { days: 91, store: 'journal', kind: 'file', use: used(9, 1) }),
      ],
      nowMs,
      rules,
    );
    expect(found.map(({ memory: { id }, reason }) => [id, reason.split(/[:;]/u)[0]])).toEqual([
      ['faint', 'faint'],
      ['garbage', 'old, unused and not important'],
      ['diary', '91 days old'],
      ['low', '31 days old'],
    ]);
  });
});

describe('the four strategies', () => {
  const memories = [
    memory('young', { days: 3, importance: 0.1 }),
    memory('old', { days: 120 }),
    memory('trifle', { days: 40, importance: 0.1, use: used(3, 35) }),
    memory('trifle of today', { days: 40, importance: 0.1, use: used(1, 0) }),
    memory('pinned', { days: 900, importance: 0, isPinned: true, status: 'faint' }),
  ];
  const likeness = new Map([
    ['old', 0.4],
    ['trifle', 0.1],
  ]);
  const apply = (strategy: Strategy): string[] =>
    applyStrategy(strategy, memories, { ...rules, nowMs, likenessOf: ({ id }) => likeness.get(id) }).map(
      (candidate) => candidate.memory.id,
    );

  it.each<[Strategy, string[]]>([
    ['age', ['old', 'trifle', 'trifle of today']],
    ['importance', ['trifle']],
    ['access', ['old']],
    ['relevance', ['trifle']],
  ])('%s takes %j', (strategy, ids) => {
    expect(apply(strategy)).toEqual(ids);
  });

  it('never take what is pinned', () => {
    for (const strategy of STRATEGIES) expect(apply(strategy)).not.toContain('pinned');
  });

  it('score as S1 does', () => {
    expect(forgettingScore(memory('a', { days: 60 }), nowMs)).toBeCloseTo(30.5);
    expect(forgettingScore(memory('b', { days: 60, use: used(60, 60) }), nowMs)).toBeCloseTo(30.25);
  });
});
