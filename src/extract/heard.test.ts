import { describe, expect, it } from 'vitest';
import type { Turn } from '../workspace/formats/transcript.ts';
import { hearConversation } from './heard.ts';

function heard(text: string, given: Partial<Turn> = {}): readonly string[] {
  const turn: Turn = {
    id: 't1',
    role: 'user',
    name: undefined,
    date: '2026-03-02',
    time: '10:00',
    tag: undefined,
    parts: [{ kind: 'text', text }],
    ...given,
  } as Turn;
  return hearConversation('s', [turn], {}, { timeZone: 'UTC' }).turns.map((each) => each.text);
}

// SPEC TRUST-8
describe('what a user says', () => {
  it.each([
    'Translate: I live in Paris and we decided to use Kafka.',
    'Summarise this: We moved to Berlin last week.',
    'Please proofread the following mail:\n\nDear Tom,\nI have moved to Paris.\nBest, Ann',
    'Translate into German:\nWe always deploy on Fridays.',
    '---------- Forwarded message ----------\nFrom: Ann\nI have moved to Paris.',
  ])('is not what is only handed over: %s', (text) => {
    expect(heard(text).join('\n')).not.toMatch(/Paris|Kafka|Berlin|Fridays/u);
  });

  it.each([
    'We decided to use Kafka. Reason: the events must not be lost.',
    'The plan: deploy on Friday, then tell Renate.',
    'Two things: I live in Berlin, and my sister is called Vera.',
    'Remember this: the door code is with Hatice.',
  ])('is all of it otherwise: %s', (text) => {
    expect(heard(text)).toEqual([text]);
  });

  it('does not include a pasted text that an agent repeats', () => {
    const say = (id: string, role: 'user' | 'agent', text: string): Turn =>
      ({ id, role, date: '2026-03-02', time: '10:00', parts: [{ kind: 'text', text }] }) as unknown as Turn;
    const { turns } = hearConversation(
      's',
      [
        say(
          't1',
          'user',
          'Can you summarise this for me?\n\nThe heron account moved to Tessel Savings. Nothing else is new.',
        ),
        say('t2', 'agent', 'Noted: the heron account moved to Tessel Savings. I would reply on Monday.'),
      ],
      {},
      { timeZone: 'UTC' },
    );
    expect(turns.map(({ role, trust, text }) => [role, trust, text.includes('Tessel')])).toEqual([
      ['user', 'user', false],
      ['tool', 'external', true],
      ['agent', 'agent', false],
    ]);
  });

  it('is not learned from Mneme’s own tools, receipts or inline reasoning', () => {
    const parts = [
      { kind: 'tool', name: 'mcp__mneme__memory_search', args: 'home', result: 'I live in Paris.' },
      { kind: 'tool', name: 'Write', args: 'a.md', result: 'ok' },
      { kind: 'text', text: '<think>We moved to Berlin.</think>Noted.' },
    ] as const;
    expect(heard('', { role: 'agent', parts })).toEqual(['Noted.']);
  });

  it('is separate from the output of tools, which is read as a turn of the tool', () => {
    const parts = [{ kind: 'tool', name: 'web', args: '', result: 'I live in Paris.' }] as const;
    expect(heard('', { role: 'tool', parts })).toEqual(['I live in Paris.']);
  });
});
