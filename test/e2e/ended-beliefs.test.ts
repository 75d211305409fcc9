import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let home: string;
let m: Mneme;
let nowMs: number;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
  nowMs = Date.parse('2026-01-10T10:00:05Z');
  m = await openMneme({ home, actor: 'human:user', parts: { clock: { now: () => nowMs } } });
});
afterEach(() => m.close());

async function converse(id: string, time: string, ...said: readonly string[]): Promise<void> {
  nowMs = Date.parse(time);
  const session = await m.session.start({ id, user: 'Ines' });
  for (const text of said) await session.message('user', text, { time });
  await session.end();
  await m.extract({});
}

const read = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');
const core = (): string => read('MEMORY.md');
const lines = (word: string): string[] => {
  const folder = path.join(home, 'workspace/memory/graph/entities');
  return fs
    .readdirSync(folder)
    .flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('- ') && line.includes(word));
};

describe('a change that ends a belief', () => {
  it('updates the line of core memory that states it, in the same mutation', async () => {
    await m.remember('I live in Lisbon.');
    expect(core()).toContain('Lisbon');
    await converse('b1', '2026-02-10T10:00:00Z', 'I moved to Berlin.');
    expect(core()).not.toContain('Lisbon');
    expect(core()).toContain('Berlin');
    expect(lines('Lisbon')).toEqual([expect.stringContaining('~~')]);
  });

  it('comes back with its line of core memory when the superseding fact is rolled back by its id', async () => {
    await m.remember('I live in Lisbon.');
    const before = core();
    await converse('b1', '2026-02-10T10:00:00Z', 'I moved to Berlin.');
    const id = /\^([0-9a-z]+)$/u.exec(lines('Berlin')[0] ?? '')?.[1] ?? '';
    await m.rollback({ target: id });
    expect(lines('Berlin')).toEqual([]);
    expect(lines('Lisbon')).toEqual([expect.not.stringContaining('~~')]);
    expect(core().replace(/updated:.*/u, '')).toBe(before.replace(/updated:.*/u, ''));
  });

  it('wins within the minute in which the earlier statement was remembered', async () => {
    await m.remember('I live in Lisbon.');
    await converse('b1', '2026-01-10T10:00:00Z', 'I moved to Berlin.');
    expect(lines('Berlin')).toEqual([expect.not.stringContaining('~~')]);
    expect(lines('Lisbon')).toEqual([expect.stringContaining('~~')]);
  });
});
