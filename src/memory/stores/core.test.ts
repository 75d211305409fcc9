import { describe, expect, test } from 'vitest';
import { coreUsage } from '../../workspace/formats/core.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { coreBullets } from './core-bullets.ts';
import type { CoreChanged, NewCoreBullet } from './core.ts';
import { StoreHome } from './testing/store-home.ts';
import { defaultConfig } from '../../model/config/schema.ts';

const DAY = 'memory/episodes/2026-11-15.md';
const MOVE = { whenFull: 'move' } as const;

function add(home: StoreHome, bullet: Partial<NewCoreBullet> & { readonly text: string }): CoreChanged {
  return home.apply(home.core.planBullet({ block: 'Identity', ...bullet }, MOVE));
}

function textsOf(home: StoreHome): string[] {
  return coreBullets(parseDocument(home.read('MEMORY.md'))).map(({ text }) => text);
}

/** Four fit a block of 500 tokens. */
const long = (name: string): string => `${name} ${'abcd'.repeat(110)}`;

describe('core memory', () => {
  test('a bullet goes to its block, once', () => {
    const home = new StoreHome();
    home.write(
      'MEMORY.md',
      '---\ntype: memory\nupdated: 2020-01-01\n---\n\n## identity:\n* Lea, baker\n\n## Mine\n- x\n',
    );
    expect(add(home, { text: 'Speaks German.', states: 'f1' })).toMatchObject({ outcome: 'added', moved: [] });
    const text = home.read('MEMORY.md');
    expect(text).toMatch(
      /^---\ntype: memory\nupdated: 2026-11-15T12:00:00Z\n---\n\n## identity:\n\* Lea, baker\n- Speaks/u,
    );
    expect(text.endsWith('\n\n## Mine\n- x\n')).toBe(true);
    expect(add(home, { text: 'speaks german' })).toMatchObject({ outcome: 'present' });
    expect(home.read('MEMORY.md')).toBe(text);
    expect(home.files('memory/episodes')).toEqual([]);
  });

  test('an older value gives way in place, by the item it states', () => {
    const home = new StoreHome();
    add(home, { text: 'Lives in Munich.', states: 'munich' });
    add(home, { text: 'Has a dog.' });
    const outcome = add(home, { text: 'Lives in Berlin.', states: 'berlin', replaces: ['munich'] });
    expect(outcome).toMatchObject({ outcome: 'replaced', moved: [] });
    expect(textsOf(home)).toEqual(['Lives in Berlin.', 'Has a dog.']);
    expect(home.apply(home.core.planRetract('berlin'))).toMatchObject({ removed: [outcome.id], pinned: [] });
    expect(textsOf(home)).toEqual(['Has a dog.']);
  });

  test('what is pinned is neither replaced nor retracted', () => {
    const home = new StoreHome();
    home.write('MEMORY.md', '## Identity\n\n- Lives in Munich. <!-- pinned states:munich --> ^abc\n');
    add(home, { text: 'Lives in Berlin.', states: 'berlin', replaces: ['munich'] });
    expect(textsOf(home)).toEqual(['Lives in Munich.', 'Lives in Berlin.']);
    expect(home.apply(home.core.planRetract('munich'))).toEqual({ removed: [], pinned: ['abc'] });
  });

  test('a full block lets the least relevant go: linked both ways, under its id, with what stood below it', () => {
    const home = new StoreHome();
    home.write(
      'MEMORY.md',
      `## Identity\n\n- ${long('A')} <!-- importance:0.9 -->\n- ${long('B')} <!-- importance:0.2 source:user-explicit --> ^bbb\n  - and below\n- ${long('C')} <!-- pinned importance:0.1 -->\n- ${long('D')}\n`,
    );
    const { id, moved } = add(home, { text: long('E') });
    expect(moved).toMatchObject([{ id: 'bbb', block: 'Identity', to: DAY }]);
    expect(textsOf(home).map((text) => text[0])).toEqual(['A', 'C', 'D', 'E']);
    expect(home.read('MEMORY.md')).toContain(`related:[bbb] --> ^${id}`);
    expect(parseEpisodes(parseDocument(home.read(DAY))).entries).toMatchObject([
      {
        id: 'bbb',
        title: 'out of core memory, Identity',
        text: `${long('B')}\n- and below`,
        meta: { related: [id], source: 'user-explicit', importance: 0.2 },
      },
    ]);
  });

  test('where one line makes room enough, only that one goes', () => {
    const home = new StoreHome();
    const small = ['a', 'b', 'c'].map((id) => `- small ${id} <!-- importance:0.1 --> ^${id}aa`);
    const big = `- ${long('B')} <!-- importance:0.2 --> ^bbb`;
    const rest = ['C', 'D', 'E'].map((name) => `- ${long(name)} <!-- importance:0.9 --> ^${name.toLowerCase()}zz`);
    home.write('MEMORY.md', `## Identity\n\n${[...small, big, ...rest].join('\n')}\n`);
    expect(add(home, { text: long('F') }).moved.map(({ id }) => id)).toEqual(['bbb']);
  });

  test('a machine’s line is never bare, for a bare line counts as the user’s', () => {
    const home = new StoreHome();
    add(home, { text: 'Seems busy', meta: { source: 'conversation', trust: 'agent' } });
    expect(home.read('MEMORY.md')).toContain('- Seems busy <!-- learned:2026-11-15 -->');
  });

  test('what its store has already is only taken out; a given order counts', () => {
    const home = new StoreHome();
    for (const name of ['A', 'B', 'C', 'D']) add(home, { text: long(name), states: `fact-${name}` });
    const relevance = ({ text }: { readonly text: string }): number => (text.startsWith('C') ? 0 : 1);
    const plan = home.core.planBullet({ block: 'Identity', text: long('E') }, { whenFull: 'move', relevance });
    expect(home.apply(plan).moved).toMatchObject([{ to: 'fact-C' }]);
    expect(textsOf(home).map((text) => text[0])).toEqual(['A', 'B', 'D', 'E']);
    expect(home.files('memory/episodes')).toEqual([]);
  });

  test('full of what is pinned: the new one goes to its store, nothing else moves', () => {
    const home = new StoreHome();
    const pinned = ['A', 'B', 'C', 'D'].map((name) => `- ${long(name)} <!-- pinned -->\n`).join('');
    const before = `## Identity\n\n${pinned}- small\n`;
    home.write('MEMORY.md', before);
    const { id, outcome, moved } = add(home, { text: long('E') });
    expect([outcome, moved]).toEqual(['stored', []]);
    expect(home.read('MEMORY.md')).toBe(before);
    expect(parseEpisodes(parseDocument(home.read(DAY))).entries).toMatchObject([{ id, text: long('E') }]);
    expect(add(home, { text: long('F'), states: 'fact-F' }).outcome).toBe('stored');
    expect(home.read(DAY)).not.toContain('F abcd');
  });

  test('many writes: never above the caps, and nothing is lost', () => {
    const home = new StoreHome();
    const blocks = ['Identity', 'Active Context', 'Persona', 'Critical Facts'] as const;
    const texts = Array.from({ length: 90 }, (_, index) =>
      `n${index} ${'word '.repeat(8 + ((index * 37) % 60))}`.trim(),
    );
    texts.forEach((text, index) => {
      add(home, { text, block: blocks[(index * 7) % 4] ?? 'Identity', meta: { importance: ((index * 13) % 10) / 10 } });
      const usage = coreUsage(parseDocument(home.read('MEMORY.md')), defaultConfig().core);
      expect(usage.share).toBeLessThanOrEqual(1);
      for (const block of usage.blocks) expect(block.tokens).toBeLessThanOrEqual(block.maxTokens);
    });
    const kept = textsOf(home);
    const moved = home
      .files('memory/episodes')
      .flatMap((file) => parseEpisodes(parseDocument(home.read(`memory/episodes/${file}`))).entries)
      .map(({ text }) => text);
    expect(moved.length).toBeGreaterThan(10);
    expect([...kept, ...moved].sort()).toEqual(texts.toSorted());
  });
});
