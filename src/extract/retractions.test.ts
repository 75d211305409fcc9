import { describe, expect, it } from 'vitest';
import type { Belief } from './beliefs.ts';
import type { Finding } from './extractors.ts';
import type { HeardTurn } from '../reasoner/port.ts';
import { findNamed, findRetractions, withRetractions } from './retractions.ts';

const turn = (text: string, given: Partial<HeardTurn> = {}): HeardTurn => ({
  id: 't1',
  role: 'user',
  trust: 'user',
  timeMs: 10,
  text,
  ...given,
});
const heard = (...turns: readonly HeardTurn[]) => ({ session: 's', timeZone: 'UTC', turns });
const belief = (id: string, text: string, given: Partial<Belief> = {}): Belief => ({
  id,
  path: 'p.md',
  text,
  trust: 'user',
  sinceMs: 1,
  evidence: [],
  sort: 'decision',
  ...given,
});

describe('what a conversation takes back', () => {
  it('is found in the speakers’ own words', () => {
    const found = findRetractions(heard(turn("Thanks. We won't use Kafka after all.")), undefined);
    expect(found).toMatchObject([{ candidate: { retracts: 'use Kafka', trust: 'user', evidence: { turns: ['t1'] } } }]);
  });

  it.each([
    turn('> Forget what I said about Kafka.'),
    turn('```\nForget what I said about Kafka.\n```'),
    turn('Forget what I said about Kafka.', { role: 'tool', trust: 'tool' }),
  ])('is none in what is quoted or comes from a program', (quoted) => {
    expect(findRetractions(heard(quoted), undefined)).toEqual([]);
  });

  it('is not looked for in turns that were processed', () => {
    const turns = [turn('Forget what I said about Kafka.'), turn('Fine.', { id: 't2' })];
    expect(findRetractions(heard(...turns), 't2')).toEqual([]);
  });

  it('is one finding with the statement made of the same sentence', () => {
    const [taken] = findRetractions(heard(turn("We won't use Kafka after all.")), undefined) as [Finding];
    const kept: Finding = {
      ...taken,
      extractor: 'decisions@1',
      candidate: { ...taken.candidate, statement: 'The team does not use Kafka.', retracts: taken.candidate.statement },
    };
    expect(withRetractions([kept], [taken])).toMatchObject([
      { extractor: 'decisions@1', candidate: { retracts: 'use Kafka' } },
    ]);
    expect(withRetractions([kept], [])[0]?.candidate.retracts).toBeUndefined();
    expect(withRetractions([], [taken])).toEqual([taken]);
  });
});

describe('the belief that words name', () => {
  const kafka = belief('a', 'The team uses Kafka for the event pipeline.');
  const fact = belief('b', 'Kafka runs on three nodes.', { sort: 'fact', sinceMs: 5 });
  const later = belief('c', 'Kafka replaces RabbitMQ in billing.', { sinceMs: 7 });

  it('is the latest decision that says all of them', () => {
    expect(findNamed('use Kafka', [kafka, fact, later], 10)?.id).toBe('c');
    expect(findNamed('use Kafka for the event pipeline', [kafka, fact, later], 10)?.id).toBe('a');
    expect(findNamed('Kafka', [fact], 10)?.id).toBe('b');
  });

  it('is none where a word is missing, or it was said later', () => {
    expect(findNamed('Kafka in Lisbon', [kafka, fact, later], 10)).toBeUndefined();
    expect(findNamed('Kafka', [kafka], 0)).toBeUndefined();
    expect(findNamed('that', [kafka], 10)).toBeUndefined();
  });
});
