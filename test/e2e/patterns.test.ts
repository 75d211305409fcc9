import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { DAY_MS } from '../../src/model/time.ts';

/** A Monday. */
const START_MS = Date.UTC(2025, 0, 6);
const KEY = 'weekday retro 4';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'Europe/Berlin', isFull: false, command: ['mneme'] });
  writeYear(52);
  m = await openMneme({ home });
});
afterEach(() => m.close());

/** Mail on every day at changing hours, a retro on Fridays. */
function writeYear(weeks: number): void {
  const folder = path.join(home, 'workspace/memory/episodes');
  fs.mkdirSync(folder, { recursive: true });
  for (let day = 0; day < weeks * 7; day += 1) {
    const date = new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);
    const mail = `## ${String(8 + ((day * 5) % 12)).padStart(2, '0')}:10 | event | tags:[mail]\n\nAnswered mail.\n`;
    const retro = `\n## ${String(10 + (day % 5)).padStart(2, '0')}:30 | event | tags:[retro]\n\nHeld the retro.\n`;
    fs.writeFileSync(path.join(folder, `${date}.md`), `# ${date}\n\n${mail}${day % 7 === 4 ? retro : ''}`);
  }
}

const patternFiles = (): string[] =>
  fs.readdirSync(path.join(home, 'workspace/memory/procedures')).filter((name) => name.startsWith('pattern--'));

describe('patterns', () => {
  it('are shown with their counts and written only when asked for', async () => {
    const { patterns, occurrences, mutation } = await m.patterns();
    expect(occurrences).toBe(52 * 8);
    expect(patterns.find(({ key }) => key === KEY)).toMatchObject({
      held: 52,
      tried: 52,
      status: 'active',
      path: null,
    });
    expect(mutation).toBeNull();
    expect(fs.existsSync(path.join(home, 'workspace/memory/procedures'))).toBe(false);
  });

  it('become files once, keep what a person wrote there, and a fact when they are sure', async () => {
    const { patterns } = await m.patterns({ learn: true });
    const found = patterns.find(({ key }) => key === KEY);
    expect(found?.fact?.action).toBe('added');
    const name = patternFiles().find((each) => each.includes('weekday-retro')) ?? '';
    const file = path.join(home, 'workspace/memory/procedures', name);
    expect(fs.readFileSync(file, 'utf8')).toContain('"retro" usually happens on Fridays. 52 of 52 times');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/Have what .*/u, 'Book the small room.'));
    const before = patternFiles();
    const again = await m.patterns({ learn: true });
    expect(patternFiles()).toEqual(before);
    expect(fs.readFileSync(file, 'utf8')).toContain('Book the small room.');
    expect(again.patterns.find(({ key }) => key === KEY)?.fact?.action).not.toBe('added');
  });

  it('are retired when the episodes no longer show them, and so is what was concluded from them', async () => {
    const learned = await m.patterns({ learn: true });
    const fact = learned.patterns.find(({ key }) => key === KEY)?.fact;
    const readFact = (): string =>
      fs
        .readFileSync(path.join(home, 'workspace', fact?.path ?? ''), 'utf8')
        .split('\n')
        .find((line) => line.endsWith(`^${fact?.id}`)) ?? '';
    expect(readFact()).not.toContain('(until ');
    fs.rmSync(path.join(home, 'workspace/memory/episodes'), { recursive: true });
    const { retired, patterns } = await m.patterns({ learn: true });
    expect(patterns).toEqual([]);
    expect(retired).toHaveLength(patternFiles().length);
    expect(readFact()).toMatch(/^- ~~.*\(until 20/u);
    for (const name of patternFiles()) {
      expect(fs.readFileSync(path.join(home, 'workspace/memory/procedures', name), 'utf8')).toContain(
        'status: retired',
      );
    }
  });

  it('of one label are told apart: the day and the hour are two facts', async () => {
    const folder = path.join(home, 'workspace/memory/episodes');
    for (const name of fs.readdirSync(folder)) {
      const file = path.join(folder, name);
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/## \d\d:30/u, '## 10:30'));
    }
    const { patterns } = await m.patterns({ learn: true });
    const facts = patterns.filter(({ key }) => / retro/u.test(key)).map(({ fact }) => fact?.id);
    expect(facts.length).toBeGreaterThan(1);
    expect(new Set(facts).size).toBe(facts.length);
  });

  it('say nothing about files that cannot be understood', async () => {
    fs.writeFileSync(path.join(home, 'workspace/memory/episodes/2025-02-30.md'), '## 99:99 | what\n\n---\n\u0000');
    await expect(m.patterns()).resolves.toMatchObject({ occurrences: 52 * 8 });
  });
});
