import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { openMneme, type Mneme } from '../../src/index.ts';

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
  m = await openMneme({ home, actor: 'manual' });
});
afterEach(() => m.close());

async function converse(id: string, time: string, ...said: readonly string[]): Promise<void> {
  const session = await m.session.start({ id, user: 'Ines', project: 'lantern' });
  for (const text of said) await session.message('user', text, { time });
  await session.end();
}

const graph = (): string => {
  const folder = path.join(home, 'workspace/memory/graph/entities');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
};
const bullets = (word: string): string[] =>
  graph()
    .split('\n')
    .filter((line) => line.startsWith('- ') && line.includes(word));

// SPEC LEARN-8
describe('what no longer holds', () => {
  it('does not come back when its conversation is looked at again, or an older one comes in late', async () => {
    await converse('x1', '2026-01-10T10:00:00Z', 'We decided to use Kafka for the event bus.');
    await converse('x2', '2026-02-10T10:00:00Z', "We won't use Kafka after all.");
    await m.extract({});
    const before = graph();
    expect(bullets('Kafka')).toEqual([expect.stringMatching(/status:reversed|reversed/u)]);
    await m.extract({ sessions: ['x1'], again: true });
    expect(graph()).toBe(before);
    await converse('x0', '2026-01-02T10:00:00Z', 'We decided to use Kafka for the event bus.');
    await m.extract({});
    expect(bullets('Kafka')).toHaveLength(1);
    await converse('x3', '2026-03-10T10:00:00Z', 'We decided to use Kafka for the event bus.');
    await m.extract({});
    expect(bullets('Kafka')).toHaveLength(2);
  });

  it('is not added a second time as history', async () => {
    await converse('m1', '2026-01-10T10:00:00Z', 'I live in Munich.');
    await converse('m2', '2026-02-10T10:00:00Z', 'I moved to Berlin.');
    await m.extract({});
    await converse('m0', '2026-01-05T10:00:00Z', 'I live in Munich.');
    await m.extract({});
    await m.extract({ again: true });
    expect(bullets('Munich')).toHaveLength(1);
    expect(bullets('Berlin')).toHaveLength(1);
  });
});

describe('a wish to forget', () => {
  it('is no statement, and takes nothing back before it is confirmed', async () => {
    await converse('f1', '2026-01-10T10:00:00Z', 'I live in Munich.');
    await m.extract({});
    const before = graph();
    await converse(
      'f2',
      '2026-02-10T10:00:00Z',
      'Forget what I said about Munich.',
      'Forget what I said about the staging server.',
    );
    const { sessions } = await m.extract({});
    expect(sessions[0]?.items).toEqual([]);
    expect(graph()).toBe(before);
  });
});

describe('a very long message', () => {
  it('is heard in whole sentences', async () => {
    const filler = 'The weather over the harbour was grey and it rained a little. ';
    const cut = 'I live in Munich because of the mountains. ';
    const repeat = (times: number): string => filler.repeat(times);
    const head = repeat(60).slice(0, 3000 - 'I live in Mu'.length - 1);
    await converse('l1', '2026-01-10T10:00:00Z', `${head} ${cut}${repeat(200)}`);
    await m.extract({});
    expect(graph()).not.toContain('Mu');
  });
});
