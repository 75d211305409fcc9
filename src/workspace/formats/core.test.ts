import { describe, expect, test } from 'vitest';
import { parseDocument, serializeDocument } from '../markdown/document.ts';
import { addCoreBullet, coreUsage, estimateTokens, parseCore } from './core.ts';
import { MEMORY_TEMPLATE } from './templates.ts';
import { defaultConfig } from '../../model/config/schema.ts';

const bullet = { id: '7k2m9x0q4t1za', text: 'Called Alex.', meta: { source: 'user-explicit' as const, pinned: true } };

describe('core memory', () => {
  test('a bullet goes under its block and is read back', () => {
    const document = addCoreBullet(parseDocument(MEMORY_TEMPLATE), 'Persona', bullet);
    expect(serializeDocument(document)).toContain(
      'collaboration. -->\n\n- Called Alex. <!-- source:user-explicit pinned --> ^7k2m9x0q4t1za\n\n## Critical Facts',
    );
    expect(parseCore(document).blocks.Persona).toMatchObject([bullet]);
    expect(parseCore(document).blocks.Identity).toEqual([]);
  });

  test('a missing block is made in its place', () => {
    const document = addCoreBullet(
      parseDocument('# Mine\n\n## Critical Facts\n\n- Allergic to nuts\n'),
      'Identity',
      bullet,
    );
    expect(serializeDocument(document)).toMatch(
      /## Identity\n\n- Called Alex\..*\n\n## Critical Facts\n\n- Allergic to nuts\n$/s,
    );
  });

  test('a person’s own sections and wording survive', () => {
    const text = '# M\n\n## identity:\n* Name: Alex\n\n## Shopping\n- milk\n';
    expect(parseCore(parseDocument(text))).toMatchObject({
      blocks: { Identity: [{ text: 'Name: Alex', id: undefined }] },
      otherSections: ['Shopping'],
    });
  });

  test('usage counts what a model reads, not comments, anchors and frontmatter', () => {
    const bare = coreUsage(parseDocument('## Identity\n\n- Called Alex.\n'), defaultConfig().core);
    const dressed = coreUsage(
      parseDocument('---\ntype: memory\n---\n## Identity\n\n- Called Alex. <!-- pinned --> ^7k2m9x0q4t1za\n'),
      defaultConfig().core,
    );
    expect(dressed.tokens).toBe(bare.tokens);
    expect(dressed.blocks).toEqual(bare.blocks);
    expect(bare.blocks[0]).toEqual({ name: 'Identity', maxTokens: 500, tokens: estimateTokens('- Called Alex.') });
  });

  test('the fuller of tokens and lines is the share', () => {
    expect(coreUsage(parseDocument('- a\n'.repeat(180)), defaultConfig().core).share).toBeCloseTo(0.9);
    expect(coreUsage(parseDocument('x'.repeat(6000)), defaultConfig().core).share).toBeCloseTo(0.5);
  });
});
