import { describe, expect, it } from 'vitest';
import { mergeDocuments } from '../workspace/markdown/merge.ts';
import { conflictRequest } from './conflict-report.ts';

interface Sides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

function settle(
  sides: Sides,
  newId?: () => string,
): { readonly merged: string; readonly settled: string | undefined; readonly why: string } {
  const { text, conflicts } = mergeDocuments(sides, { newId });
  const request = conflictRequest({ mutation: '01KHK0000000000000000000AB', path: 'a.md', conflicts }, text);
  return { merged: text, settled: request?.changes[0]?.after, why: request?.why ?? '' };
}

const BASE = '---\nstatus: active\nowner: bea\n---\n\n# Alex\n\n- likes tea ^7k2m9x0q4t1za\n\n- lives in Rome\n';

describe('the proposal for a conflict', () => {
  it('keeps the later version, with its anchor, where both edited a block', () => {
    const ours = BASE.replace('tea', 'coffee');
    const { merged, settled, why } = settle({ base: BASE, ours, theirs: BASE.replace('tea', 'water') });
    expect(merged).toContain('water');
    expect(settled).toBe(ours);
    expect(why).toContain('In the file before:\n\n> - likes water');
    expect(why).toContain('Written later:\n\n> - likes coffee');
  });

  it('finds the copy of an episode that was given an anchor of its own', () => {
    const base = '# D\n\n## 15:33 | fact\n<!-- source:import -->\nThe dog is Rex ^7k2m9x0q4t1za\n';
    const ours = base.replace('Rex', 'Max');
    const sides = { base, ours, theirs: base.replace('Rex', 'Tom') };
    const { merged, settled } = settle(sides, () => 'aaaaaaaaaaaaa');
    expect(merged).toContain('The dog is Max ^aaaaaaaaaaaaa');
    expect(settled).toBe(ours);
  });

  it('takes the later value of a key that both changed', () => {
    const ours = BASE.replace('active', 'done');
    const { merged, settled, why } = settle({ base: BASE, ours, theirs: BASE.replace('active', 'paused') });
    expect(merged).toContain('status: paused');
    expect(settled).toBe(ours);
    expect(why).toContain('The key status.');
  });

  it.each([
    ['ours', BASE.replace('- lives in Rome\n', ''), BASE.replace('Rome', 'Paris')],
    ['theirs', BASE.replace('Rome', 'Paris'), BASE.replace('- lives in Rome\n', '')],
  ])('follows the deletion where %s removed what the other edited', (_side, ours, theirs) => {
    const { merged, settled } = settle({ base: BASE, ours, theirs });
    expect(merged).toContain('Paris');
    expect(settled).not.toMatch(/Paris|Rome/);
    expect(settled).toContain('likes tea');
  });

  it('follows the deletion of a key', () => {
    const ours = BASE.replace('owner: bea\n', '');
    const { settled } = settle({ base: BASE, ours, theirs: BASE.replace('bea', 'carl') });
    expect(settled).toBe(ours);
  });

  it('is not needed when the file no longer shows the conflict', () => {
    const theirs = BASE.replace('tea', 'water');
    const { conflicts } = mergeDocuments({ base: BASE, ours: BASE.replace('tea', 'coffee'), theirs });
    expect(conflicts).toHaveLength(1);
    expect(conflictRequest({ mutation: 'm', path: 'a.md', conflicts }, 'All new.\n')).toBeUndefined();
  });
});
