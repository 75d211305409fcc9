import { describe, expect, it } from 'vitest';
import type { Candidate } from '../model/knowledge.ts';
import type { Comparison } from '../reasoner/port.ts';
import { decideConfirmation, decideEffect, decideRetraction, type Belief, type Meeting } from './beliefs.ts';
import { DAY_MS } from '../model/time.ts';

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

// SPEC LEARN-2, LEARN-10
describe('what a statement does to what is believed', () => {
  it('adds what is new', () => {
    expect(decideEffect(candidate(), [meeting('different')])).toEqual({ type: 'add', related: [] });
  });

  it('confirms only what has the same words, whatever a comparison says', () => {
    const { belief } = meeting('different');
    expect(decideConfirmation(candidate({ statement: 'ines lives in Munich' }), [belief])).toMatchObject({
      type: 'reinforce',
    });
    expect(decideConfirmation(candidate(), [belief])).toBeUndefined();
    expect(decideEffect(candidate(), [meeting('same')])).toMatchObject({ type: 'add', related: [belief] });
  });

  it('does nothing when the same turn said it before', () => {
    const { belief } = meeting('same', { text: 'Ines lives in Berlin', evidence: ['ses_b#t3'] });
    expect(decideConfirmation(candidate(), [belief])).toMatchObject({ type: 'skip' });
  });

  it.each(['refines', 'contradicts'] as const)('stays beside what it %s', (verdict) => {
    expect(decideEffect(candidate(), [meeting(verdict)])).toMatchObject({
      type: 'add',
      related: [{ id: 'munich0000000' }],
    });
  });

  it('lets the user replace what was said before', () => {
    expect(decideEffect(candidate(), [meeting('replaces')])).toMatchObject({
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
    expect(decideRetraction(off, { ...belief, sort: 'entry' })).toMatchObject({ type: 'retract' });
    expect(decideRetraction(off, { ...belief, sort: 'procedure' })).toMatchObject({ type: 'add' });
  });
});
