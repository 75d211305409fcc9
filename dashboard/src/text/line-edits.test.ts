import { describe, expect, it } from 'vitest';
import { decideLines, readLineChanges } from './line-edits.ts';

const DIFF = [
  '--- a/MEMORY.md',
  '+++ b/MEMORY.md',
  '@@ -1,4 +1,5 @@',
  '-updated: 2026-11-01',
  '+updated: 2026-11-02',
  ' # Core',
  '-- Tuesdays <!-- source:user --> ^abc123def',
  '+- Wednesdays <!-- source:user --> ^abc123def',
  '+- Never at night',
  '',
].join('\n');

describe('the lines of a proposal', () => {
  it('are shown without marks and without what nobody decides about', () => {
    expect(readLineChanges(DIFF).map(({ before, after }) => [before, after])).toEqual([
      ['Tuesdays', 'Wednesdays'],
      ['', 'Never at night'],
    ]);
  });

  it('keep their marks when their words are changed', () => {
    const changes = readLineChanges(DIFF);
    const decided = decideLines(
      DIFF,
      changes,
      new Map(changes.slice(0, 1).map((change) => [change, 'Thursdays,\nafter lunch'])),
    );
    expect(decided).toContain('+- Thursdays, after lunch <!-- source:user --> ^abc123def');
    expect(decided).toContain('+- Never at night');
  });

  it('stay as they are in the file when they are left out', () => {
    const changes = readLineChanges(DIFF);
    const decided = decideLines(DIFF, changes, new Map(changes.map((change) => [change, undefined])));
    expect(decided).toContain('\n - Tuesdays <!-- source:user --> ^abc123def');
    expect(decided).not.toContain('Wednesdays');
    expect(decided).not.toContain('Never at night');
  });
});
