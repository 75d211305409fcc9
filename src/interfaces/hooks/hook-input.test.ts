import { describe, expect, it } from 'vitest';
import { findHookEvent, hookAgent } from '../../runtime/connect/hook-agents.ts';
import { parseHookInput } from './hook-input.ts';

const claude = hookAgent('claude-code');

describe('the input of a hook', () => {
  it('names its event on the command line or in itself', () => {
    expect(findHookEvent('session-start', claude)).toBe('SessionStart');
    expect(parseHookInput('{"hook_event_name": "Stop"}', undefined, claude).event).toBe('Stop');
    expect(parseHookInput('{"hook_event_name": "Stop"}', 'pre-compact', claude).event).toBe('PreCompact');
    expect(() => parseHookInput('{}', undefined, claude)).toThrow('no event was named');
    expect(() => parseHookInput('{"hook_event_name": "PostToolUse"}', undefined, claude)).toThrow('nothing to do on');
  });

  it('names its event as the program does', () => {
    const gemini = hookAgent('gemini');
    expect(parseHookInput('{"hook_event_name": "BeforeAgent"}', undefined, gemini).event).toBe('UserPromptSubmit');
    expect(parseHookInput('{"hook_event_name": "AfterAgent"}', undefined, gemini).event).toBe('Stop');
    expect(() => parseHookInput('{}', 'BeforeModel', gemini)).toThrow('nothing to do on');
  });

  it('may lack everything else, or hold it in another shape', () => {
    const input = parseHookInput('{"prompt": 7, "source": null, "cwd": ["x"], "transcript_path": ""}', 'Stop', claude);
    expect(input).toEqual({
      agent: claude,
      event: 'Stop',
      transcriptPath: undefined,
      folder: undefined,
      prompt: undefined,
      source: undefined,
    });
  });

  it.each(['', '  \n', 'null', '[]', '"text"', '{"a"'])('is refused when it is %j', (text) => {
    expect(() => parseHookInput(text, 'Stop', claude)).toThrow('standard input');
  });
});
