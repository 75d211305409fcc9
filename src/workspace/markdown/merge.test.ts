import { describe, expect, test } from 'vitest';
import { diffBlocks, mergeDocuments, pickMergeBase, undoChange } from './merge.ts';

function merge(base: string, ours: string, theirs: string): { text: string; kinds: string[] } {
  const { text, conflicts } = mergeDocuments({ base, ours, theirs }, { newId: () => 'new-id' });
  return { text, kinds: conflicts.map((conflict) => conflict.kind) };
}

const DAY = '# 2026-02-16\n\n## 10:00 | fact\n\nfirst ^aaaaaaaaaaaaa\n';

describe('concurrent insertions', () => {
  test('episodes are ordered by time, each with its body', () => {
    const ours = `${DAY}\n## 10:07 | fact\n\nours\n\n- detail\n`;
    const theirs = `${DAY}\n## 10:05 | task\n\ntheirs\n\n## 10:09 | fact\n\nlate\n`;
    const expected = `${DAY}\n## 10:05 | task\n\ntheirs\n\n## 10:07 | fact\n\nours\n\n- detail\n\n## 10:09 | fact\n\nlate\n`;
    expect(merge(DAY, ours, theirs)).toEqual({ text: expected, kinds: [] });
    expect(merge(DAY, theirs, ours)).toEqual({ text: expected, kinds: [] });
  });

  test('entries of the same minute are ordered by id on every machine, never joined', () => {
    const ours = `${DAY}\n## 10:05 | fact\n\nb ^bbbbbbbbbbbbb\n`;
    const theirs = `${DAY}\n## 10:05 | fact\n\nc ^ccccccccccccc\n`;
    const expected = `${ours}\n## 10:05 | fact\n\nc ^ccccccccccccc\n`;
    expect(merge(DAY, ours, theirs).text).toBe(expected);
    expect(merge(DAY, theirs, ours).text).toBe(expected);
  });

  test('journal lines are ordered by their time', () => {
    expect(merge('- 09:00 a\n', '- 09:00 a\n- 11:00 c\n', '- 09:00 a\n- 10:00 b\n').text).toBe(
      '- 09:00 a\n- 10:00 b\n- 11:00 c\n',
    );
  });

  test('without a time ours come first', () => {
    expect(merge('## F\n\n- a\n\n## G\n', '## F\n\n- a\n- b\n\n## G\n', '## F\n\n- a\n- c\n\n## G\n').text).toBe(
      '## F\n\n- a\n- b\n- c\n\n## G\n',
    );
  });

  test('a bullet stays in its section when the other side adds a section behind it', () => {
    const expected = '## F\n\n- a\n- c\n\n## New\n\n- n\n';
    expect(merge('## F\n\n- a\n', '## F\n\n- a\n\n## New\n\n- n\n', '## F\n\n- a\n- c\n').text).toBe(expected);
    expect(merge('## F\n\n- a\n', '## F\n\n- a\n- c\n', '## F\n\n- a\n\n## New\n\n- n\n').text).toBe(expected);
  });

  test('a section both sides made becomes one, equal additions collapse', () => {
    expect(merge('# T\n', '# T\n\n## F\n\n- a\n- b\n', '# T\n\n## F\n\n- a\n- c\n').text).toBe(
      '# T\n\n## F\n\n- a\n- b\n- c\n',
    );
    expect(merge(DAY, `${DAY}\nsame\n\nours\n`, `${DAY}\nsame\n`).text).toBe(`${DAY}\nsame\n\nours\n`);
  });

  test('two new files become one', () => {
    expect(merge('', '# A\n\nx\n', '# B\n\ny\n').text).toBe('# A\n\nx\n\n# B\n\ny\n');
  });
});

describe('conflicts', () => {
  test('both edited: theirs, then ours under a new anchor', () => {
    const result = mergeDocuments(
      { base: '- one two ^x\n- z\n', ours: '- one four ^x\n- z\n', theirs: '- one three ^x\n- z\n' },
      { newId: () => 'new-id' },
    );
    expect(result).toEqual({
      text: '- one three ^x\n- one four ^new-id\n- z\n',
      conflicts: [
        { kind: 'both-edited', key: undefined, base: '- one two ^x', ours: '- one four ^x', theirs: '- one three ^x' },
      ],
    });
  });

  test('without a source of ids the second copy has no anchor', () => {
    const texts = { base: 'one two ^x\n', ours: 'one four ^x\n', theirs: 'one three ^x\n' };
    expect(mergeDocuments(texts).text).toBe('one three ^x\n\none four\n');
  });

  test('edited here, deleted there: the edit stays', () => {
    expect(merge('- a\n- b c d\n', '- a\n', '- a\n- b c e\n')).toEqual({
      text: '- a\n- b c e\n',
      kinds: ['ours-deleted'],
    });
    expect(merge('- a\n- b c d\n', '- a\n- b c e\n', '- a\n')).toEqual({
      text: '- a\n- b c e\n',
      kinds: ['theirs-deleted'],
    });
  });

  test('what is written under a heading that was deleted keeps its heading', () => {
    const base = '# T\n\n## F\n\n- a\n\n## G\n\n- g\n';
    const result = merge(base, '# T\n\n## G\n\n- g\n', base.replace('- a\n', '- a\n- c\n'));
    expect(result).toEqual({ text: '# T\n\n## F\n\n- c\n\n## G\n\n- g\n', kinds: ['ours-deleted'] });
  });

  test('a heading taken away from text that stays is simply gone', () => {
    const base = '# T\n\n## F\n\n- a\n';
    expect(merge(base, '# T\n\n- a\n', `${base}- b\n`)).toEqual({ text: '# T\n\n- a\n- b\n', kinds: [] });
  });
});

describe('no conflict', () => {
  test('an anchor here and an edit there', () => {
    expect(merge('- a b c\n- z\n', '- a b c ^x\n- z\n', '- a b d\n- z\n')).toEqual({
      text: '- a b d ^x\n- z\n',
      kinds: [],
    });
  });

  test('a move here and an edit there', () => {
    const expected = { text: '- b\n- c\n- a edited ^x\n', kinds: [] };
    expect(merge('- a ^x\n- b\n- c\n', '- b\n- c\n- a ^x\n', '- a edited ^x\n- b\n- c\n')).toEqual(expected);
    expect(merge('- a ^x\n- b\n- c\n', '- a edited ^x\n- b\n- c\n', '- b\n- c\n- a ^x\n')).toEqual(expected);
  });

  test('blank lines here and text there', () => {
    expect(merge('a\n\n\n\nb\n', 'a\n\nb\n', 'a\n\n\n\nB b\n')).toEqual({ text: 'a\n\nB b\n', kinds: [] });
  });

  test('line ends: theirs stay', () => {
    expect(merge('a\r\n\r\nb\r\n', 'a\n\nb\n\nc\n', 'a\r\n\r\nB\r\n')).toEqual({
      text: 'a\r\n\r\nB\r\n\r\nc\r\n',
      kinds: [],
    });
  });

  test('a fence left open does not swallow what follows it', () => {
    expect(merge('a\n', 'a\n\n```\nopen', 'a\n\nnew text\n').text).toBe('a\n\n```\nopen\n```\n\nnew text\n');
  });
});

describe('frontmatter', () => {
  const head = (lines: string): string => `---\n${lines}---\ntext\n`;

  test('keys merge one by one, added ones behind the key they followed', () => {
    const result = merge(
      head('a: 1\nb: 2\nc: 3\n'),
      head('a: 9\nnew: x # why\nb: 2\nc: 3\n'),
      head('# top\na: 1\nb: 2\n'),
    );
    expect(result).toEqual({ text: head('# top\na: 9\nnew: x # why\nb: 2\n'), kinds: [] });
  });

  test('a key changed on both sides keeps theirs and reports ours', () => {
    const { text, conflicts } = mergeDocuments({ base: head('a: 1\n'), ours: head('a: 2\n'), theirs: head('a: 3\n') });
    expect(text).toBe(head('a: 3\n'));
    expect(conflicts).toEqual([{ kind: 'both-edited', key: 'a', base: 'a: 1\n', ours: 'a: 2\n', theirs: 'a: 3\n' }]);
  });

  test('lists merge by element, and the later update stands', () => {
    const result = merge(
      head('tags: [x, old]\nupdated: 2026-01-01\n'),
      head('tags: [x, y]\nupdated: 2026-01-03\n'),
      head('tags: [z, x, old]\nupdated: 2026-01-02\n'),
    );
    expect(result).toEqual({ text: head('tags: [z, x, y]\nupdated: 2026-01-03\n'), kinds: [] });
  });

  test('made on one side, with an edit on the other', () => {
    expect(merge('text\n', '---\na: 1\n---\ntext\n', 'text\n\nmore\n').text).toBe('---\na: 1\n---\ntext\n\nmore\n');
  });

  test('a merge that would break the YAML leaves theirs', () => {
    const result = merge(head('a: &x 1\nb: 2\n'), head('a: &x 1\nb: *x\n'), head('b: 2\n'));
    expect(result).toEqual({ text: head('b: 2\n'), kinds: ['both-edited'] });
  });
});

describe('undo', () => {
  test('takes back one change among later ones', () => {
    const result = undoChange({ before: '- a\n', after: '- a\n- b\n', current: '- a\n- b\n- c\n' });
    expect(result).toEqual({ text: '- a\n- c\n', conflicts: [] });
    const restored = undoChange({ before: '- a\n- b\n', after: '- b\n', current: '- b\n- c\n' });
    expect(restored).toEqual({ text: '- a\n- b\n- c\n', conflicts: [] });
  });

  test('keeps the current text where it was changed again, and says so', () => {
    const result = undoChange({ before: '- a one\n', after: '- a two\n', current: '- a three\n' });
    expect(result.text).toBe('- a three\n');
    expect(result.conflicts).toMatchObject([{ kind: 'both-edited', ours: '- a one' }]);
  });
});

describe('versions', () => {
  test('a stale save is recognised as an edit of the older version', () => {
    const old = '- a\n- b\n';
    const newest = '- a\n- b\n- machine\n';
    expect(pickMergeBase([newest, old], '- a\n- b edited\n')).toBe(1);
    expect(pickMergeBase([newest, old], '- a edited\n- b\n- machine\n')).toBe(0);
    expect(pickMergeBase([old, '- x\n', old], old)).toBe(0);
    expect(pickMergeBase([], old)).toBe(-1);
  });

  test('a diff names what was added, removed and changed', () => {
    const diff = diffBlocks(
      '---\na: 1\nb: 2\n---\n- one two three\n- gone\n',
      '---\na: 1\nb: 3\n---\n\n- one two four\n- x\n- y\n',
    );
    expect(diff.changed.map(({ before, after }) => [before.raw, after.raw])).toEqual([
      ['- one two three\n', '- one two four\n'],
    ]);
    expect(diff.removed.map((block) => block.raw)).toEqual(['- gone\n']);
    expect(diff.added.map((block) => block.raw)).toEqual(['- x\n', '- y\n']);
    expect(diff.changedKeys).toEqual(['b']);
  });
});

describe('entries of the same minute', () => {
  const entry = (id: string): string => `\n## 12:36 | fact\n<!-- source:user -->\nitem ${id} ^${id}k2m9x0q4t1za\n`;
  const day = (...ids: string[]): string => `# Day\n${ids.map(entry).join('')}`;

  test('keep their own heading and metadata when one side deletes the other entry', () => {
    const { text, conflicts } = mergeDocuments({ base: day('a'), ours: day(), theirs: day('b', 'c') });
    expect(text).toBe(day('b', 'c'));
    expect(conflicts).toEqual([]);
  });

  test('are one entry still when a side only gives it an anchor', () => {
    const base = day('a').replace(/ \^\S+/, '');
    const ours = base.replace('| fact', '| decision');
    expect(mergeDocuments({ base, ours, theirs: day('a') }).text).toBe(day('a').replace('| fact', '| decision'));
  });
});
