import { describe, expect, it } from 'vitest';
import { configuredTokens, TokenTable } from './serve-http.ts';

const settings = (tokens: unknown[]): Parameters<typeof configuredTokens>[0] =>
  ({ tokens }) as unknown as Parameters<typeof configuredTokens>[0];

describe('tokens', () => {
  const access = { mode: 'full', actor: 'bot:main' } as const;
  const table = new TokenTable([{ name: 'default', token: 'open-sesame', access }]);

  it('are found in the header', () => {
    expect(table.find('Bearer open-sesame')?.access).toBe(access);
    expect(table.find('bearer  open-sesame ')?.name).toBe('default');
    expect(table.byName('default')).toBe(access);
  });

  it.each([undefined, '', 'open-sesame', 'Bearer', 'Bearer open', 'Bearer open-sesame2', 'Basic open-sesame'])(
    'refuse %j',
    (header) => {
      expect(table.find(header)).toBeUndefined();
    },
  );

  it('of the settings have roles and scopes, within the mode of the server', () => {
    const tokens = [
      { name: 'Ann', role: 'human', token_env: 'A' },
      { name: 'sub agent', role: 'subagent', token_env: 'B', scope: 'project:apollo' },
      { name: 'r', role: 'reader', token_env: 'C' },
    ];
    const found = configuredTokens(settings(tokens), 'full', (name) => `token-${name}`);
    expect(found.map(({ token, access: { actor, mode, scope } }) => [token, actor, mode, scope])).toEqual([
      ['token-A', 'bot:Ann', 'full', undefined],
      ['token-B', 'subagent:sub-agent', 'proposer', 'project:apollo'],
      ['token-C', 'reader:r', 'read-only', undefined],
    ]);
    const [person] = configuredTokens(settings(tokens.slice(0, 1)), 'read-only', () => 't');
    expect(person?.access.mode).toBe('read-only');
  });

  it('whose variable is not set are said', () => {
    const tokens = [{ name: 'ann', role: 'human', token_env: 'A' }];
    expect(() => configuredTokens(settings(tokens), 'full', () => undefined)).toThrow(/A is not set/u);
  });
});
