import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../model/config/schema.ts';
import { decide } from './topics.ts';
import { sightingOf, topicOf } from './testing/topics.ts';
import type { Sighting } from './watchers.ts';

const config = defaultConfig();

type Words = 'as written' | 'misspelt' | 'absent';
const MESSAGES: Readonly<Record<Words, string>> = {
  'as written': 'roll out the release',
  misspelt: 'roll out the relaese',
  absent: 'ship it',
};

/** A sighting of a topic whose keyword the message has, misspells or lacks, at a score of our choice. */
function sighting(frontmatter: string, words: Words, score: number): Sighting {
  const topic = topicOf('deploy', `triggers:\n  - {type: keywords, match: [roll out the release]}\n${frontmatter}`);
  return sightingOf(topic, MESSAGES[words], score);
}

const outcome = (frontmatter: string, words: Words, score: number, settings = config): string =>
  decide(sighting(frontmatter, words, score), settings).outcome;

describe('a trigger that the user wrote', () => {
  it.each(['critical', 'high', 'medium', 'low'])(
    'activates a topic of %s priority, whatever tier 2 says',
    (priority) => {
      expect(outcome(`priority: ${priority}`, 'as written', 0)).toBe('activate');
      expect(outcome(`priority: ${priority}\nactivation: auto\nsimilarity_threshold: 0.4`, 'as written', 0)).toBe(
        'activate',
      );
    },
  );

  it.each([
    ['{type: pattern, match: "ticket [A-Z]+-[0-9]+"}', 'what about ticket OPS-12?'],
    ['{type: sentiment, match: negative}', 'I hate this, it is awful'],
    ['{type: language, match: german}', 'Das ist nicht die richtige Datei und ich weiß auch nicht warum'],
  ])('activates by %s', (trigger, text) => {
    const topic = topicOf('own', `triggers:\n  - ${trigger}`);
    expect(decide(sightingOf(topic, text, 0), config).outcome).toBe('activate');
  });

  it.each(['keywords', 'mention'])('activates by a single word: %s', (type) => {
    const topic = topicOf('own', `triggers:\n  - {type: ${type}, match: [Heron]}`);
    expect(decide(sightingOf(topic, 'is Heron up again', 0), config).outcome).toBe('activate');
  });

  it('never activates a manual topic', () => {
    expect(outcome('activation: manual', 'as written', 1)).toBe('drop');
    expect(outcome('activation: manual\npriority: critical', 'as written', 1)).toBe('drop');
  });
});

describe('whether the gate is asked (S0 §5.2, §5.4)', () => {
  it.each([
    ['critical', 'misspelt', 0, 'activate'],
    ['high', 'misspelt', 0.3, 'activate'],
    ['high', 'misspelt', 0.29, 'ask'],
    ['medium', 'misspelt', 0.2, 'ask'],
    ['medium', 'misspelt', 0.19, 'drop'],
    ['low', 'misspelt', 0.3, 'ask'],
    ['low', 'misspelt', 0.29, 'drop'],
    ['critical', 'absent', 0.9, 'ask'],
    ['critical', 'absent', 0.1, 'drop'],
  ] as const)('%s, keyword %s, score %d: %s', (priority, words, score, expected) => {
    expect(outcome(`priority: ${priority}`, words, score)).toBe(expected);
  });

  it('skips the gate for auto topics', () => {
    expect(outcome('activation: auto', 'absent', 0.15)).toBe('activate');
    expect(outcome('activation: auto', 'absent', 0.14)).toBe('drop');
    expect(outcome('activation: auto\nsimilarity_threshold: 0.4', 'absent', 0.39)).toBe('drop');
    expect(outcome('activation: auto\npriority: critical', 'absent', 0)).toBe('drop');
  });
});
