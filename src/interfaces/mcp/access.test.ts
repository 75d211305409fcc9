import { describe, expect, it } from 'vitest';
import { resolveAccess, scopeFor } from './access.ts';

describe('access', () => {
  it('is the configured mode with that mode’s actor', () => {
    expect(resolveAccess({ usualMode: 'full' })).toEqual({ mode: 'full', actor: 'bot:main' });
    expect(resolveAccess({ usualMode: 'full', mode: 'proposer' })).toEqual({ mode: 'proposer', actor: 'subagent:mcp' });
    expect(resolveAccess({ usualMode: 'read-only' })).toEqual({ mode: 'read-only', actor: 'reader:mcp' });
  });

  it('is never more than the actor’s role allows', () => {
    expect(resolveAccess({ usualMode: 'full', actor: 'subagent:scout' }).mode).toBe('proposer');
    expect(resolveAccess({ usualMode: 'full', actor: 'reader:audit' }).mode).toBe('read-only');
    expect(resolveAccess({ usualMode: 'proposer', actor: 'bot:main' }).mode).toBe('proposer');
    expect(resolveAccess({ usualMode: 'full', mode: 'read-only', actor: 'bot:main' }).mode).toBe('read-only');
    expect(() => resolveAccess({ usualMode: 'full', mode: 'full', actor: 'subagent:scout' })).toThrow(/may not/u);
  });

  it('of a confined client stays in its scope', () => {
    const confined = { mode: 'full', actor: 'bot:main', scope: 'project:apollo' } as const;
    expect(scopeFor(confined, undefined)).toBe('project:apollo');
    expect(scopeFor(confined, 'shared')).toBe('shared');
    expect(() => scopeFor(confined, 'project:zeus')).toThrow(/does not see/u);
    expect(scopeFor({ mode: 'full', actor: 'bot:main' }, 'project:zeus')).toBe('project:zeus');
  });
});
