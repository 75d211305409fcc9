import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOME_LAYOUT } from '../workspace/formats/layout.ts';
import { topicOf } from './testing/topics.ts';
import { keywordsOf, readTopic, splitAlternatives } from './topic-file.ts';

// SPEC TOPIC-2
describe('readTopic', () => {
  it('never fails on what a person wrote', () => {
    const line = fc.constantFrom(
      '---',
      'type: topic',
      'triggers:',
      '  - type: pattern',
      '    match: "(("',
      '  - {type: keywords, match: [a]}',
      '  - {type: nonsense}',
      'triggers: 7',
      'activation: sometimes',
      'similarity_threshold: much',
      'enabled: false',
      'description: [x]',
      '# Title',
      '## Instructions',
      ': : :',
      '\t- x',
      '"',
      'max_context_kb: -1',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const topic = readTopic('topics/x.md', lines.join('\n'), HOME_LAYOUT);
        expect(topic.name).toBe('x');
        expect(['auto', 'gated', 'manual']).toContain(topic.activation);
      }),
      { numRuns: 400 },
    );
  });

  it('takes its description from the first paragraph when it has none', () => {
    expect(topicOf('t', 'priority: low', 'Sort the mail.\nEvery day.\n\nMore.').description).toBe(
      'Sort the mail. Every day.',
    );
    expect(topicOf('t', 'description: Mail', 'Sort.').description).toBe('Mail');
  });

  it('says which part of a pattern cannot be run', () => {
    const { findings } = topicOf('t', 'triggers:\n  - {type: pattern, match: "a|b(?=c)"}');
    expect(findings).toEqual([
      'topics/t.md: the part "b(?=c)" of a pattern is left out, because it cannot be matched in linear time.',
    ]);
  });

  it('knows its words', () => {
    expect(
      keywordsOf(topicOf('t', 'triggers:\n  - {type: keywords, match: [a b, c]}\n  - {type: mention, match: "@d"}')),
    ).toEqual(['a b', 'c', 'd']);
    expect(splitAlternatives('a|(b|c)|[|]|\\|d')).toEqual(['a', '(b|c)', '[|]', '\\|d']);
  });
});
