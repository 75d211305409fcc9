import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { TopScores } from './matrix.ts';

it('knows the lowest of the highest scores', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 20 }),
      (scores, limit) => {
        const top = new TopScores(limit);
        scores.forEach((score, index) => {
          top.offer(score);
          const ranked = scores.slice(0, index + 1).sort((left, right) => right - left);
          expect(top.bar).toBe(ranked[limit - 1] ?? -Infinity);
        });
      },
    ),
  );
});
