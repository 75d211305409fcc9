import { describe, expect, it } from 'vitest';
import { MnemeError } from '../../model/errors.ts';
import { toMcpError } from './tool-error.ts';

const places = { home: '/h', workspace: undefined, userHome: undefined };

describe('what a client is told to do', () => {
  it.each([
    ['Use --tokens for as much as fits, or raise x.', 'Use "tokens" for as much as fits, or raise x.'],
    ['Leave out --at.', 'Leave out "at".'],
    ['`mneme recall --json` shows it.', 'memory_search shows it.'],
    ['Keep it as it is (`mneme remember --trust external`).', 'Keep it as it is (memory_write).'],
    ['Name it: mneme forget --confirm X', 'Name it: memory_forget'],
    ['Run `mneme index rebuild`.', 'Only the user can do this, in a terminal: Run `mneme index rebuild`.'],
  ])('names tools and parameters, and says whose commands are: %s', (hint, told) => {
    expect(toMcpError(new MnemeError('usage', 'no', { hint }), places).hint).toBe(told);
  });
});
