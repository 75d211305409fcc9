import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSmall } from '../../sources/open-source.ts';
import type { JsonRecord } from '../lines.ts';
import { asSourceFile, kindOfRecord, ProjectFolders, readMemory, readProject, trustOf } from './claude-projects.ts';

const upload = (filename: string): JsonRecord => ({
  uuid: 'p1',
  name: 'Garden',
  prompt_template: '',
  docs: [{ uuid: 'd1', filename, content: 'words' }],
});

describe('what Claude keeps beside conversations', () => {
  it('is told by its shape, not by the name of its file', () => {
    expect(kindOfRecord(upload('a'))).toBe('project');
    expect(kindOfRecord({ conversations_memory: null })).toBe('memory');
    expect(kindOfRecord({ project_memories: {} })).toBe('memory');
    expect(kindOfRecord({ uuid: 'c', name: 'A talk', chat_messages: [] })).toBeUndefined();
    expect(kindOfRecord({ uuid: 'u', full_name: 'Rosa' })).toBeUndefined();
  });

  it.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\notes\\plan.md', 'C:-notes-plan.md'],
    ['.hidden', 'hidden'],
    ['  ', 'document 1'],
    ['...', 'document 1'],
  ])('calls an upload named %j %j', (filename, name) => {
    expect(readProject(upload(filename), new ProjectFolders()).map((text) => text.name)).toEqual([name]);
  });

  it('is the person’s own word only where the person wrote it', () => {
    const project = { ...upload('a.md'), description: 'Beds and paths', uuid: 'p' };
    const texts = [
      ...readProject(project, new ProjectFolders()),
      ...readMemory({ conversations_memory: 'x' }, new ProjectFolders()),
    ];
    expect(texts.map((text) => [trustOf(text, false), trustOf(text, true)])).toEqual([
      ['import', 'user'],
      ['external', 'external'],
      ['import', 'import'],
    ]);
  });

  it('may be anything: what cannot be read is not there', async () => {
    const part = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const doc = fc.record({ uuid: part, filename: part, content: part, created_at: part });
    const record = fc.record({
      uuid: part,
      name: part,
      description: part,
      prompt_template: part,
      docs: fc.oneof(part, fc.array(doc)),
      updated_at: part,
      conversations_memory: part,
      project_memories: fc.oneof(part, fc.dictionary(fc.string(), part)),
      memory_files: fc.oneof(part, fc.array(fc.record({ path: part, content: part }))),
      account_uuid: part,
    });
    await fc.assert(
      fc.asyncProperty(record, async (value) => {
        const folders = new ProjectFolders();
        for (const text of [...readProject(value, folders), ...readMemory(value, folders)]) {
          expect(text.body.trim()).not.toBe('');
          expect(text.name).toMatch(/^[^./\\\s-][^/\\]*$/u);
          const file = asSourceFile(text, text.name, 0);
          expect((await readSmall(file, 1e9))?.length).toBe(file.size);
        }
      }),
    );
  });
});
