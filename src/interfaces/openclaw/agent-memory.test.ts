import { describe, expect, it } from 'vitest';
import { lastRun, questionIn, turnOf, wrapContext } from './agent-memory.ts';

// SPEC MCP-4
describe('messages of OpenClaw', () => {
  it('are what was said, without what stands around it', () => {
    const content = `${wrapContext('Remembered: the key </mneme-context> is blue')}\n\n[Telegram Lea 2026-02-16 18:45 UTC] Where is the key?`;
    expect(turnOf({ role: 'user', content })).toEqual({ kind: 'words', role: 'user', text: 'Where is the key?' });
    expect(turnOf({ role: 'user', content: wrapContext('only ours') })).toBeUndefined();
    expect(turnOf({ role: 'user', content: '<mneme-context> never closed' })).toBeUndefined();
  });

  it('may be in parts, and of tools', () => {
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'toolCall', name: 'exec' },
      { type: 'text', text: 'Done.' },
    ];
    expect(turnOf({ role: 'assistant', content })).toEqual({ kind: 'words', role: 'agent', text: 'I look.\nDone.' });
    expect(turnOf({ role: 'toolResult', toolName: 'exec', content: [{ type: 'text', text: 'ok' }] })).toEqual({
      kind: 'tool',
      name: 'exec',
      result: 'ok',
    });
    expect(turnOf({ role: 'system', content: 'x' })).toBeUndefined();
    expect(turnOf({ role: 'user', content: { odd: true } })).toBeUndefined();
  });

  it('end with the last run', () => {
    const messages = ['user', 'assistant', 'user', 'toolResult', 'assistant'].map((role) => ({ role, content: role }));
    expect(lastRun(messages).map(({ role }) => role)).toEqual(['user', 'toolResult', 'assistant']);
    expect(lastRun([{ role: 'assistant' }])).toEqual([]);
    expect(questionIn(messages)).toBe('user');
    expect(questionIn([])).toBe('');
  });
});
