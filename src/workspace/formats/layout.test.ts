import { describe, expect, test } from 'vitest';
import {
  HOME_LAYOUT,
  OPENCLAW_LAYOUT,
  VAULT_LAYOUT,
  compileGlob,
  isGenerated,
  kindOfPath,
  placeOf,
  scopeOfPath,
  sensitivityOf,
  storeOfPath,
} from './layout.ts';

describe('globs', () => {
  test.each([
    ['*.md', 'a.md', true],
    ['*.md', 'a/b.md', false],
    ['**/*.md', 'b.md', true],
    ['a/**', 'a/b/c.txt', true],
    ['a/**/x.md', 'a/x.md', true],
    ['{SOUL,USER}.md', 'user.md', true],
    ['[0-9]?.md', '4b.md', true],
    ['[!0-9]*.md', '4b.md', false],
    ['a+b(c).md', 'a+b(c).md', true],
    ['a.md', 'axmd', false],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(compileGlob(glob).test(path)).toBe(matches);
  });
});

describe('the home', () => {
  test.each([
    ['MEMORY.md', 'memory', 'core'],
    ['SOUL.md', 'identity', 'identity'],
    ['memory/episodes/2026-02-16.2.md', 'episode', 'episodic'],
    ['memory/journal/weekly/2026-W07.md', 'journal', 'journal'],
    ['memory/graph/entities/person--alex.md', 'entity', 'semantic'],
    ['memory/graph/relations.md', 'relations', 'semantic'],
    ['memory/graph/index.md', 'generated', 'meta'],
    ['memory/procedures/how-to-deploy.md', 'procedure', 'procedural'],
    ['memory/reference/papers/a.md', 'reference', 'reference'],
    ['memory/vault/passport.md', 'vault', 'vault'],
    ['memory/meta/proposals/01HPXK7V5T9QZ3M8N2R4W6Y0AB.md', 'proposal', 'meta'],
    ['memory/meta/pending-reflection.md', 'generated', 'meta'],
    ['memory/meta/decay-scores.json', 'meta', 'meta'],
    ['topics/email.md', 'topic', 'topic'],
    ['conversations/2026/02/16/1845-ses_a1.md', 'transcript', 'episodic'],
    ['mneme.yaml', 'config', 'meta'],
    ['notes/idea.md', 'reference', 'reference'],
    ['notes/photo.png', 'asset', 'reference'],
    ['memory\\vault\\passport.md', 'vault', 'vault'],
  ])('%s is %s in %s', (path, kind, store) => {
    expect(kindOfPath(path)).toBe(kind);
    expect(storeOfPath(path)).toBe(store);
  });

  test('a scope holds the same tree, with or without its memory folder', () => {
    for (const path of [
      'memory/scopes/project--apollo/memory/episodes/2026-02-16.md',
      'memory/scopes/project--apollo/episodes/2026-02-16.md',
    ]) {
      expect(placeOf(path, HOME_LAYOUT)).toEqual({
        kind: 'episode',
        store: 'episodic',
        scope: 'project:apollo',
        isArchived: false,
      });
    }
    expect(kindOfPath('memory/scopes/user--sam/MEMORY.md')).toBe('memory');
  });

  test('a scope folder with any name is private', () => {
    expect(scopeOfPath('memory/scopes/apollo/MEMORY.md')).toBe('project:apollo');
    expect(scopeOfPath('memory/scopes/Größe X/MEMORY.md')).toBe('project:gr-e-x');
    expect(scopeOfPath('MEMORY.md')).toBe('shared');
  });

  test('what is archived stays what it was', () => {
    expect(placeOf('memory/archive/2025-11/episodes/2025-11-03.md.gz', HOME_LAYOUT)).toEqual({
      kind: 'episode',
      store: 'episodic',
      scope: 'shared',
      isArchived: true,
    });
    expect(kindOfPath('memory/archive/2025-11/index.json')).toBe('meta');
  });

  test('generated files are known', () => {
    expect(
      [
        'memory/graph/index.md',
        'memory/meta/pending-memories.md',
        'memory/scopes/project--a/memory/graph/index.md',
      ].map(isGenerated),
    ).toEqual([true, true, true]);
    expect(isGenerated('memory/graph/relations.md')).toBe(false);
  });

  test.each([
    ['mneme.yaml', 'critical'],
    ['SOUL.md', 'critical'],
    ['soul.md', 'critical'],
    ['IDENTITY.md', 'critical'],
    ['USER.md', 'high'],
    ['TOOLS.md', 'high'],
    ['AGENTS.md', 'high'],
    ['memory/vault/keys/photo.png', 'high'],
    ['memory/scopes/user--sam/memory/vault/a.md', 'high'],
    ['MEMORY.md', 'standard'],
    ['memory/episodes/2026-02-16.md', 'standard'],
  ])('%s is %s', (path, sensitivity) => {
    expect(sensitivityOf(path)).toBe(sensitivity);
  });
});

test('an OpenClaw workspace maps without being changed', () => {
  const kind = (path: string): string => kindOfPath(path, OPENCLAW_LAYOUT);
  expect(kind('MEMORY.md')).toBe('memory');
  expect(kind('memory/2026-02-16.md')).toBe('episode');
  expect(kind('memory/2026-02-16-standup.md')).toBe('episode');
  expect(kind('HEARTBEAT.md')).toBe('identity');
  expect(kind('skills/mail/SKILL.md')).toBe('procedure');
  expect(kind('memory/episodes/2026-02-16.md')).toBe('episode');
  expect(kind('memory/notes.md')).toBe('reference');
});

test('in a Markdown vault a person’s files are reference, ours keep their kind', () => {
  const kind = (path: string): string => kindOfPath(path, VAULT_LAYOUT);
  expect(['SOUL.md', 'topics/gardening.md', 'Daily/2026-02-16.md'].map(kind)).toEqual([
    'reference',
    'reference',
    'reference',
  ]);
  expect(kind('memory/episodes/2026-02-16.md')).toBe('episode');
});
