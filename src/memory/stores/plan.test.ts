import { expect, test } from 'vitest';
import { setPinned } from './plan.ts';

const PATH = 'memory/graph/entities/person--devon.md';
const ID = 'cx4dvmpdp8nm2';
const LINE = `- Devon moved to Leeds. <!-- person 0.56 2026-11-01T14:01 s1#t1 residence=Leeds --> ^${ID}\n`;

test('a learned line stays short when it is pinned, and is the same when it is let go', () => {
  const pinned = setPinned(PATH, LINE, ID, 'entity', true);
  expect(pinned).toBe(LINE.replace(' -->', ' pinned -->'));
  expect(setPinned(PATH, pinned ?? '', ID, 'entity', false)).toBe(LINE);
});
