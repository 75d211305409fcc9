import { describe, expect, it } from 'vitest';
import { MnemeError } from '../../model/errors.ts';
import { toMcpError } from './tool-error.ts';

const places = { home: '/h', workspace: undefined, userHome: undefined };

describe('what a client is told to do', () => {
  it.each([
    ['Use --tokens for as much as fits, or raise x.', 'Use "tokens" for as much as fits, or raise x.'],
    ['Leave out --at.', 'Leave out "at".'],
    ['`mneme recall --json` shows it.', '`mneme recall --json` shows it.'],
    ['A person types: mneme forget --confirm X', 'A person types: mneme forget --confirm X'],
  ])('names parameters, and commands as they are typed: %s', (hint, told) => {
    expect(toMcpError(new MnemeError('usage', 'no', { hint }), places).hint).toBe(told);
  });
});
