import { expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import { newTopicFile, parseTopic } from './topic.ts';

test('what a topic does not say has a default', () => {
  expect(parseTopic(parseDocument('# Mail\n\nBe brief.\n'), 'topics/mail.md')).toMatchObject({
    name: 'mail',
    title: 'Mail',
    triggers: [],
    subscriptions: [],
    activation: 'gated',
    priority: 'medium',
    similarityThreshold: 0.15,
    maxContextKb: 4,
    instructions: '',
    body: 'Be brief.',
  });
});

test('a new topic is read back', () => {
  const file = newTopicFile(
    'Mail',
    { triggers: [{ type: 'keywords', match: ['inbox'] }], activation: 'auto' },
    'Sort it.',
  );
  expect(parseTopic(parseDocument(file), 'topics/mail.md')).toMatchObject({
    triggers: [{ type: 'keywords', match: ['inbox'] }],
    activation: 'auto',
    instructions: 'Sort it.',
  });
});

test('one broken trigger does not silence the others', () => {
  const text = '---\ntriggers:\n  - type: pattern\n    match: "(("\n  - type: mention\n    match: [Ada]\n---\n';
  expect(parseTopic(parseDocument(text), 'topics/x.md').triggers).toEqual([{ type: 'mention', match: ['Ada'] }]);
});
