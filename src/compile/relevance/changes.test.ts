import { describe, expect, it } from 'vitest';
import type { ReadChange } from '../later.ts';
import { openReadChange } from './changes.ts';

const PORT = 'The tunnel to Redshift listens on local port 5439.';
const MOVED = 'The tunnel was changed: Redshift now listens on local port 15440.';
const RETIRED = 'He retired, they gave him a watch and a cake.';

function met(text: string, worth = 4): Parameters<ReadChange>[1] {
  return { text, worth, says: 'maybe', isEnd: false, about: '', timeMs: 0 } as unknown as Parameters<ReadChange>[1];
}

describe('later words read beside a memory', () => {
  it('change it where they give another value of the same', () => {
    expect(openReadChange(1)?.(PORT, met(MOVED))).toBe('surely');
  });

  it('change nothing where they are about something else, however much the words share', () => {
    expect(openReadChange(1)?.(PORT, met(RETIRED, 20))).toBeUndefined();
  });

  it('are judged by the words alone once enough were read', () => {
    const read = openReadChange(1);
    read?.(PORT, met(MOVED));
    expect(read?.(PORT, met(RETIRED))).toBe('maybe');
  });
});
