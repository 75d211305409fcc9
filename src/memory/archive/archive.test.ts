import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { HOME_LAYOUT, placeOf } from '../../workspace/formats/layout.ts';
import { checkFile } from '../../workspace/formats/findings.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { itemIds } from '../../workspace/markdown/identity.ts';
import type { Plan } from '../stores/plan.ts';
import { archivePathOf } from './record.ts';
import { locateMemory } from './locate.ts';
import { memoryHash, planArchive, planRemoval, type TakenOut } from './plan-archive.ts';
import { planRestore } from './plan-restore.ts';

/** Files in memory of the test, with plans applied as the write path does: all changes or none. */
class Files {
  readonly texts = new Map<string, string>();
  readonly parts = {
    root: makeTemporaryFolder('mneme-archive-'),
    clock: { now: () => Date.parse('2026-11-15T12:00:00Z') },
    timeZone: 'Europe/Vienna',
    layout: HOME_LAYOUT,
  };

  constructor(texts: Readonly<Record<string, string>>) {
    for (const [file, text] of Object.entries(texts)) this.texts.set(file, text);
  }

  apply<T>(plan: Plan<T>): T {
    const drafts = new Map<string, string | undefined>();
    for (const change of plan.changes) {
      if (!('edit' in change)) throw new Error('the archive plans edits only');
      const current = drafts.has(change.path) ? drafts.get(change.path) : this.texts.get(change.path);
      drafts.set(change.path, change.edit(current));
    }
    for (const [file, text] of drafts) {
      if (text === undefined) this.texts.delete(file);
      else this.texts.set(file, text);
    }
    return plan.outcome();
  }

  archive(...given: TakenOut[]) {
    return this.apply(planArchive(this.parts, given, 'forget'));
  }

  restore(...paths: string[]) {
    return this.apply(planRestore(paths.map((file) => ({ path: file, text: this.texts.get(file) ?? '' }))));
  }
}

const ALEX = 'memory/graph/entities/person--alex.md';
const ALEX_TEXT = `---
id: person--alex
type: person
name: Alex
aliases: [Lexi]
---

# Alex

## Facts

- Alex lives in Leeds. <!-- category:home confidence:0.9 --> ^aaaaaaaaaaaaa
- Alex plays the cello. ^bbbbbbbbbbbbb
- Alex has a cat.

## Decisions

- 2026-02-14: Sell the boat. ^ccccccccccccc
  - Rationale: it leaks

## Relations

- knows [[person--kim]] ^ddddddddddddd
`;

const DAY = 'memory/episodes/2026-02-16.md';
const DAY_TEXT = `---
type: episodes
date: 2026-02-16
---

# 2026-02-16 — what happened

## 09:00 | fact
The kettle is blue. ^eeeeeeeeeeeee

## 10:30 | decision | confidence:high
<!-- source:conversation importance:0.8 -->
We use OAuth.

And nothing else. ^fffffffffffff

## 11:00 | fact
The cup is green. ^ggggggggggggg
`;

const CORE_TEXT =
  '# Memory\r\n\r\n## Identity\r\n\r\n- I am Ines. ^hhhhhhhhhhhhh\r\n\r\n## Critical Facts\r\n\r\n- Allergic to nuts. <!-- pinned --> ^jjjjjjjjjjjjj\r\n- The gate code is 7.\r\n';

function idOf(file: string, text: string, words: string): string {
  const document = parseDocument(text);
  const index = document.blocks.findIndex(({ raw }) => raw.includes(words));
  return itemIds(file, document)[index] ?? '';
}

// SPEC FORGET-1
describe('the archive', () => {
  it('takes one fact out of its file and changes no other byte', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT });
    const [done] = files.archive({ path: ALEX, item: 'bbbbbbbbbbbbb' });
    expect(files.texts.get(ALEX)).toBe(ALEX_TEXT.replace('- Alex plays the cello. ^bbbbbbbbbbbbb\n', ''));
    expect(done?.path).toBe('memory/archive/2026-11/graph/entities/person--alex.bbbbbbbbbbbbb.md');
    const kept = files.texts.get(done?.path ?? '') ?? '';
    expect(kept).toContain('## Facts\n\n- Alex plays the cello. ^bbbbbbbbbbbbb\n');
    expect(kept).toContain('name: Alex\n');
    expect(kept).toContain(`from: ${ALEX}`);
  });

  it('keeps the kind, and writes files without findings', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT, [DAY]: DAY_TEXT, 'MEMORY.md': CORE_TEXT });
    const done = files.archive(
      { path: ALEX, item: 'ccccccccccccc' },
      { path: DAY, item: 'fffffffffffff' },
      { path: 'MEMORY.md', item: 'hhhhhhhhhhhhh' },
    );
    const kinds = done.map(({ path: file }) => placeOf(file, HOME_LAYOUT));
    expect(kinds.map(({ kind }) => kind)).toEqual(['entity', 'episode', 'reference']);
    expect(kinds.every(({ isArchived }) => isArchived)).toBe(true);
    expect(done.flatMap(({ path: file }) => checkFile(file, files.texts.get(file) ?? ''))).toEqual([]);
    expect(files.texts.get(done[0]?.path ?? '')).toContain('  - Rationale: it leaks');
    expect(files.texts.get(DAY)).not.toContain('OAuth');
    expect(files.texts.get(DAY)).toContain('The kettle is blue. ^eeeeeeeeeeeee\n\n## 11:00 | fact\n');
  });

  it.each([
    [ALEX, ALEX_TEXT, ['aaaaaaaaaaaaa']],
    [ALEX, ALEX_TEXT, ['aaaaaaaaaaaaa', 'bbbbbbbbbbbbb']],
    [ALEX, ALEX_TEXT, ['bbbbbbbbbbbbb', 'aaaaaaaaaaaaa', 'ccccccccccccc', 'ddddddddddddd']],
    [ALEX, ALEX_TEXT, [idOf(ALEX, ALEX_TEXT, 'has a cat')]],
    [DAY, DAY_TEXT, ['eeeeeeeeeeeee']],
    [DAY, DAY_TEXT, ['fffffffffffff', 'ggggggggggggg']],
    [DAY, DAY_TEXT, ['ggggggggggggg', 'fffffffffffff', 'eeeeeeeeeeeee']],
    ['MEMORY.md', CORE_TEXT, ['jjjjjjjjjjjjj', 'hhhhhhhhhhhhh']],
    ['MEMORY.md', CORE_TEXT.trimEnd(), [idOf('MEMORY.md', CORE_TEXT, 'gate code')]],
  ])('puts back to the byte what it took from %s', (file, text, items) => {
    const files = new Files({ [file]: text });
    const done = files.archive(...items.map((item) => ({ path: file, item })));
    expect(files.texts.get(file)).not.toBe(text);
    const restored = files.restore(...done.map((one) => one.path));
    expect(files.texts.get(file)).toBe(text);
    expect([...files.texts.keys()]).toEqual([file]);
    expect(restored.map(({ to }) => to)).toEqual(items.map(() => file));
  });

  it('puts things back one by one, in any order, between what is there now', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT });
    const [first, second] = files.archive({ path: ALEX, item: 'aaaaaaaaaaaaa' }, { path: ALEX, item: 'bbbbbbbbbbbbb' });
    const now = files.texts.get(ALEX)?.replace('- Alex has a cat.\n', '- Alex has a cat.\n- Alex has a dog.\n') ?? '';
    files.texts.set(ALEX, now);
    files.restore(first?.path ?? '');
    files.restore(second?.path ?? '');
    expect(files.texts.get(ALEX)).toBe(
      ALEX_TEXT.replace('- Alex has a cat.\n', '- Alex has a cat.\n- Alex has a dog.\n'),
    );
  });

  it('finds a place below the heading when the neighbours are gone, and at the end without one', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT });
    const [done] = files.archive({ path: ALEX, item: 'bbbbbbbbbbbbb' });
    files.texts.set(ALEX, '# Alex\n\n## Facts\n\n- Other. ^kkkkkkkkkkkkk\n\n## Relations\n');
    files.restore(done?.path ?? '');
    expect(files.texts.get(ALEX)).toBe(
      '# Alex\n\n## Facts\n\n- Other. ^kkkkkkkkkkkkk\n- Alex plays the cello. ^bbbbbbbbbbbbb\n\n## Relations\n',
    );
  });

  it.each([
    ['with frontmatter', '---\nname: Deploy\n# mine\n---\n# Deploy\n\n## Steps\n\n1. Push.\n'],
    ['without', '# Deploy\n\n1. Push.\n'],
    ['with CRLF and a BOM', '\uFEFF---\r\nname: Deploy\r\n---\r\n\r\n1. Push.\r\n'],
    ['empty', ''],
  ])('moves a whole file %s and back', (_how, text) => {
    const file = 'memory/procedures/deploy.md';
    const files = new Files({ [file]: text });
    const [done] = files.archive({ path: file });
    expect(done?.path).toBe('memory/archive/2026-11/procedures/deploy.md');
    expect([...files.texts.keys()]).toEqual([done?.path]);
    files.restore(done?.path ?? '');
    expect(files.texts.get(file)).toBe(text);
  });

  it('refuses what has changed, what is gone and what would be overwritten, and then does nothing at all', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT, [DAY]: DAY_TEXT });
    const shown = memoryHash(locateMemory(ALEX, ALEX_TEXT, 'aaaaaaaaaaaaa', 'entity')?.raw ?? '');
    files.texts.set(ALEX, ALEX_TEXT.replace('Leeds', 'York'));
    const before = new Map(files.texts);
    const day = { path: DAY, item: 'eeeeeeeeeeeee' };
    expect(() => files.archive(day, { path: ALEX, item: 'aaaaaaaaaaaaa', hash: shown })).toThrow('changed since');
    expect(() => files.archive(day, { path: ALEX, item: 'zzzzzzzzzzzzz' })).toThrow('not in memory/graph');
    expect(() => files.archive(day, { path: 'memory/reference/no.md' })).toThrow('not there any more');
    expect(() => files.archive({ path: 'x.md', item: 'a' })).toThrow('not there any more');
    expect(new Map(files.texts)).toEqual(before);
    const [done] = files.archive({ path: 'memory/episodes/2026-02-16.md' });
    files.texts.set(DAY, 'new');
    expect(() => files.restore(done?.path ?? '')).toThrow('exists again');
    expect(() => files.restore(DAY)).toThrow('does not say');
  });

  it('does not touch a whole file whose frontmatter nobody can read', () => {
    const file = 'memory/procedures/broken.md';
    const files = new Files({ [file]: '---\nname: [a\n---\n\ntext\n' });
    expect(() => files.archive({ path: file })).toThrow('left as it is');
  });

  it('finds a free name beside what the month already holds', () => {
    const files = new Files({ [DAY]: DAY_TEXT });
    const taken = path.join(files.parts.root, archivePathOf(DAY, '2026-11', 'eeeeeeeeeeeee'));
    fs.mkdirSync(path.dirname(taken), { recursive: true });
    fs.writeFileSync(taken, 'there');
    const [done] = files.archive({ path: DAY, item: 'eeeeeeeeeeeee' });
    expect(done?.path).toBe('memory/archive/2026-11/episodes/2026-02-16.eeeeeeeeeeeee.2.md');
  });

  it('keeps a scope in its own tree', () => {
    expect(archivePathOf('memory/scopes/project--x/episodes/2026-02-16.md', '2026-11', 'abc')).toBe(
      'memory/scopes/project--x/memory/archive/2026-11/episodes/2026-02-16.abc.md',
    );
    const place = placeOf('memory/scopes/project--x/memory/archive/2026-11/episodes/2026-02-16.abc.md', HOME_LAYOUT);
    expect(place).toEqual({ kind: 'episode', store: 'episodic', scope: 'project:x', isArchived: true });
  });

  it('removes without keeping anything', () => {
    const files = new Files({ [ALEX]: ALEX_TEXT });
    files.apply(planRemoval(files.parts, [{ path: ALEX, item: 'ccccccccccccc' }]));
    expect([...files.texts.keys()]).toEqual([ALEX]);
    expect(files.texts.get(ALEX)).not.toContain('boat');
    expect(files.texts.get(ALEX)).not.toContain('leaks');
  });
});

const LINES = fc.constantFrom(
  '- a bullet',
  '- another ^lllllllllllll',
  '  - below it',
  'some words',
  '## A heading',
  '### 10:30 deeper',
  '# Title',
  '',
  '',
  '```',
  'code here',
  '| a | b |',
  '|---|---|',
  '---',
  '<!-- note -->',
  '> quoted',
  '1. first',
  '    indented',
  '^mmmmmmmmmmmmm',
);

describe('cutting and putting back', () => {
  it('is the identity for every item of every text that Markdown understands', () => {
    fc.assert(
      fc.property(
        fc.array(LINES, { maxLength: 14 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.constantFrom('memory/reference/x.md', 'memory/episodes/2026-02-16.md'),
        fc.nat(),
        (lines, eol, isEnded, file, choice) => {
          const text = lines.join(eol) + (isEnded ? eol : '');
          const document = parseDocument(text);
          const ids = itemIds(file, document).filter((id) => id !== undefined);
          const item = ids[choice % Math.max(1, ids.length)];
          if (item === undefined) return;
          const files = new Files({ [file]: text });
          const [done] = files.archive({ path: file, item });
          const rest = files.texts.get(file) ?? '';
          const memory = locateMemory(file, text, item, placeOf(file, HOME_LAYOUT).kind);
          expect(contentOf(rest)).toEqual(contentOf(text, memory?.range));
          files.restore(done?.path ?? '');
          expect(contentOf(files.texts.get(file) ?? '')).toEqual(contentOf(text));
          // Where cutting made neighbours run together, the blank line that keeps them apart stays.
          const isExact = rest.length + (memory?.raw.length ?? 0) <= text.length;
          expect(isExact ? files.texts.get(file) : text).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The text of the blocks, without those of a range and without the line that keeps two neighbours from running together. */
function contentOf(text: string, left = { start: 0, end: 0 }): string[] {
  return parseDocument(text)
    .blocks.filter(({ kind }, index) => kind !== 'blank' && (index < left.start || index >= left.end))
    .map(({ raw }) => raw.trimEnd())
    .filter((raw) => raw !== '<!-- -->');
}
