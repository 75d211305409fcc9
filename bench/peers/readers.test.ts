import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { fts5 } from './fts5.ts';
import { readAny } from './read-any.ts';
import { renderPeers } from './render.ts';

function write(content: unknown): string {
  const file = path.join(makeTemporaryFolder(), 'data.json');
  fs.writeFileSync(file, JSON.stringify(content));
  return file;
}

const LOCOMO = [
  {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ines',
      speaker_b: 'Ola',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Ines', dia_id: 'D1:1', text: 'I planted a quince tree.' },
        { speaker: 'Ola', dia_id: 'D1:2', text: 'Where?' },
      ],
      session_10_date_time: '2:00 am on 1 June, 2023',
      session_10: [{ speaker: 'Ola', dia_id: 'D10:1', text: 'The boat is sold.' }],
    },
    qa: [
      { question: 'What did Ines plant?', answer: 'a quince', evidence: ['D1:1; D10:1'], category: 1 },
      { question: 'Who is the mayor?', evidence: ['D1:1'], category: 5 },
    ],
  },
];

const LONG_MEM_EVAL = [
  {
    question_id: 'q1',
    question_type: 'single-session-user',
    question: 'Which bakery do I like?',
    answer: 'Brod',
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
    haystack_session_ids: ['s1', 's2'],
    haystack_sessions: [
      [
        { role: 'user', content: 'I like the bakery Brod.', has_answer: true },
        { role: 'assistant', content: 'Noted.', has_answer: false },
      ],
      [{ role: 'user', content: 'It rains.' }],
    ],
    answer_session_ids: ['s1'],
  },
  {
    question_id: 'q2_abs',
    question: 'Which bank do I use?',
    haystack_dates: ['2023/05/20 (Sat) 02:21'],
    haystack_session_ids: ['s1'],
    haystack_sessions: [[{ role: 'user', content: 'It rains.' }]],
  },
];

describe('bench:peers reads what others publish', () => {
  it('LoCoMo: sessions in order, evidence that names several turns, no unanswerable questions', () => {
    const [conversation, ...others] = readAny(write(LOCOMO));
    expect(others).toEqual([]);
    expect(conversation?.sessions.map(({ id, turns }) => [id, turns.length])).toEqual([
      ['1', 2],
      ['10', 1],
    ]);
    expect(new Date(conversation?.sessions[0]?.startedMs ?? 0).toISOString()).toBe('2023-05-08T13:56:00.000Z');
    expect(conversation?.questions.map(({ text, evidence }) => [text, evidence.map(({ id }) => id)])).toEqual([
      ['What did Ines plant?', ['D1:1', 'D10:1']],
    ]);
  });

  it('LongMemEval: a history for each question, without those that nothing answers', () => {
    const [conversation, ...others] = readAny(write(LONG_MEM_EVAL));
    expect(others).toEqual([]);
    expect(conversation?.questions[0]?.evidence.map(({ text }) => text)).toEqual(['I like the bakery Brod.']);
    expect([...(conversation?.questions[0]?.sessions ?? [])]).toEqual(['s1']);
    expect(conversation?.sessions[0]?.turns[1]).toMatchObject({ speaker: 'agent', text: 'Noted.' });
    expect(new Date(conversation?.sessions[1]?.startedMs ?? 0).toISOString()).toBe('2023-05-21T10:00:00.000Z');
  });

  it('says that another file is neither', () => {
    expect(() => readAny(write([{ a: 1 }]))).toThrow("neither LoCoMo's nor LongMemEval's");
  });
});

it('the baseline finds the turn, and repeats none', async () => {
  const [conversation] = readAny(write(LOCOMO));
  if (conversation === undefined) throw new Error('nothing was read');
  const folder = makeTemporaryFolder();
  const built = await fts5.build(conversation, folder);
  const answer = await built.ask('What did Ines plant?');
  await built.close();
  const text = 'texts' in answer ? answer.texts.join('\n') : '';
  expect(text.match(/quince/gu)).toHaveLength(1);
});

it('a peer without figures stands in the table with the reason', () => {
  const page = renderPeers([{ name: 'x', version: '1', settings: 's', failure: 'could not be installed: 404' }], {
    date: '2026-01-01',
    machine: 'm',
    data: 'd',
  });
  expect(page).toContain('| x 1 | could not be installed: 404 |');
});
