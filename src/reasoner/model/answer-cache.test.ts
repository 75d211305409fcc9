import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { createByteEraser } from '../../workspace/erase/matcher.ts';
import { AnswerCache, CACHE_FILE } from './answer-cache.ts';
import { NOW_MS, startHarness } from './testing/harness.ts';
import { DAY_MS } from '../../model/time.ts';

const QUESTION = { purpose: 'slug', promptVersion: 1, provider: 'anthropic', model: 'm', input: 'text' };

describe('the cache of answers', () => {
  it('knows an answer by everything that decides it', () => {
    const cache = new AnswerCache(makeTemporaryFolder(), { now: () => NOW_MS }, 30);
    cache.keep(QUESTION, { slug: 'x' });
    expect(cache.find(QUESTION)).toEqual({ slug: 'x' });
    const others = [
      { purpose: 'route' },
      { promptVersion: 2 },
      { provider: 'openai' },
      { model: 'n' },
      { input: 'other' },
    ];
    for (const other of others) expect(cache.find({ ...QUESTION, ...other })).toBeUndefined();
    cache.close();
  });

  it('forgets after the days that are set, and keeps nothing for none', () => {
    let nowMs = NOW_MS;
    const folder = makeTemporaryFolder();
    const cache = new AnswerCache(folder, { now: () => nowMs }, 2);
    cache.keep(QUESTION, 1);
    nowMs += 2 * DAY_MS + 1;
    expect(cache.find(QUESTION)).toBeUndefined();
    for (let count = 0; count < 51; count += 1) cache.keep({ ...QUESTION, input: `${count}` }, count);
    expect(cache.count()).toBe(51);
    cache.close();
    const none = new AnswerCache(path.join(folder, 'none'), { now: () => nowMs }, 0);
    none.keep(QUESTION, 1);
    expect([none.find(QUESTION), none.count(), fs.existsSync(path.join(folder, 'none'))]).toEqual([
      undefined,
      0,
      false,
    ]);
  });

  it('erases all of it, and says how many answers held the text', async () => {
    const folder = makeTemporaryFolder();
    const cache = new AnswerCache(folder, { now: () => NOW_MS }, 30);
    cache.keep(QUESTION, { slug: 'the secret of the old harbour master' });
    cache.keep({ ...QUESTION, input: 'other' }, { slug: 'weather' });
    const texts = ['the secret of the old harbour master'];
    const report = await cache.erase({ texts, replacement: '', erase: createByteEraser(texts, ''), actor: 'manual' });
    expect(report).toEqual({ where: 'answers of models', occurrences: 1 });
    const left = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name)).toString('latin1'));
    expect(left.join('')).not.toContain('harbour');
    expect(cache.find(QUESTION)).toBeUndefined();
    cache.close();
  });

  it('a damaged or deleted file is made anew', () => {
    const folder = makeTemporaryFolder();
    const first = new AnswerCache(folder, { now: () => NOW_MS }, 30);
    first.keep(QUESTION, 1);
    first.close();
    fs.writeFileSync(path.join(folder, CACHE_FILE), 'no database at all, just some words that are long enough');
    const cache = new AnswerCache(folder, { now: () => NOW_MS }, 30);
    expect(cache.find(QUESTION)).toBeUndefined();
    cache.keep(QUESTION, 2);
    expect(cache.find(QUESTION)).toBe(2);
    fs.rmSync(folder, { recursive: true });
    cache.keep(QUESTION, 3);
    expect(cache.find(QUESTION)).toBe(3);
    cache.close();
  });
});

describe('a question that was answered before', () => {
  const says = JSON.stringify({ slug: 'tile-cache' });

  it('costs nothing, in another process too', async () => {
    const first = await startHarness(() => says);
    await first.reasoner.ask('slug', { text: 'the tile cache' });
    const second = await startHarness(() => 'not asked', { home: first.home });
    const answer = await second.reasoner.ask('slug', { text: 'the tile cache' });
    expect(answer).toEqual({ output: 'tile-cache', by: 'claude-haiku-5-5', notes: [] });
    expect([second.server.requests, second.calls]).toEqual([[], []]);
    expect(first.ledger().today()).toHaveLength(1);
    await first.close();
    await second.close();
  });

  it('is asked again with another model, and when nothing is to be kept', async () => {
    const harness = await startHarness(() => says);
    await harness.reasoner.ask('slug', { text: 'the tile cache' });
    for (const options of [{ settings: { small_model: 'claude-opus-5-5' } }, { parts: { cacheDays: 0 } }]) {
      const other = await startHarness(() => says, { home: harness.home, ...options });
      await other.reasoner.ask('slug', { text: 'the tile cache' });
      expect(other.server.requests).toHaveLength(1);
      await other.close();
    }
    await harness.close();
  });

  it('a wrong answer is not kept', async () => {
    const harness = await startHarness(() => 'no JSON', { parts: { maxRepairs: 0 } });
    await harness.reasoner.ask('slug', { text: 'x' });
    await harness.reasoner.ask('slug', { text: 'x' });
    expect(harness.server.requests).toHaveLength(2);
    await harness.close();
  });
});
