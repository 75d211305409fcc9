import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ItemMetadata } from '../../model/schemas/item.ts';
import { EPISODE_TYPES } from '../../model/schemas/time.ts';
import { appendBlock } from '../markdown/edit.ts';
import { parseDocument, serializeDocument } from '../markdown/document.ts';
import { episodeFileFor, newEpisodeFile, parseEpisodes, renderEpisodeEntry, type EpisodeEntry } from './episode.ts';

const ids = ['7k2m9x0q4t1za', '8k2m9x0q4t1zb', '9k2m9x0q4t1zc', '0k2m9x0q4t1zd'];

const trickyLine = fc.constantFrom(
  '# One',
  '## 09:00 | decision',
  '\\## escaped',
  '### 09:00 deeper',
  '### Details',
  '- item',
  '  continued',
  '| a | b |',
  '|---|---|',
  'a quote > b',
  '---',
  '***',
  'Words, words.',
  'ends in ^anchor',
  '',
);
const trickyText = fc.array(trickyLine, { minLength: 1, maxLength: 6 }).map((lines) =>
  lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd(),
);
const text = fc.oneof(
  trickyText,
  fc.constantFrom(
    '<!-- source:import -->',
    '<!-- just a note -->\nText',
    'Code:\n\n```sh\n# comment\n## more\n```',
    'Plain.',
  ),
);

const entries: fc.Arbitrary<EpisodeEntry[]> = fc
  .array(
    fc.record({
      time: fc.constantFrom('00:00', '14:30', '23:59'),
      type: fc.constantFrom(...EPISODE_TYPES),
      title: fc.constantFrom(undefined, 'Lunch with Sam'),
      text,
      meta: fc.record<ItemMetadata, never>(
        {
          confidence: fc.constantFrom('high' as const, 0.42),
          tags: fc.constantFrom(['a', 'two words'], ['x|y', 'z,']),
          source: fc.constant('import' as const),
          outcome: fc.constantFrom('good', 'so > so'),
        },
        { requiredKeys: [] },
      ),
    }),
    { maxLength: 4 },
  )
  .map((list) => list.map((entry, index) => Object.assign({ id: ids[index] }, entry)));

function appendAll(written: readonly EpisodeEntry[]): string {
  let document = parseDocument(newEpisodeFile('2026-02-16'));
  for (const entry of written) document = appendBlock(document, renderEpisodeEntry(entry));
  return serializeDocument(document);
}

describe('episode file', () => {
  test('what is appended is read back, whatever the text looks like', () => {
    fc.assert(
      fc.property(entries, (written) => {
        const read = parseEpisodes(parseDocument(appendAll(written)));
        expect(read.date).toBe('2026-02-16');
        expect(read.entries.map(({ startLine: _s, endLine: _e, problems: _p, ...entry }) => entry)).toEqual(written);
      }),
      { numRuns: 500 },
    );
  });

  test('reads like a diary', () => {
    const entry: EpisodeEntry = {
      id: ids[0],
      time: '14:30',
      type: 'decision',
      title: undefined,
      text: 'We keep files as the truth.\n\nSQLite is only an index.',
      meta: {
        source: 'user-explicit',
        confidence: 'high',
        tags: ['memory', 'architecture'],
        importance: 0.8,
        session: 'ses_a1',
      },
    };
    expect(renderEpisodeEntry(entry)).toBe(
      [
        '## 14:30 | decision | confidence:high | tags:[memory, architecture]',
        '<!-- source:user-explicit importance:0.8 session:ses_a1 -->',
        'We keep files as the truth.',
        '',
        'SQLite is only an index. ^7k2m9x0q4t1za',
        '',
      ].join('\n'),
    );
  });

  test('an open fence is closed, so that the next entry is not swallowed', () => {
    const open: EpisodeEntry = {
      id: ids[0],
      time: '10:00',
      type: 'error',
      title: undefined,
      text: '```\nboom',
      meta: {},
    };
    const next: EpisodeEntry = { id: ids[1], time: '10:01', type: 'event', title: undefined, text: 'Fixed.', meta: {} };
    const read = parseEpisodes(parseDocument(appendAll([open, next]))).entries;
    expect(read.map((entry) => [entry.id, entry.text])).toEqual([
      [ids[0], '```\nboom\n```'],
      [ids[1], 'Fixed.'],
    ]);
  });

  test.each([
    ['## 14:30', { time: '14:30', type: 'event', title: undefined }],
    ['## 9:05 - Standup', { time: '09:05', type: 'event', title: 'Standup' }],
    ['### 06:00 — Morning', { time: '06:00', type: 'event', title: 'Morning' }],
    ['## Notes', { time: undefined, type: 'event', title: 'Notes' }],
    ['## 14:30 | confidence:low | Fact', { time: '14:30', type: 'fact', meta: { confidence: 'low' } }],
    ['## [14:30] | tags:[a]', { time: '14:30', meta: { tags: ['a'] } }],
    ['## 14:30 | gossip | tags:[a, b c]', { type: 'event', title: 'gossip', meta: { tags: ['a', 'b c'] } }],
  ])('heading "%s" may leave parts out', (heading, expected) => {
    expect(parseEpisodes(parseDocument(`# 2026-02-16\n\n${heading}\n\nText.\n`)).entries).toMatchObject([expected]);
  });

  test('notes without any heading are one entry', () => {
    const [entry] = parseEpisodes(parseDocument('# 2026-02-16\n\n- Met Ada\n- Bought tea\n')).entries;
    expect(entry).toMatchObject({ time: undefined, text: '- Met Ada\n- Bought tea', startLine: 3, endLine: 4 });
  });
});

describe('choosing the file of a day', () => {
  const path = 'memory/episodes/2026-02-16.md';
  const second = 'memory/episodes/2026-02-16.2.md';

  test('the first file, until it is full', () => {
    expect(episodeFileFor('2026-02-16', new Map())).toEqual({ path, part: 1 });
    expect(episodeFileFor('2026-02-16', new Map([[path, 30_000]]), 1000)).toEqual({ path, part: 1 });
    expect(episodeFileFor('2026-02-16', new Map([[path, 32_000]]), 1000)).toEqual({ path: second, part: 2 });
  });

  test('the last file that exists', () => {
    const sizes = new Map([
      [path, 40_000],
      [second, 10],
    ]);
    expect(episodeFileFor('2026-02-16', sizes, 1000)).toEqual({ path: second, part: 2 });
  });

  test('an entry larger than a file gets one of its own', () => {
    expect(episodeFileFor('2026-02-16', new Map(), 100_000)).toEqual({ path, part: 1 });
  });

  test('a part says which it is', () => {
    expect(newEpisodeFile('2026-02-16', 2)).toBe(
      '---\ntype: episodes\ndate: 2026-02-16\npart: 2\n---\n\n# 2026-02-16 — what happened (2)\n',
    );
  });
});
