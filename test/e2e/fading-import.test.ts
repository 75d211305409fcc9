import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { DAY_MS } from '../../src/model/time.ts';

const IMPORTED_MS = Date.UTC(2026, 10, 17, 9);
const SAID = [
  'Always use pnpm in this repository, never npm.',
  'I am allergic to penicillin.',
  'My name is Ines and I live in Porto.',
  'We decided to use Postgres 16 for the Lantern database.',
  'My sister Vera works at Nordwind.',
  'I have to renew my passport.',
  'The Lantern API listens on port 8443.',
];

let m: Mneme;
let nowMs: number;
let home: string;

beforeEach(async () => {
  nowMs = IMPORTED_MS;
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, actor: 'manual', parts: { clock: { ...systemClock, now: () => nowMs } } });
});
afterEach(() => m.close());

async function importAndLearn(): Promise<void> {
  const file = path.join(makeTemporaryFolder(), 'old.jsonl');
  const lines = SAID.flatMap((text, number) => {
    const time = new Date(Date.UTC(2026, 0, 5 + number, 10)).toISOString();
    const session = `old-${number}`;
    return [
      { session, time, role: 'user', name: 'Ines', text },
      { session, time, role: 'agent', text: 'Noted.' },
    ];
  });
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await m.import({ from: 'transcript', path: file });
  await m.extract({});
}

const weak = async (): Promise<number> => {
  const { total } = await m.decay.status();
  return total.dormant + total.faint;
};

describe('an import of conversations of ten months ago', () => {
  it('leaves nothing dormant, faint or proposed for the archive, and fades a month later', async () => {
    await importAndLearn();
    expect((await m.decay.status()).total.active).toBeGreaterThanOrEqual(SAID.length);
    expect(await weak()).toBe(0);
    expect((await m.decay.run({ dryRun: true })).candidates).toEqual([]);
    nowMs = IMPORTED_MS + 29 * DAY_MS;
    expect((await m.decay.run({ dryRun: true })).candidates).toEqual([]);
    nowMs = IMPORTED_MS + 200 * DAY_MS;
    expect(await weak()).toBeGreaterThan(0);
  });

  it('keeps rules, allergies and who the user is for good', async () => {
    await importAndLearn();
    nowMs = IMPORTED_MS + 900 * DAY_MS;
    const { hits } = await m.recall('pnpm npm penicillin allergic Porto name', { limit: 20 });
    const facts = hits.filter(({ path: file }) => file.startsWith('memory/graph/entities/'));
    for (const words of [/pnpm/u, /penicillin/u, /lives? in Porto/u]) {
      const fact = facts.find(({ text }) => words.test(text));
      expect(fact?.text).toMatch(words);
      expect((await m.decay.explain(fact?.id ?? '')).fading).toMatchObject({ status: 'active', relevance: 1 });
    }
  });

  it('keeps the day on which it was learned when it is imported and looked at again', async () => {
    await importAndLearn();
    const entities = path.join(home, 'workspace/memory/graph/entities');
    const page = (): string =>
      fs
        .readdirSync(entities)
        .map((name) => fs.readFileSync(path.join(entities, name), 'utf8'))
        .join('');
    const before = page();
    expect(before).toMatch(/ 2026-11-17 old-0#t1/u);
    nowMs = IMPORTED_MS + 20 * DAY_MS;
    await importAndLearn();
    await m.extract({ again: true, sessions: SAID.map((_, number) => `old-${number}`) });
    expect(page()).toBe(before);
  });
});
