import { describe, expect, it } from 'vitest';
import type { ArchivedFile } from '../../memory/archive/list-archive.ts';
import { defaultConfig } from '../../model/config/schema.ts';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { archiveAgeDays, importanceLevel } from './ages.ts';
import { planArchiveUpkeep, planTranscriptDeletion, planTranscriptPacking } from './plan-packing.ts';
import { DAY_MS } from '../../model/time.ts';

const { retention } = defaultConfig();
const nowMs = Date.UTC(2026, 5, 1);

// SPEC FADE-3, FADE-5, FADE-6
describe('how long memories stay at hand', () => {
  it.each([
    ['episodic', 0.1, 7],
    ['episodic', 0.5, 90],
    ['episodic', 0.9, undefined],
    ['journal', 0.5, 90],
    ['journal', 0.9, undefined],
    ['semantic', 0.1, undefined],
    ['core', 0.1, undefined],
  ] as const)('%s of importance %d: %s days', (store, importance, days) => {
    expect(archiveAgeDays({ store, importance }, retention)).toBe(days);
  });

  it('tells three levels', () => {
    expect([0, 0.3, 0.31, 0.69, 0.7, 1].map((value) => importanceLevel(value))).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
    ]);
  });
});

describe('the archive', () => {
  const file = (path: string, days: number, packed = false): ArchivedFile => ({
    path: `memory/archive/2026-01/${path}`,
    from: `memory/${path}`,
    at: new Date(nowMs - days * DAY_MS).toISOString(),
    bytes: 1,
    packed,
  });
  const files = [
    file('episodes/a.md', 91),
    file('episodes/b.md', 89),
    file('episodes/c.md', 400, true),
    file('journal/d.md', 400),
  ];
  const plan = (settings = retention): string[][] => {
    const { pack, delete: gone } = planArchiveUpkeep(files, nowMs, { retention: settings, layout: HOME_LAYOUT });
    return [pack, gone].map((list) => list.map(({ from }) => from));
  };

  it('is packed after 90 days and never deleted by itself', () => {
    expect(plan()).toEqual([['memory/episodes/a.md', 'memory/journal/d.md'], []]);
  });

  it('is deleted only where a number says so, and only in that store', () => {
    const settings = { ...retention, episodic: { ...retention.episodic, delete_after_days: 365 } };
    expect(plan(settings)).toEqual([['memory/episodes/a.md', 'memory/journal/d.md'], ['memory/episodes/c.md']]);
  });

  it('leaves alone what has no date that can be read', () => {
    const odd = [{ ...file('episodes/a.md', 1), at: 'last winter' }];
    expect(planArchiveUpkeep(odd, nowMs, { retention, layout: HOME_LAYOUT })).toEqual({ pack: [], delete: [] });
  });
});

it('packs old transcripts, oldest first, and nothing else', () => {
  const paths = [
    'conversations/2026/05/30/1000-ses_new.md',
    'conversations/2026/02/01/1000-ses_b.md',
    'conversations/2025/12/01/1000-ses_a.md',
    'conversations/2025/11/01/1000-ses_packed.md.gz',
    'conversations/notes.md',
    'conversations/2025/99/01/1000-ses_odd.md',
  ];
  expect(planTranscriptPacking(paths, nowMs, 90)).toEqual([
    'conversations/2025/12/01/1000-ses_a.md',
    'conversations/2026/02/01/1000-ses_b.md',
  ]);
});

it('deletes a transcript only over the age somebody set, a week after that was announced, packed meanwhile or not', () => {
  const paths = ['2025/01/01/1000-a.md', '2025/01/02/1000-b.md.gz', '2025/01/03/1000-c.md', '2026/05/30/1000-d.md'].map(
    (name) => `conversations/${name}`,
  );
  const announced = new Map([
    ['conversations/2025/01/01/1000-a.md', nowMs - 6 * DAY_MS],
    ['conversations/2025/01/02/1000-b.md', nowMs - 7 * DAY_MS],
    ['conversations/2026/05/30/1000-d.md', nowMs - 30 * DAY_MS],
  ]);
  expect(planTranscriptDeletion(paths, { nowMs, days: 365, announced, unlearned: new Set() })).toEqual({
    due: ['conversations/2025/01/02/1000-b.md.gz'],
    waiting: ['conversations/2025/01/01/1000-a.md', 'conversations/2025/01/03/1000-c.md'],
    spared: [],
  });
  const unlearned = new Set(['conversations/2025/01/02/1000-b.md', 'conversations/2025/01/03/1000-c.md']);
  expect(planTranscriptDeletion(paths, { nowMs, days: 365, announced, unlearned })).toEqual({
    due: [],
    waiting: ['conversations/2025/01/01/1000-a.md'],
    spared: ['conversations/2025/01/02/1000-b.md.gz', 'conversations/2025/01/03/1000-c.md'],
  });
});
