import { describe, expect, it } from 'vitest';
import { isScope, isTrustedAtLeast, lowestTrust, scopeCanSee, scopeFolder } from './provenance.ts';

describe('trust', () => {
  it('of something derived is the lowest of its evidence', () => {
    expect(lowestTrust(['user', 'agent', 'import'])).toBe('import');
    expect(lowestTrust(['user'])).toBe('user');
  });

  it('is ordered from the user to the outside', () => {
    expect(isTrustedAtLeast('user', 'agent')).toBe(true);
    expect(isTrustedAtLeast('external', 'agent')).toBe(false);
  });
});

describe('a scope', () => {
  it.each(['shared', 'project:apollo', 'user:anna.b', 'channel:c_1', 'agent:coder'])('%s is one', (text) => {
    expect(isScope(text)).toBe(true);
  });

  it.each(['', 'project:', 'project:../x', 'team:x', 'project:A B', 'Project:x'])('%j is none', (text) => {
    expect(isScope(text)).toBe(false);
  });

  it('is seen from inside only, the shared one from everywhere', () => {
    expect(scopeCanSee('project:apollo', 'shared')).toBe(true);
    expect(scopeCanSee('project:apollo', 'project:apollo')).toBe(true);
    expect(scopeCanSee('project:apollo', 'project:zeus')).toBe(false);
    expect(scopeCanSee('shared', 'project:apollo')).toBe(false);
  });

  it('has a folder of its own', () => {
    expect(scopeFolder('shared')).toBe('');
    expect(scopeFolder('project:apollo')).toBe('memory/scopes/project--apollo/');
  });
});
