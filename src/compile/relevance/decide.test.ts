import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { decideRelevance } from './decide.ts';
import type { MessageEvidence } from './evidence.ts';
import { readWording, type Wording } from './wording.ts';

const threshold = defaultConfig().context.min_relevance;
const plain = readWording('the vendor');

function evidence(parts: Partial<MessageEvidence> = {}): MessageEvidence {
  const matched = ['vendor', 'sms', 'retri'];
  const found = { information: 1.8, coverage: 0.6, similarity: 0.88, matched };
  return { ...found, tellingTerms: 5, size: 500, namesKnown: false, ...parts };
}

function valueOf(parts: Partial<MessageEvidence> = {}, wording: Partial<Wording> = {}, isAsked = false): number {
  return decideRelevance(evidence(parts), { ...plain, ...wording }, isAsked).value;
}

describe('decideRelevance', () => {
  it('lets strong evidence through and stops a message that has nothing in common with the memory', () => {
    expect(valueOf()).toBeGreaterThan(threshold);
    expect(valueOf({ information: 0.2, coverage: 0.1, similarity: 0.8, matched: ['new'] })).toBeLessThan(threshold);
  });

  it('grows with every kind of evidence', () => {
    expect(valueOf({ information: 2.5 })).toBeGreaterThan(valueOf());
    expect(valueOf({ coverage: 0.9 })).toBeGreaterThan(valueOf());
    expect(valueOf({ similarity: 0.95 })).toBeGreaterThan(valueOf());
    expect(valueOf({ namesKnown: true })).toBeGreaterThan(valueOf());
    expect(valueOf({}, { isShared: true })).toBeGreaterThan(valueOf());
  });

  it('wants more where the wording needs no memory', () => {
    for (const mark of [
      'isAtHand',
      'isEdit',
      'isGeneral',
      'isSelfContained',
      'isSmallTalk',
      'isMachineText',
    ] as const) {
      expect(valueOf({}, { [mark]: true })).toBeLessThan(valueOf());
    }
  });

  it('does without a model that gives similarities', () => {
    expect(valueOf({ similarity: undefined, information: 2.5, coverage: 0.9 })).toBeGreaterThan(threshold);
  });

  it('believes two words in a small memory that it would not believe in a large one', () => {
    const few = { tellingTerms: 2, matched: ['heron', 'server'], coverage: 1, similarity: 0.8 };
    expect(valueOf({ ...few, size: 5 })).toBeGreaterThan(threshold);
    expect(valueOf({ ...few, size: 5 })).toBeGreaterThan(valueOf({ ...few, size: 5000 }));
  });

  it('is surer when somebody asked, and its parts add up', () => {
    expect(valueOf({}, {}, true)).toBeGreaterThan(valueOf());
    const { value, parts } = decideRelevance(evidence(), plain, true);
    const sum = parts.reduce((total, { weight }) => total + weight, 0);
    expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(value, 2);
    expect(parts.map(({ name }) => name)).toContain('asked for');
  });
});
