import { describe, expect, it } from 'vitest';
import type { ReceiptItem } from './piece.ts';
import { createDays } from './quote.ts';
import type { Receipt } from './receipt.ts';
import { showChance } from '../model/text.ts';
import { explainSilence } from './silence.ts';

const DAYS = createDays('UTC');

function item(id: string, changed: Partial<ReceiptItem> = {}): ReceiptItem {
  return {
    slot: 'P3',
    tag: 'memory',
    id,
    path: 'memory/a.md',
    source: 'conversation',
    session: null,
    turn: null,
    trust: 'user',
    scope: 'shared',
    time: '2026-03-02T10:00:00.000Z',
    form: null,
    tokens: 5,
    included: false,
    reason: 'left out',
    score: 0.4,
    scores: null,
    evidence: null,
    ...changed,
  };
}

function receipt(items: readonly ReceiptItem[], decision: Partial<Receipt['decision']> | null = {}): Receipt {
  const made = { value: 0.31, parts: [], threshold: 0.65, isRelevant: false, evidence: null, reason: 'no need' };
  return {
    id: 'R',
    mutation: null,
    journalEnd: '',
    configHash: '',
    embedder: '',
    embedderHash: '',
    tokenizer: '',
    clock: '2026-03-09T10:00:00.000Z',
    preset: 'hook',
    event: 'prompt',
    session: null,
    message: 'hello',
    sha256: '',
    decision: decision === null ? null : { ...made, ...decision },
    items,
  };
}

describe('explainSilence', () => {
  it('names the three memories most likely to help, with day and chance', () => {
    const items = [
      item('low', { chance: 0.001 }),
      item('high', { chance: 0.129 }),
      item('none'),
      item('middle', { chance: 0.05, time: null }),
      item('topic:x', { tag: 'topics', slot: 'P2' }),
    ];
    const texts = { high: 'The API listens\non port 8443.', middle: 'x'.repeat(400) };
    expect(explainSilence({ prompt: '', receipt: receipt(items) }, texts, DAYS)).toEqual({
      summary: 'Nothing was added: no need.',
      closest: [
        { id: 'high', line: '"The API listens on port 8443." (2026-03-02, helps with a chance of 12 %)' },
        { id: 'middle', line: `"${'x'.repeat(159)}…" (helps with a chance of 5 %)` },
        { id: 'low', line: 'A memory that is gone (2026-03-02, helps with a chance of under 1 %)' },
      ],
    });
  });

  it('says that needed memories were left out, and why each was', () => {
    const items = [item('a', { chance: 0.9, reason: 'already told in this session' })];
    const decision = { isRelevant: true, reason: 'memory is needed' };
    expect(explainSilence({ prompt: '', receipt: receipt(items, decision) }, { a: 'Yes' }, DAYS)).toEqual({
      summary: 'Nothing was added: memory is needed, but all of it was left out.',
      closest: [{ id: 'a', line: '"Yes" (2026-03-02, already told in this session)' }],
    });
  });

  it('speaks of memories alone when something else was added', () => {
    const said = explainSilence({ prompt: '<topics>', receipt: receipt([]) }, {}, DAYS);
    expect(said).toEqual({ summary: 'No memory was added: no need.', closest: [] });
  });

  it('is null when a memory was added, or no message was judged', () => {
    const told = receipt([item('a', { included: true })]);
    expect(explainSilence({ prompt: 'x', receipt: told }, {}, DAYS)).toBeNull();
    expect(explainSilence({ prompt: '', receipt: receipt([], null) }, {}, DAYS)).toBeNull();
  });
});

describe('showChance', () => {
  it('never shows a chance below a threshold as equal to it', () => {
    expect([0.6499, 0.65, 0.29, 0.009, 0, 1].map(showChance)).toEqual([
      '64 %',
      '65 %',
      '29 %',
      'under 1 %',
      'under 1 %',
      '100 %',
    ]);
  });
});
