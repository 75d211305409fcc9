import { describe, expect, it } from 'vitest';
import { isMnemeError } from '../model/errors.ts';
import { HOME_LAYOUT } from './formats/layout.ts';
import { MEMORY_TEMPLATE } from './formats/templates.ts';
import { createPolicy } from './policy.ts';

const policy = createPolicy(HOME_LAYOUT);

function attempt(path: string, after: string, actor: string, extra: { approval?: 'approved'; before?: string } = {}) {
  const { before, ...attribution } = extra;
  return () => policy({ path, before, after }, { actor, summary: '', changes: [], ...attribution });
}

function isRefused(error: unknown): boolean {
  return isMnemeError(error, 'refused');
}

// SPEC SAFETY-4
describe('the policy of the write path', () => {
  it.each(['SOUL.md', 'IDENTITY.md', 'USER.md', 'AGENTS.md', 'memory/vault/key.md'])(
    'lets only a person, or a person’s approval, change %s',
    (path) => {
      const text = path.includes('vault') ? 'x\n' : '---\ntype: identity\n---\n\n# Me\n';
      expect(attempt(path, text, 'bot:main')).toThrow(expect.toSatisfy(isRefused));
      expect(attempt(path, text, 'manual')).not.toThrow();
      expect(attempt(path, text, 'bot:commit-from:coder', { approval: 'approved' })).not.toThrow();
    },
  );

  it('keeps hands off generated files', () => {
    expect(attempt('memory/graph/index.md', 'x\n', 'manual')).toThrow('generated');
    expect(attempt('memory/graph/index.md', 'x\n', 'system:graph')).not.toThrow();
  });

  it('refuses what breaks a file, with the line', () => {
    expect(attempt('MEMORY.md', '---\ntype: [\n---\n', 'manual')).toThrow(/^MEMORY\.md:\d+: /u);
  });

  it('does not blame a change for faults that were there before', () => {
    const broken = '---\ntype: [\n---\n\nnote\n';
    expect(attempt('MEMORY.md', `${broken}\nmore\n`, 'manual', { before: broken })).not.toThrow();
  });

  it('stops a machine at the cap and warns a person from 90 %', () => {
    const fill = (tokens: number): string =>
      `${MEMORY_TEMPLATE}\n${`- ${'word '.repeat(79)}end\n`.repeat(tokens / 100)}`;
    expect(attempt('MEMORY.md', fill(3100), 'bot:main')).toThrow('full');
    expect(attempt('MEMORY.md', fill(3100), 'manual')()).not.toEqual([]);
    expect(attempt('MEMORY.md', fill(3600), 'manual')).toThrow(expect.toSatisfy(isRefused));
    expect(attempt('MEMORY.md', fill(800), 'bot:main')()).toEqual([]);
  });
});
