import { describe, expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import { coreUsage } from './core.ts';
import { kindOfPath } from './layout.ts';
import { parseProcedure } from './procedure.ts';
import { FULL_FILES, INITIAL_FILES, MEMORY_TEMPLATE, rawGitattributes, WORKSPACE_GITIGNORE } from './templates.ts';
import { parseTopic } from './topic.ts';
import { defaultConfig } from '../../model/config/schema.ts';

/** The commands the templates may speak of. */
const COMMANDS = new Set(
  'remember recall forget learn graph history approve reject audit rollback proposals'.split(' '),
);

function template(path: string): string {
  return FULL_FILES.get(path) ?? '';
}

describe('templates', () => {
  test('init writes the core only, init --full everything, each where its kind belongs', () => {
    expect([...INITIAL_FILES.keys()]).toEqual(['MEMORY.md']);
    expect([...FULL_FILES.keys()].map((path) => kindOfPath(path))).toEqual([
      'memory',
      'identity',
      'identity',
      'identity',
      'identity',
      'identity',
      'relations',
      'topic',
      'procedure',
    ]);
  });

  test('an empty MEMORY.md costs next to nothing: its hints are comments', () => {
    expect(coreUsage(parseDocument(MEMORY_TEMPLATE), defaultConfig().core).tokens).toBeLessThan(30);
  });

  test('AGENTS.md names only commands that exist', () => {
    const named = [...template('AGENTS.md').matchAll(/`mneme ([a-z]+)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((command) => !COMMANDS.has(command))).toEqual([]);
  });

  test('the example topic and procedure are complete enough to learn from', () => {
    const topic = parseTopic(parseDocument(template('topics/example-topic.md')), 'topics/example-topic.md');
    expect(topic.triggers.map((trigger) => trigger.type)).toEqual(['keywords', 'pattern', 'pattern']);
    expect(topic.triggers[2]).toMatchObject({ match: String.raw`\bDear Sir or Madam\b`, scope: 'output' });
    const procedure = parseProcedure(parseDocument(template('memory/procedures/example-procedure.md')), 'x.md');
    expect(procedure.steps).toHaveLength(3);
  });

  test('the audit log stays out of git, and attachments use LFS only where it exists', () => {
    expect(WORKSPACE_GITIGNORE.split('\n')).toContain('memory/meta/audit.log');
    expect(rawGitattributes(true)).toContain('filter=lfs');
    expect(rawGitattributes(false)).not.toContain('lfs');
  });
});
