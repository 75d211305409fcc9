import { describe, expect, it } from 'vitest';
import { findEvent, parseClaudeCodeInput } from './claude-code-input.ts';

describe('the input of a hook', () => {
  it('names its event on the command line or in itself', () => {
    expect(findEvent('session-start')).toBe('SessionStart');
    expect(parseClaudeCodeInput('{"hook_event_name": "Stop"}', undefined).event).toBe('Stop');
    expect(parseClaudeCodeInput('{"hook_event_name": "Stop"}', 'pre-compact').event).toBe('PreCompact');
    expect(() => parseClaudeCodeInput('{}', undefined)).toThrow('no event was named');
    expect(() => parseClaudeCodeInput('{"hook_event_name": "PostToolUse"}', undefined)).toThrow('nothing to do on');
  });

  it('may lack everything else, or hold it in another shape', () => {
    const input = parseClaudeCodeInput('{"prompt": 7, "source": null, "cwd": ["x"], "transcript_path": ""}', 'Stop');
    expect(input).toEqual({
      event: 'Stop',
      transcriptPath: undefined,
      folder: undefined,
      prompt: undefined,
      source: undefined,
    });
  });

  it.each(['', '  \n', 'null', '[]', '"text"', '{"a"'])('is refused when it is %j', (text) => {
    expect(() => parseClaudeCodeInput(text, 'Stop')).toThrow('standard input');
  });
});
