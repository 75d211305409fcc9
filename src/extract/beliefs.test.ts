import { describe, expect, it } from 'vitest';
import type { Candidate } from '../model/knowledge.ts';
import type { Comparison } from '../reasoner/port.ts';
import { decideEffect, decideRetraction, type Belief, type Meeting } from './beliefs.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 2, 10);

function candidate(given: Partial<Candidate> = {}): Candidate {
  return {
    kind: 'fact',
    statement: 'Ines lives in Berlin.',
    evidence: { session: 'ses_b', turns: ['t3'], quote: 'I moved to Berlin' },
    trust: 'user',
    saidMs: NOW_MS,
    confidence: 'high',
    importance: 0.6,
    entities: [],
    relations: [],
    tags: [],
    isCoreWorthy: false,
    ...given,
  };
}

function meeting(verdict: Comparison['verdict'], given: Partial<Belief> = {}): Meeting {
  const belief: Belief = {
    id: 'munich0000000',
    path: 'memory/graph/entities/person--ines.md',
    text: 'Ines lives in Munich.',
    trust: 'user',
    sinceMs: NOW_MS - 30 * DAY_MS,
    evidence: ['ses_a#t1'],
    sort: 'fact',
    ...given,
  };
  return { belief, comparison: { verdict, reason: 'another value of residence' } };
}

describe('what a statement does to what is believed', () => {
  it('adds what is new', () => {
    expect(decideEffect(candidate(), [meeting('different')])).toEqual({ type: 'add', related: [] });
  });

  it('takes the place of what it says more of, from as good a source', () => {
    expect(decideEffect(candidate(), [meeting('refines')])).toMatchObject({
      type: 'supersede',
      beliefs: [{ id: 'munich0000000' }],
    });
    const others = [
      [candidate({ trust: 'agent' }), meeting('refines')],
      [candidate(), meeting('refines', { sort: 'entry' })],
      [candidate(), meeting('refines', { sinceMs: NOW_MS + DAY_MS })],
    ] as const;
    for (const [said, met] of others) {
      expect(decideEffect(said, [met])).toMatchObject({ type: 'add', related: [{ id: 'munich0000000' }] });
    }
  });

  it('confirms what is known', () => {
    expect(decideEffect(candidate(), [meeting('same')])).toMatchObject({ type: 'reinforce' });
  });

  it('does nothing when the same turn said it before', () => {
    expect(decideEffect(candidate(), [meeting('same', { evidence: ['ses_b#t3'] })])).toMatchObject({ type: 'skip' });
  });

  it.each(['replaces', 'contradicts'] as const)('lets the user have the last word (%s)', (verdict) => {
    expect(decideEffect(candidate(), [meeting(verdict)])).toMatchObject({
      type: 'supersede',
      beliefs: [{ id: 'munich0000000' }],
    });
  });

  it.each(['agent', 'tool', 'import', 'external'] as const)('asks a person when %s contradicts', (trust) => {
    expect(decideEffect(candidate({ trust }), [meeting('replaces')])).toMatchObject({ type: 'propose' });
  });

  it('never lets an older statement replace a newer one', () => {
    const newer = meeting('replaces', { sinceMs: NOW_MS + DAY_MS });
    expect(decideEffect(candidate(), [newer])).toMatchObject({ type: 'add-past', before: { id: 'munich0000000' } });
    expect(decideEffect(candidate({ trust: 'agent' }), [newer])).toMatchObject({ type: 'skip' });
  });

  it('takes back what the user retracts, and asks when anybody else does', () => {
    const off = candidate({ retracts: 'move to Munich' });
    const { belief } = meeting('same');
    expect(decideRetraction(off, belief)).toMatchObject({ type: 'retract', beliefs: [{ id: 'munich0000000' }] });
    expect(decideRetraction({ ...off, trust: 'tool' }, belief)).toMatchObject({ type: 'propose', would: 'retract' });
    expect(decideRetraction(off, { ...belief, sort: 'entry' })).toMatchObject({ type: 'add' });
  });
});
