import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWorkspacePlace } from './memory-tool.ts';

// SPEC MCP-3
describe('memory paths', () => {
  it('lie in a folder of the workspace, or of a scope', () => {
    expect(toWorkspacePlace('/memories', 'shared')).toBe('memory/agent-notes');
    expect(toWorkspacePlace('/memories/a/b.txt', 'shared')).toBe('memory/agent-notes/a/b.txt');
    expect(toWorkspacePlace('/memories/a/', 'shared')).toBe('memory/agent-notes/a');
    expect(toWorkspacePlace('/memories/x', 'agent:scout')).toBe('memory/scopes/agent--scout/memory/agent-notes/x');
  });

  it.each([
    '/memories/../secrets.env',
    '/memories/../../secrets.env',
    '/memories/a/../../b',
    '/memories/./a',
    '/memories//a',
    '/memories/..\\..\\x',
    '/memories\\..\\x',
    '/memories/%2e%2e%2fx',
    '/memories/%2E%2E/x',
    '/memories/a%00.txt',
    '/memories/a\0.txt',
    '/memoriesx/a',
    '/memories/..',
    'memories/a',
    '/etc/passwd',
    '../memories/a',
    '~/memories',
    '',
    '/',
  ])('refuse %j', (given) => {
    expect(() => toWorkspacePlace(given, 'shared')).toThrow(/not a path below/u);
  });

  it('never leave the folder, whatever they are', () => {
    const part = fc.constantFrom('..', '.', '/', '\\', 'a', 'memories', '%2e', '%2F', '\0', ' ', '//', 'b.txt');
    const given = fc.array(part, { maxLength: 12 }).map((parts) => `/memories/${parts.join('')}`);
    fc.assert(
      fc.property(given, (path) => {
        const place = attempt(path);
        const names = place.split('/');
        expect(place.startsWith('memory/agent-notes')).toBe(true);
        expect(names.some((name) => ['..', '.', ''].includes(name))).toBe(false);
      }),
    );
  });
});

/** A refusal is as good as staying in the folder. */
function attempt(path: string): string {
  try {
    return toWorkspacePlace(path, 'shared');
  } catch (error) {
    if (String(error).includes('not a path below')) return 'memory/agent-notes';
    throw error;
  }
}
