import { describe, expect, test } from 'vitest';
import { EPISODE_FILE_MAX_BYTES, parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { StoreHome } from './testing/store-home.ts';

describe('episodes', () => {
  test('an entry stands in the file of its day in the home’s zone, at its time', () => {
    const home = new StoreHome();
    const plan = home.episodes.planEntry({
      type: 'decision',
      text: 'Chose files.',
      timeMs: Date.parse('2026-03-01T23:30:00Z'),
      related: ['abc', 'abc'],
      meta: { related: ['xyz'], importance: 0.8 },
    });
    expect(plan.path).toBe('memory/episodes/2026-03-02.md');
    home.apply(plan);
    expect(parseEpisodes(parseDocument(home.read(plan.path)))).toMatchObject({
      date: '2026-03-02',
      entries: [{ id: plan.id, time: '00:30', type: 'decision', meta: { related: ['xyz', 'abc'], importance: 0.8 } }],
    });
    expect(home.apply(plan)).toEqual({ outcome: 'present' });
    expect(parseEpisodes(parseDocument(home.read(plan.path))).entries).toHaveLength(1);
  });

  test('the defaults of the file do not change what an entry says', () => {
    const home = new StoreHome();
    const file = 'memory/episodes/2026-11-15.md';
    home.write(file, '---\ntype: episodes\ntrust: import\nsource: import\n---\n\n# Day\n\n## 08:00 | event\nMine\n');
    home.apply(home.episodes.planEntry({ type: 'fact', text: 'x', meta: { source: 'conversation', trust: 'agent' } }));
    const { entries } = parseEpisodes(parseDocument(home.read(file)));
    expect(entries).toMatchObject([{ text: 'Mine' }, { meta: { source: 'conversation', trust: 'agent' } }]);
  });

  test('a full day goes on in the next file', () => {
    const home = new StoreHome();
    const text = 'word '.repeat(1000);
    const paths = Array.from({ length: 15 }, () => {
      const plan = home.episodes.planEntry({ type: 'event', text });
      home.apply(plan);
      return plan.path;
    });
    expect([...new Set(paths)]).toEqual(['', '.2', '.3'].map((part) => `memory/episodes/2026-11-15${part}.md`));
    for (const file of new Set(paths)) expect(Buffer.byteLength(home.read(file))).toBeLessThan(EPISODE_FILE_MAX_BYTES);
  });

  test('a scope has days of its own', () => {
    const plan = new StoreHome().episodes.planEntry({ type: 'event', text: 'x', scope: 'project:apollo' });
    expect(plan.path).toBe('memory/scopes/project--apollo/memory/episodes/2026-11-15.md');
  });
});
