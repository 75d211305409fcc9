import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../model/config/schema.ts';
import { decide } from './decide.ts';
import { PLAIN_SENSES, topicOf } from './testing/topics.ts';
import { WordVectors } from './tier2/word-vectors.ts';
import { Watchers, type Sighting } from './watchers.ts';

const config = defaultConfig();
const vectors = new WordVectors();

/** A sighting of a topic with or without a match, at a score of our choice. */
function sighting(frontmatter: string, isMatched: boolean, score: number): Sighting {
  const topic = topicOf('deploy', `triggers:\n  - {type: keywords, match: [deploy]}\n${frontmatter}`);
  const [seen] = new Watchers([topic], PLAIN_SENSES, vectors).watch({ text: 'deploy it', role: 'user' }).sightings;
  return { ...(seen as Sighting), hits: isMatched ? (seen?.hits ?? []) : [], score };
}

const outcome = (frontmatter: string, isMatched: boolean, score: number, settings = config): string =>
  decide(sighting(frontmatter, isMatched, score), settings).outcome;

describe('whether the gate is asked (S0 §5.2, §5.4)', () => {
  it.each([
    ['critical', true, 0, 'activate'],
    ['high', true, 0.3, 'activate'],
    ['high', true, 0.29, 'ask'],
    ['medium', true, 0.2, 'ask'],
    ['medium', true, 0.19, 'drop'],
    ['low', true, 0.3, 'ask'],
    ['low', true, 0.29, 'drop'],
    ['critical', false, 0.9, 'ask'],
    ['critical', false, 0.1, 'drop'],
  ])('%s, matched %s, score %d: %s', (priority, isMatched, score, expected) => {
    expect(outcome(`priority: ${priority}`, isMatched, score)).toBe(expected);
  });

  it('skips it for auto, and never activates manual ones', () => {
    expect(outcome('activation: auto', true, 0.15)).toBe('activate');
    expect(outcome('activation: auto', true, 0.14)).toBe('drop');
    expect(outcome('activation: auto\nsimilarity_threshold: 0.4', true, 0.39)).toBe('drop');
    expect(outcome('activation: manual', true, 1)).toBe('drop');
    expect(outcome('activation: manual\npriority: critical', true, 1)).toBe('drop');
  });

  it('has a critical topic at once, auto or gated, when a trigger matched', () => {
    expect(outcome('activation: auto\npriority: critical', true, 0)).toBe('activate');
    expect(outcome('activation: auto\npriority: critical', false, 0)).toBe('drop');
  });

  it('leaves the decision to the score where the gate is off', () => {
    const off = { ...config, gate: { ...config.gate, enabled: false } };
    expect(outcome('priority: high', true, 0.2, off)).toBe('activate');
    expect(outcome('priority: high', true, 0.1, off)).toBe('drop');
  });
});
