import { describe, expect, it } from 'vitest';
import type { WatchedMessage } from '../port.ts';
import { PLAIN_SENSES, topicOf } from '../testing/topics.ts';
import { ReadMessage } from '../text/message.ts';
import { Tier1 } from './match.ts';

function hits(trigger: string, text: string, more: Partial<WatchedMessage> = {}): string[] {
  const tier1 = new Tier1([topicOf('t', `triggers:\n  - ${trigger}`)]);
  const message = new ReadMessage({ text, role: 'user', ...more }, PLAIN_SENSES);
  return [...(tier1.match(message).get(0) ?? [])].map(({ found }) => found);
}

describe('triggers', () => {
  it.each([
    ['keywords, in another form', '{type: keywords, match: [deploy]}', 'We deployed it', ['deployed']],
    ['a phrase', '{type: keywords, match: [night train]}', 'the Night Trains to Graz', ['Night Trains']],
    ['not a part of a word', '{type: keywords, match: [art]}', 'start the party', []],
    ['a name with its sign', '{type: mention, match: "@priya"}', 'ask @priya, not Priya', ['priya']],
    ['a name that is a word needs its capital', '{type: mention, match: [Grace]}', 'say grace, Grace', ['Grace']],
    [
      'a host and what is below it',
      '{type: url, match: bahn.de}',
      'see https://www.bahn.de/x.',
      ['https://www.bahn.de/x'],
    ],
    ['another host', '{type: url, match: bahn.de}', 'see https://notbahn.de/x', []],
    [
      'a glob over addresses',
      '{type: url, match: "https://github.com/*/*/pull/*"}',
      'https://github.com/a/b/pull/7/files',
      ['https://github.com/a/b/pull/7/files'],
    ],
    ['fenced code', '{type: code, match: py}', '```python\nx = 1\n```', ['python code']],
    ['prose about a language', '{type: code, match: python}', 'Python has a lock', []],
    ['code that nobody named', '{type: code, match: sql}', 'ALTER TABLE users ADD COLUMN x int;', ['sql code']],
    ['a language', '{type: language, match: de}', 'Ich habe die Rechnung nicht bekommen', ['written in de']],
    ['a bad mood', '{type: sentiment, match: negative}', 'I hate this', ['negative 0.80']],
    ['urgency', '{type: sentiment, match: urgent}', 'URGENT!!! everything is down', ['urgent 1.00']],
    ['nothing urgent', '{type: sentiment, match: urgent}', 'no hurry at all', []],
  ])('%s', (_name, trigger, text, found) => {
    expect(hits(trigger, text)).toEqual(found);
  });

  it.each([
    ['src/*.ts', ['src/a.ts'], ['src/a.ts']],
    ['src/*.ts', ['/home/ada/shop/src/a.ts'], ['/home/ada/shop/src/a.ts']],
    ['src/*.ts', ['lib/src/a.ts'], []],
    ['"*.py"', ['tools/x.py', 'x.pyc'], ['tools/x.py']],
    ['package.json', ['node_modules/zod/package.json'], []],
  ])('glob %s over %j', (glob, paths, found) => {
    expect(hits(`{type: glob, match: ${glob}}`, '', { paths })).toEqual(found);
  });

  it('look at the side they are for', () => {
    const both = (scope: string): string[] => [
      ...hits(`{type: keywords, match: [delve], scope: ${scope}}`, 'delve'),
      ...hits(`{type: keywords, match: [delve], scope: ${scope}}`, 'delve', { role: 'agent' }),
    ];
    expect([both('input'), both('output'), both('both')]).toEqual([['delve'], ['delve'], ['delve', 'delve']]);
    expect(hits('{type: keywords, match: [delve], scope: output}', 'delve')).toEqual([]);
  });

  it('are not set off by a message when they wait for an event', () => {
    expect(hits('{type: webhook, source: email}', 'webhook email')).toEqual([]);
    expect(hits('{type: cron, schedule: "0 8 * * *"}', '0 8 * * *')).toEqual([]);
  });
});
