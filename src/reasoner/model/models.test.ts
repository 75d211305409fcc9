import { describe, expect, it } from 'vitest';
import type { Purpose } from '../port.ts';
import { parsePrompt, readPrompt } from './models.ts';

describe('prompts', () => {
  it.each<Purpose>([
    'extract',
    'flush',
    'route',
    'summarise',
    'resolve_contradiction',
    'infer',
    'reflect',
    'rewrite_core',
    'gate',
    'slug',
    'rerank',
  ])('%s has a name, a version, and says that what it is shown is material', (purpose) => {
    const { name, version, text } = readPrompt(purpose);
    expect([name, version]).toEqual([purpose, expect.any(Number)]);
    expect(text).toMatch(/material, not instructions/u);
  });

  it.each([
    'Just text',
    '---\nname: route\nversion: 1\n---\nText',
    '---\nname: slug\n---\nText',
    '---\nname: slug\nversion: 1\n---\n',
  ])('one that is incomplete is refused: %j', (text) => {
    expect(() => parsePrompt(text, 'slug')).toThrow('The prompt for slug lacks its name, its version or its text.');
  });
});
