import { describe, expect, test } from 'vitest';
import { confidenceValue } from './fields.ts';
import { checkFrontmatter, readFrontmatter, type FrontmatterKind } from './index.ts';
import { factMetadataSchema, itemMetadataSchema, memoryEntrySchema } from './item.ts';

const ULID = '01HPXK7V5T9QZ3M8N2R4W6Y0AB';

/** One frontmatter per kind that must pass, with a key nobody knows. */
const VALID: Record<FrontmatterKind, Record<string, unknown>> = {
  memory: { type: 'memory', updated: '2026-02-16T18:00:00Z', line_count: 142, x: 1 },
  identity: { type: 'identity', role: 'soul', updated: '2026-02-16', x: 1 },
  journal: { type: 'journal', date: '2026-W07', period: 'week', sessions: ['ses_a1'], x: 1 },
  episode: { type: 'episodes', date: '2026-02-16', source: 'import', x: 1 },
  entity: { id: 'person--alex', type: 'person', name: 'Alex', aliases: ['Lex'], confidence: 'high', x: 1 },
  relations: { entity_types: { person: { properties: ['email'] } }, relations: { uses: { domain: ['person'] } }, x: 1 },
  procedure: {
    kind: 'workflow',
    version: 1.2,
    metrics: { executions: 3, success_rate: 0.94 },
    refinements: [{ time: '2026-02-16', type: 'bugfix', after: 'retry twice', success_rate_change: 0.05 }],
    x: 1,
  },
  topic: { triggers: [{ type: 'cron', schedule: '0 8 * * *' }], subscriptions: ['a.md', { query: 'mail' }], x: 1 },
  transcript: { session_id: 'ses_a1', started: '2026-02-16T18:45:00+01:00', x: 1 },
  reference: { type: 'paper', title: 'On memory', trust: 'external', x: 1 },
  vault: { title: 'Passport', pinned: true, x: 1 },
  proposal: {
    id: ULID,
    state: 'pending',
    kind: 'merge',
    actor: 'subagent:r',
    trust: 'agent',
    created: '2026-02-16',
    x: 1,
  },
};

describe('frontmatter schemas', () => {
  test.each(Object.entries(VALID))('%s accepts a usual file and keeps unknown keys', (kind, values) => {
    expect(checkFrontmatter(kind as FrontmatterKind, values)).toEqual([]);
    expect(readFrontmatter(kind as FrontmatterKind, values)).toHaveProperty('x', 1);
  });

  test('a problem names its place and says what is expected', () => {
    const problems = checkFrontmatter('topic', {
      triggers: [{ type: 'pattern', match: '((' }, { type: 'smell' }],
      priority: 'urgent',
    });
    expect(problems).toEqual([
      { at: 'triggers[0].match', key: 'triggers', message: 'is not a regular expression' },
      { at: 'triggers[1].type', key: 'triggers', message: expect.stringMatching(/^must be one of: pattern, glob/) },
      { at: 'priority', key: 'priority', message: 'must be one of: low, medium, high, critical' },
    ]);
  });

  test('a missing key is called missing', () => {
    expect(checkFrontmatter('transcript', { started: '2026-02-16' })).toEqual([
      { at: 'session_id', key: 'session_id', message: 'is missing; it must be text' },
    ]);
  });

  test('a key without a value counts as absent', () => {
    expect(checkFrontmatter('entity', { aliases: null, status: null })).toEqual([]);
  });

  test('reading keeps what is valid and leaves out what is not', () => {
    const values = { name: 2026, status: 'retired', aliases: ['a', 1] };
    expect(readFrontmatter('entity', values)).toEqual({ name: '2026', aliases: ['a', '1'] });
    expect(readFrontmatter('entity', undefined)).toEqual({});
  });

  test('a regular expression may carry escapes that only the older syntax allows', () => {
    expect(checkFrontmatter('topic', { triggers: [{ type: 'pattern', match: 'e\\-mail' }] })).toEqual([]);
  });
});

describe('item metadata', () => {
  test.each([{ importance: 1.2 }, { trust: 'root' }, { scope: 'Apollo' }, { confidence: 'very' }, { time: 'noon' }])(
    'refuses %j',
    (metadata) => {
      expect(itemMetadataSchema.safeParse(metadata).success).toBe(false);
    },
  );

  test('a fact may be dated to the year', () => {
    expect(factMetadataSchema.parse({ from: 2024, until: '2026-02' })).toEqual({ from: '2024', until: '2026-02' });
  });

  test('confidence words have values in order', () => {
    expect(confidenceValue('high')).toBeGreaterThan(confidenceValue('medium'));
    expect(confidenceValue('medium')).toBeGreaterThan(confidenceValue('low'));
    expect(confidenceValue(0.42)).toBe(0.42);
  });
});

test('a memory entry needs id, type, content, timestamp and metadata', () => {
  const entry = {
    id: 'a',
    type: 'semantic',
    content: 'x',
    timestamp: '2026-02-16T10:00:00Z',
    metadata: { importance: 0.5 },
  };
  expect(memoryEntrySchema.safeParse(entry).success).toBe(true);
  for (const key of Object.keys(entry)) {
    expect(memoryEntrySchema.safeParse({ ...entry, [key]: undefined }).success).toBe(false);
  }
});
