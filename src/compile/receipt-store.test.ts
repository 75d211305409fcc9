import fs from 'node:fs';
import path from 'node:path';
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { ReceiptStore } from './receipt-store.ts';
import type { StoredBriefing } from './receipt.ts';

function stored(id: string, prompt: string, clock = '2026-03-02T10:00:00.000Z'): StoredBriefing {
  return {
    prompt,
    tokens: 3,
    budget: 100,
    receipt: {
      id,
      mutation: null,
      journalEnd: '',
      configHash: 'c',
      embedder: 'none',
      embedderHash: '',
      tokenizer: 'estimate-2',
      clock,
      preset: 'hook',
      event: 'prompt',
      session: null,
      message: 'm',
      sha256: hash('sha256', prompt),
      decision: null,
      items: [],
    },
  };
}

describe('ReceiptStore', () => {
  it('keeps prompts by month and hash, and lists the latest first', async () => {
    const folder = makeTemporaryFolder();
    const store = new ReceiptStore(nodeFileSystem, folder);
    await store.write(stored('01A', 'first'));
    await store.write(stored('01C', 'third', '2026-04-01T00:00:00.000Z'));
    await store.write(stored('01B', 'second'));
    expect([...store.list()].map(({ prompt, isIntact }) => [prompt, isIntact])).toEqual([
      ['third', true],
      ['second', true],
      ['first', true],
    ]);
    const name = `01A-${hash('sha256', 'first').slice(0, 12)}.json`;
    expect(fs.existsSync(path.join(folder, 'receipts', '2026-03', name))).toBe(true);
  });

  it('says when a prompt is no longer what it was, and passes over a torn file', async () => {
    const folder = makeTemporaryFolder();
    const store = new ReceiptStore(nodeFileSystem, folder);
    await store.write(stored('01A', 'the secret of the lake'));
    await store.write(stored('01B', 'other'));
    const month = path.join(folder, 'receipts', '2026-03');
    const [first = '', second = ''] = fs.readdirSync(month).sort();
    const text = fs.readFileSync(path.join(month, first), 'utf8');
    fs.writeFileSync(path.join(month, first), text.replaceAll('secret of the lake', 'erased'));
    fs.writeFileSync(path.join(month, second), '{"receipt":');
    expect([...store.list()].map(({ prompt, isIntact }) => [prompt, isIntact])).toEqual([['the erased', false]]);
  });

  it('forgets the oldest', async () => {
    const store = new ReceiptStore(nodeFileSystem, makeTemporaryFolder(), 10);
    for (let number = 0; number < 111; number += 1)
      await store.write(stored(String(number).padStart(4, '0'), `p${number}`));
    const kept = [...store.list()].map(({ prompt }) => prompt);
    expect(kept).toHaveLength(10);
    expect(kept[0]).toBe('p110');
  });
});
