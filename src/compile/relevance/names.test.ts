import { describe, expect, it } from 'vitest';
import { findKnownNames } from './vocabulary.ts';

const texts = ['We met with Femke, and Pelorus was down.', 'Then the ring was full.', 'Full of it, she said to Femke.'];

describe('findKnownNames', () => {
  it('finds what the texts write as a name, however the message writes it', () => {
    expect(findKnownNames('when is femke free, and pelorus?', texts)).toEqual(['femke', 'pelorus']);
  });

  it('takes the beginning of a sentence for no name, nor a word that is mostly written small', () => {
    expect(findKnownNames('then the ring is full', texts)).toEqual([]);
  });

  it('leaves out what everybody knows', () => {
    expect(findKnownNames('postgres', ['we moved to Postgres'])).toEqual([]);
  });
});
