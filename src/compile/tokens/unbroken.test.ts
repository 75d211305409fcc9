import { describe, expect, it } from 'vitest';
import { countExactly } from './o200k.ts';
import { countInPieces } from './open-counter.ts';

describe('countInPieces', () => {
  it.each(['a', '-', ' ', '漢', '😀'])('hands over no long run of %j, and loses nothing of it', (sign) => {
    const handed: string[] = [];
    const text = `before ${sign.repeat(1234)} after`;
    countInPieces(text, (piece) => {
      handed.push(piece);
      return 1;
    });
    expect(handed.join('')).toBe(text);
    expect(Math.max(...handed.map((piece) => piece.length))).toBeLessThanOrEqual(400);
  });

  it('counts a run no lower than in one piece, and what people write exactly', () => {
    const run = 'abcdefghij'.repeat(60);
    expect(countInPieces(run, countExactly)).toBeGreaterThanOrEqual(countExactly(run));
    const prose = 'Words, of a usual length; 2026-01-01.\n'.repeat(40);
    expect(countInPieces(prose, countExactly)).toBe(countExactly(prose));
  });
});
