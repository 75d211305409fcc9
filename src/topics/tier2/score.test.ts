import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAIN_SENSES, topicOf } from '../testing/topics.ts';
import { Watchers } from '../watchers.ts';
import { WordVectors } from './word-vectors.ts';

const topics = [
  topicOf(
    'boat-care',
    'description: Looking after our sailing boat in the harbour.\ntriggers:\n  - {type: keywords, match: [boat, sails, hull]}',
    '- Varnish the hull in spring.\n- Wash the sails with fresh water.\n- Berth fees are due in May.',
  ),
  topicOf('rust-style', "triggers:\n  - {type: glob, match: '**/*.rs', scope: both}", 'No unwrap in library code.'),
  topicOf('no-hype', 'triggers:\n  - {type: keywords, match: [synergy], scope: output}', 'Write plainly.'),
];
const watchers = new Watchers(topics, PLAIN_SENSES, new WordVectors());
const scoreOf = (text: string, name = 'boat-care'): number =>
  watchers.watch({ text, role: 'user' }).sightings.find(({ topic }) => topic.name === name)?.score ?? 0;

describe('tier 2', () => {
  it('scores what is asked above what is waved away or said in passing', () => {
    const asked = scoreOf('How do I varnish the hull of the boat before the season?');
    expect(asked).toBeGreaterThan(scoreOf('This is not about the boat. What is the capital of Peru?'));
    expect(asked).toBeGreaterThan(scoreOf('I am on the boat, so briefly: did the build pass?'));
  });

  it('finds a topic by what its playbook says, without a trigger', () => {
    expect(scoreOf('When do we pay the berth fees in the harbour?')).toBeGreaterThan(
      scoreOf('When do we pay the electrician?'),
    );
  });

  it('never guesses at topics that wait for files, or at what the agent writes', () => {
    const said = watchers.watch({ text: 'library code without unwrap', role: 'user' }).sightings;
    expect(said.map(({ topic }) => topic.name)).not.toContain('rust-style');
    expect(watchers.watch({ text: 'I varnished the hull in plain words.', role: 'agent' }).sightings).toEqual([]);
  });

  it('gives every message a number between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, isNamed) => {
        const { sightings } = watchers.watch({ text: isNamed ? `boat ${text}` : text, role: 'user' });
        expect(sightings.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
      }),
    );
  });
});
