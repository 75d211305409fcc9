import { describe, expect, it } from 'vitest';
import { failuresOf, REASONER_CASES } from '../testing/table.ts';
import { createHeuristicReasoner } from './reasoner.ts';

const reasoner = createHeuristicReasoner();

describe('the heuristic reasoner', () => {
  it.each(REASONER_CASES.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    expect(await failuresOf(reasoner, each)).toEqual([]);
  });

  it('signs its answers and has nothing to add', async () => {
    const answer = await reasoner.ask('slug', { text: 'Tile cache' });
    expect(answer).toEqual({ output: 'tile-cache', by: 'heuristic@1', notes: [] });
  });

  it('refuses a purpose it does not know', async () => {
    await expect(reasoner.ask('guess' as 'slug', { text: '' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('stops when it is told to', async () => {
    await expect(reasoner.ask('slug', { text: 'x' }, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/iu);
  });
});
