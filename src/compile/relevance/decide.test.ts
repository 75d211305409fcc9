import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { decideRelevance } from './decide.ts';
import type { MessageEvidence } from './evidence.ts';
import { readWording, type Wording } from './wording.ts';

const threshold = defaultConfig().context.min_relevance;
const plain = readWording('which number of retries did the vendor accept for messages');

function evidence(parts: Partial<MessageEvidence> = {}): MessageEvidence {
  const matched = ['vendor', 'sms', 'retri'];
  const found = { information: 1.8, coverage: 0.6, coverageAlone: 0.5, similarity: 0.88, matched };
  return { ...found, tellingTerms: 5, unheard: 0, size: 500, names: [], isForeign: false, ...parts };
}

function valueOf(parts: Partial<MessageEvidence> = {}, wording: Partial<Wording> = {}, isAsked = false): number {
  return decideRelevance(evidence(parts), { ...plain, ...wording }, isAsked).value;
}

describe('decideRelevance', () => {
  it('lets strong evidence through and stops a message that has nothing in common with the memory', () => {
    expect(valueOf()).toBeGreaterThan(threshold);
    expect(valueOf({ coverage: 0.1, similarity: 0.8, unheard: 0.6 })).toBeLessThan(threshold);
  });

  it('grows with every kind of evidence', () => {
    expect(valueOf({ coverage: 0.9 })).toBeGreaterThan(valueOf());
    expect(valueOf({ similarity: 0.95 })).toBeGreaterThan(valueOf());
    expect(valueOf({ unheard: 0.5 })).toBeLessThan(valueOf());
    expect(valueOf({}, { ownThings: plain.ownThings + 1 })).toBeGreaterThan(valueOf());
  });

  it('wants more where the wording needs no memory', () => {
    for (const mark of ['isSelfContained', 'isSmallTalk'] as const) {
      expect(valueOf({}, { [mark]: true })).toBeLessThan(valueOf());
    }
    expect(valueOf({}, { generalSigns: 1 })).toBeLessThan(valueOf());
  });

  it('takes a question about a known name for no general one', () => {
    const asks = { subject: 'vroom' };
    expect(valueOf({ names: ['vroom'] }, asks)).toBeGreaterThan(valueOf({}, asks));
  });

  it('believes few words when they are all there is and stand in one place', () => {
    const brief = { ...readWording('drum lesson time'), isQuestion: true };
    const together = { coverage: 1, coverageAlone: 1, tellingTerms: 2 };
    expect(valueOf(together, brief)).toBeGreaterThan(valueOf({ ...together, coverageAlone: 0.4 }, brief));
  });

  it('does without a model that gives similarities, and without one that knows the language', () => {
    expect(valueOf({ similarity: undefined, coverage: 0.9 })).toBeGreaterThan(threshold);
    expect(valueOf({ similarity: 0.95, isForeign: true })).toBe(valueOf({ similarity: 0.7, isForeign: true }));
  });

  it('believes two words in a small memory that it would not believe in a large one', () => {
    const few = { tellingTerms: 2, coverage: 1, similarity: 0.86 };
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
