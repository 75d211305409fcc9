import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMnemeError } from '../../model/errors.ts';
import { writeMessage } from './json-message.ts';
import type { ContextMessage } from './message.ts';
import { readMessages, windowName, type ReadWindow } from './read-messages.ts';

const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

describe('reading a window', () => {
  it('takes a transcript, with its session and its turns', () => {
    const text =
      '---\nsession_id: ses_1\nstarted: 2026-02-16T18:45:00Z\n---\n# Talk\n\n## 18:45 — user (Lea)\n\nHello\n\n## 18:46 — agent\n\nHi\n> [tool:Bash] ls → a b\n';
    expect(readMessages(text, 'x.md')).toEqual({
      format: 'transcript',
      session: 'ses_1',
      skipped: 0,
      messages: [
        { id: 't1', role: 'user', name: 'Lea', text: 'Hello', time: '2026-02-16T18:45' },
        { id: 't2', role: 'agent', text: 'Hi\n> [tool:Bash] ls → a b', time: '2026-02-16T18:46' },
      ],
    });
  });

  it.each([
    ['JSON lines', lines({ role: 'user', content: 'a' }, { role: 'assistant', text: 'b' })],
    [
      'a list',
      JSON.stringify([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ]),
    ],
    [
      'a request',
      JSON.stringify({
        model: 'm',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      }),
    ],
    [
      'an agent’s log',
      lines(
        { type: 'user', message: { role: 'user', content: 'a' } },
        { message: { role: 'assistant', content: [{ type: 'text', text: 'b' }] } },
      ),
    ],
    [
      'Windows line ends and a mark',
      `\uFEFF${lines({ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }).replace('\n', '\r\n')}`,
    ],
  ])('takes %s', (_name, text) => {
    const { messages, skipped } = readMessages(text, 'x');
    expect(messages.map(({ id, role, spokenRole, text: said }) => [id, role, spokenRole, said])).toEqual([
      ['m1', 'user', 'user', 'a'],
      ['m2', 'agent', 'assistant', 'b'],
    ]);
    expect(skipped).toBe(0);
  });

  it('hears what tools gave back as a tool, and calls as lines', () => {
    const { messages } = readMessages(
      lines(
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'Bash', arguments: '{"c":"ls"}' } }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'a\nb' }] }] },
        { role: 'assistant', content: [{ type: 'tool_use', name: 'Read', input: { path: 'x' } }] },
        { role: 'tool', content: 'done' },
      ),
      'x',
    );
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['agent', '> [tool:Bash] {"c":"ls"}'],
      ['tool', 'a\nb'],
      ['agent', '> [tool:Read] {"path":"x"}'],
      ['tool', 'done'],
    ]);
  });

  it('counts what holds no message, and never takes two messages for one', () => {
    const { messages, skipped } = readMessages(
      lines(
        { role: 'user', content: 'a', turn: 't1' },
        5,
        { role: 'nobody', content: 'x' },
        { role: 'user', content: ' ' },
        { role: 'user', content: 'b', turn: 't1' },
        { role: 'user', content: 'c', turn: 'm2' },
      ),
      'x',
    );
    expect(skipped).toBe(3);
    expect(messages.map(({ id }) => id)).toEqual(['t1', 'm2', 'm3']);
  });

  it('does not believe just anybody that a message is a summary', () => {
    const compacted = { from: 't1', to: 't4', messages: 4, session: 'ses_1' };
    const text = lines(
      { role: 'user', content: 'a', compacted },
      { role: 'user', content: 'b', name: 'mneme-summary', compacted },
    );
    const { messages, session } = readMessages(text, 'x');
    expect(messages.map(({ standsFor }) => standsFor)).toEqual([undefined, compacted]);
    expect(session).toBe('ses_1');
  });

  it('never fails but by saying that there is no message', () => {
    const tryRead = (text: string): ReadWindow | undefined => {
      try {
        return readMessages(text, 'x');
      } catch (error) {
        if (isMnemeError(error, 'usage')) return undefined;
        throw error;
      }
    };
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.json()).map((all) => all.join('\n')),
        ),
        (text) => {
          const ids = tryRead(text)?.messages.map(({ id }) => id) ?? [];
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  it('reads back what was written', () => {
    const role = fc.constantFrom('user', 'assistant', 'system', 'tool');
    const content = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.record({ role, content, critical: fc.boolean() }), { minLength: 1 }), (all) => {
        const { messages } = readMessages(JSON.stringify(all), 'x');
        const again = readMessages(lines(...messages.map((message) => writeMessage(message))), 'x');
        const words = ({ original: _original, ...message }: ContextMessage): unknown => message;
        expect(again.messages.map(words)).toEqual(messages.map(words));
        expect(windowName(again.messages)).toBe(windowName(messages));
      }),
    );
  });
});
