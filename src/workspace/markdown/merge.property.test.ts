import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repetitions } from '../../../test/support/effort.ts';
import { parseDocument } from './document.ts';
import { findDuplicateAnchors } from './identity.ts';
import { alignKeys } from './merge/align.ts';
import { contentWithoutAnchor, takeApart } from './merge/units.ts';
import { mergeDocuments, undoChange } from './merge.ts';
import { anyText, blockSource, frontmatterSource, tidyText } from './testing/arbitraries.ts';

const RUNS = repetitions(300, 1500);

interface Draft {
  readonly head: string;
  readonly blocks: readonly string[];
}

type Change = readonly ['insert' | 'replace' | 'extend' | 'remove' | 'move', number, string];

const draft: fc.Arbitrary<Draft> = fc.record({
  head: frontmatterSource,
  blocks: fc.array(blockSource, { maxLength: 8 }),
});

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(fc.constantFrom('insert', 'replace', 'extend', 'remove', 'move'), fc.nat(), blockSource),
  { maxLength: 4 },
);

function write({ head, blocks }: Draft): string {
  return head + blocks.map((block) => `${block}\n\n`).join('');
}

function change(original: Draft, edits: readonly Change[]): Draft {
  const blocks = [...original.blocks];
  for (const [kind, seed, source] of edits) {
    const at = seed % (blocks.length + 1);
    if (kind === 'insert') blocks.splice(at, 0, source);
    else if (kind === 'replace') blocks.splice(at, 1, source);
    else if (kind === 'extend') blocks.splice(at, 1, (blocks[at] ?? 'new').replace(/(?= \^|\n|$)/, ` more ${seed}`));
    else if (kind === 'remove') blocks.splice(at, 1);
    else blocks.splice((at * 7) % (blocks.length + 1), 0, ...blocks.splice(at, 1));
  }
  return { head: original.head, blocks };
}

/** The texts of a body, block by block; without anchors, because a conflict may give the second copy another one. */
function contents(text: string): string[] {
  return takeApart(parseDocument(text).blocks).units.map(contentWithoutAnchor);
}

/** The lines of a body without anchors, for texts in which a line end may turn into white space or back. */
function bodyLines(text: string): Set<string> {
  const lines = parseDocument(text).blocks.flatMap((block) => block.raw.split('\n'));
  return new Set(
    lines.map((line) => line.replace(/(?:(?:^|\s+)\^[\w-]+)+\s*$/, '').trim()).filter((line) => line !== ''),
  );
}

function duplicates(text: string): string[] {
  return findDuplicateAnchors(parseDocument(text)).map((duplicate) => duplicate.id);
}

const threeDrafts = fc.tuple(draft, changes, changes).map(([base, ours, theirs]) => ({
  base: write(base),
  ours: write(change(base, ours)),
  theirs: write(change(base, theirs)),
}));

// SPEC FILE-2
describe('laws of merging', () => {
  test('a side that changed nothing has no say; equal changes are one change', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, side) => {
        expect(mergeDocuments({ base, ours: base, theirs: side })).toEqual({ text: side, conflicts: [] });
        expect(mergeDocuments({ base, ours: side, theirs: base })).toEqual({ text: side, conflicts: [] });
        expect(mergeDocuments({ base, ours: side, theirs: side })).toEqual({ text: side, conflicts: [] });
      }),
      { numRuns: RUNS },
    );
  });

  test('they hold for a part of the file as for the whole', () => {
    fc.assert(
      fc.property(draft, changes, (base, edits) => {
        const ours = change(base, edits);
        const around = (blocks: readonly string[], first: string): string =>
          write({ ...base, blocks: [first, '# T', ...blocks] });
        const texts = {
          base: around(base.blocks, 'one two three'),
          ours: around(ours.blocks, 'one two three'),
          theirs: around(base.blocks, 'one two four'),
        };
        const expected = around(ours.blocks, 'one two four');
        expect(mergeDocuments(texts)).toEqual({ text: expected, conflicts: [] });
        expect(mergeDocuments({ ...texts, ours: texts.theirs, theirs: texts.ours })).toEqual({
          text: expected,
          conflicts: [],
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('every block that either side wrote, or both kept, is in the result', () => {
    fc.assert(
      fc.property(threeDrafts, ({ base, ours, theirs }) => {
        const baseContents = contents(base);
        const isRepeated = (content: string): boolean =>
          baseContents.indexOf(content) !== baseContents.lastIndexOf(content);
        const [inOurs, inTheirs] = [new Set(contents(ours)), new Set(contents(theirs))];
        const written = inOurs.union(inTheirs).difference(new Set(baseContents));
        // Of a block that stood twice the sides may each have deleted another one.
        const kept = new Set([...inOurs.intersection(inTheirs)].filter((content) => !isRepeated(content)));
        const merged = new Set(contents(mergeDocuments({ base, ours, theirs }).text));
        expect([...written.union(kept).difference(merged)]).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('nothing appears that nobody wrote', () => {
    fc.assert(
      fc.property(threeDrafts, ({ base, ours, theirs }) => {
        const written = new Set([...contents(base), ...contents(ours), ...contents(theirs)]);
        for (const content of contents(mergeDocuments({ base, ours, theirs }).text)) expect(written).toContain(content);
      }),
      { numRuns: RUNS },
    );
  });

  test('no anchor appears twice that did not before', () => {
    fc.assert(
      fc.property(threeDrafts, ({ base, ours, theirs }) => {
        const known = new Set([...duplicates(ours), ...duplicates(theirs)]);
        expect(duplicates(mergeDocuments({ base, ours, theirs }).text).filter((id) => !known.has(id))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('any three texts merge without throwing, and every line a side wrote is still there', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (base, ours, theirs) => {
        const written = bodyLines(ours).union(bodyLines(theirs)).difference(bodyLines(base));
        const { text } = mergeDocuments({ base, ours, theirs });
        expect([...written.difference(bodyLines(text))]).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('laws of undo', () => {
  test('undoing the last change gives the text before it', () => {
    fc.assert(
      fc.property(tidyText, tidyText, (before, after) => {
        expect(undoChange({ before, after, current: after })).toEqual({ text: before, conflicts: [] });
      }),
      { numRuns: repetitions(100, 500) },
    );
  });

  test('undoing an append among other appends removes that one alone', () => {
    fc.assert(
      fc.property(draft, blockSource, blockSource, (base, first, second) => {
        fc.pre(first !== second && !base.blocks.includes(first));
        const before = write(base);
        const after = write({ ...base, blocks: [...base.blocks, '# Change', first] });
        const current = write({ ...base, blocks: [...base.blocks, '# Change', first, '# Later', second] });
        const expected = write({ ...base, blocks: [...base.blocks, '# Later', second] });
        const result = undoChange({ before, after, current });
        expect(result.conflicts).toEqual([]);
        expect(contents(result.text)).toEqual(contents(expected));
      }),
      { numRuns: repetitions(100, 500) },
    );
  });

  test('a conflict keeps the current block', () => {
    fc.assert(
      fc.property(threeDrafts, ({ base, ours, theirs }) => {
        const result = undoChange({ before: ours, after: base, current: theirs });
        const current = result.conflicts.flatMap((conflict) => contents(conflict.theirs ?? ''));
        expect(contents(result.text)).toEqual(expect.arrayContaining(current));
      }),
      { numRuns: repetitions(100, 500) },
    );
  });
});

test('an alignment pairs equal keys in order', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 30 });
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      const partners = [...alignKeys(a, b)];
      const used = partners.filter((partner) => partner !== -1);
      expect(used).toEqual(used.toSorted((left, right) => left - right));
      expect(new Set(used).size).toBe(used.length);
      const matched = [...a.keys()].filter((at) => partners[at] !== -1);
      expect(matched.map((at) => a[at])).toEqual(used.map((at) => b[at]));
    }),
    { numRuns: RUNS },
  );
});

test('20,000 blocks that repeat themselves and share no landmark still merge', () => {
  const base = '- x\n- y\n- y\n'.repeat(7000);
  const { text } = mergeDocuments({ base, ours: '- y\n- x\n- x\n'.repeat(7000), theirs: `- first\n${base}- last\n` });
  expect(text.startsWith('- first\n')).toBe(true);
  expect(text.endsWith('- last\n')).toBe(true);
});
