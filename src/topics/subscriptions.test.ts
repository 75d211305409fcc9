import { describe, expect, it } from 'vitest';
import { resolveSubscriptions, type SubscriptionSources } from './subscriptions.ts';
import { topicOf } from './testing/topics.ts';

const FILES: Readonly<Record<string, string>> = {
  'memory/reference/a.md': 'A',
  'memory/reference/b.md': 'B',
  'memory/graph/entities/person--jana.md': 'Jana',
  'memory/vault/keys.md': 'secret',
  'memory/scopes/project--apollo/notes.md': 'private',
};

const sources: SubscriptionSources = {
  listFiles: async () => Object.keys(FILES),
  readFile: async (path) => FILES[path],
  findEntity: (id) => (id === 'person--jana' ? 'memory/graph/entities/person--jana.md' : undefined),
  ask: async (query, limit) => [
    { id: 'q1', path: 'x.md', text: `${query} ${limit}`, trust: 'tool', scope: 'shared', time: null, score: 0.5 },
  ],
};

const resolve = (list: string, scope: 'shared' | 'project:apollo' = 'shared') =>
  resolveSubscriptions(topicOf('t', `subscriptions: ${list}`), scope, sources);

// SPEC TOPIC-3
describe('subscriptions', () => {
  it('are files, globs, entities and questions, each thing once', async () => {
    const { pieces, notes } = await resolve(
      '[memory/reference/a.md, memory/reference/*.md, person--jana, {query: past trips, limit: 2}]',
    );
    expect(pieces.map(({ kind, id, text }) => [kind, id, text])).toEqual([
      ['path', 'memory/reference/a.md', 'A'],
      ['glob', 'memory/reference/b.md', 'B'],
      ['entity', 'memory/graph/entities/person--jana.md', 'Jana'],
      ['query', 'q1', 'past trips 2'],
    ]);
    expect(notes).toEqual([]);
  });

  it('open neither the vault nor what belongs to another scope', async () => {
    const list = '[memory/vault/keys.md, "memory/**", memory/scopes/project--apollo/notes.md]';
    const seen = async (scope: 'shared' | 'project:apollo') =>
      (await resolve(list, scope)).pieces.map(({ text }) => text);
    expect(await seen('shared')).toEqual(['A', 'B', 'Jana']);
    expect(await seen('project:apollo')).toEqual(['A', 'B', 'Jana', 'private']);
  });

  it('that lead nowhere are told', async () => {
    const { pieces, notes } = await resolve('[gone.md, person--nobody]');
    expect(pieces).toEqual([]);
    expect(notes).toEqual([
      'Topic t: nothing was found for gone.md.',
      'Topic t: nothing was found for person--nobody.',
    ]);
  });
});
