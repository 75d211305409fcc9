import { describe, expect, it } from 'vitest';
import { hookCallOf } from './hook-call.ts';

describe('a call of a hook', () => {
  it.each([
    ['hook claude-code', { home: '/usual', agent: 'claude-code', event: undefined }],
    ['hook codex Stop', { home: '/usual', agent: 'codex', event: 'Stop' }],
    ['--home /own hook gemini SessionStart', { home: '/own', agent: 'gemini', event: 'SessionStart' }],
  ])('is known by its words: %s', (words, call) => {
    expect(hookCallOf(words.split(' '), '/usual')).toEqual(call);
  });

  it.each([
    '',
    'hook',
    'hook vim',
    'hook git-pre-commit',
    'hook claude-code --help',
    'hook claude-code Stop --json',
    '--home hook claude-code',
    '--json hook claude-code Stop',
    'recall hook',
  ])('leaves everything else to the command line: %s', (words) => {
    expect(hookCallOf(words.split(' '), '/usual')).toBeUndefined();
  });
});
