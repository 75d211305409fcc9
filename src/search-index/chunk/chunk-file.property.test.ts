import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import type { DocumentSource, IndexedDocument, Passage } from '../passage.ts';
import { chunkFile } from './chunk-file.ts';

const CHUNKING = { max_tokens: 50, overlap_tokens: 10, respect_headings: true };

/** A file for every way of reading one; then one of every kind. */
const WAYS: readonly (readonly [DocumentSource, string])[] = [
  ['workspace', 'memory/reference/paper.md'],
  ['workspace', 'memory/episodes/2026-02-16.md'],
  ['workspace', 'memory/graph/entities/person--lea.md'],
  ['raw', 'conversations/2026/02/16/1845-ses_a1-x.md'],
  ['live', 'ses_a1.jsonl'],
];
const KEYS: typeof WAYS = [
  ...WAYS,
  ['workspace', 'MEMORY.md'],
  ['workspace', 'SOUL.md'],
  ['workspace', 'memory/journal/weekly/2026-W07.md'],
  ['workspace', 'memory/graph/relations.md'],
  ['workspace', 'memory/procedures/how-to.md'],
  ['workspace', 'memory/vault/keys.md'],
  ['workspace', 'memory/archive/2025-11/episodes/2025-11-03.md.gz'],
  ['workspace', 'topics/oven.md'],
  ['workspace', 'a note.md'],
];

function chunk([source, path]: readonly [DocumentSource, string], text: string): IndexedDocument | undefined {
  return chunkFile(
    { source, path, text, hash: 'h' },
    { layout: HOME_LAYOUT, chunking: CHUNKING, timeZone: 'Europe/Vienna' },
  );
}

/** The passages that break a rule; undefined when the file was not read at all. */
function unsound(document: IndexedDocument | undefined, text: string): Passage[] | undefined {
  const lines = text.split('\n').length;
  return document?.passages.filter((passage) => !isSound(passage, lines));
}

function isSound({ id, text, lead, startLine, endLine }: Passage, lines: number): boolean {
  const isReadable = text.trim() !== '' && text.isWellFormed() && lead.isWellFormed() && id !== '';
  const isInside = startLine >= 1 && endLine >= startLine && endLine <= lines;
  return isReadable && isInside && text.length <= CHUNKING.max_tokens * 4;
}

const FRAGMENTS = [
  '---\n',
  'id: person--x\n',
  'tags: [a, b\n',
  'scope: 7\n',
  'timezone: Nowhere/Land\n',
  '# Title\n',
  '## 14:30 | decision | confidence:high | tags:[a]\n',
  '## 14:30 — user (Lea)\n',
  '## Facts\n',
  '- ~~gone~~ (until 2026) <!-- from:2025 superseded_by:x --> ^abc123\n',
  '  - nested\n',
  '- \n',
  '> [tool:exec] a → b\n',
  '```js\n',
  '| a | b |\n|---|---|\n',
  '<!-- importance:9 -->\n',
  '<div>\n',
  '^anchor\n',
  '{"id":"t1","date":"2026-02-16","time":"10:00","role":"user","parts":[{"kind":"text","text":"hi"}]}\n',
  '{"id":"t2"',
  '\r\n',
  '\n',
  '\uFEFF',
  '\u0000',
  '\uD800',
  ' [[person--jana|Jana]] ',
  'a word. ',
];

// SPEC SEARCH-7
describe('chunkFile, whatever the text is', () => {
  const soup = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary', maxLength: 30 })), {
    maxLength: 60,
  });

  it.each(KEYS)('gives sound passages of %s %s', (...key) => {
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        expect(unsound(chunk(key, text), text)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(WAYS)('survives ten megabytes in one line of %s %s', (...key) => {
    const text = `- ${'wort '.repeat(2_000_000)}`;
    expect(unsound(chunk(key, text), text)).toEqual([]);
  });

  it.each([
    ['backslashes', '\\'],
    ['brackets', '['],
    ['comment openings', '<!--'],
    ['carets', ' ^a'],
    ['tildes', '~~'],
  ])('is not slowed down by a megabyte of %s', (_name, unit) => {
    const text = `- ${unit.repeat(Math.ceil(1_000_000 / unit.length))}`;
    for (const key of WAYS) expect(unsound(chunk(key, text), text)).toEqual([]);
  });
});

describe('nothing that was written is lost', () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/);
  const sentence = fc.array(word, { minLength: 1, maxLength: 70 }).map((words) => words.join(' '));
  const block = fc.oneof(
    sentence.map((text) => `${text}\n\n`),
    sentence.map((text) => `- ${text}\n`),
    sentence.map((text) => `  - ${text}\n`),
    sentence.map((text) => `${text}\n${text}\n\n`),
    sentence.map((text) => `\n\`\`\`\n${text}\n\`\`\`\n\n`),
    sentence.map((text) => `\n| a | b |\n|---|---|\n| ${text} | x |\n\n`),
    word.map((text) => `\n## ${text}\n\n`),
    word.map((text) => `\n## 10:15 | event | ${text}\n\n`),
  );

  it.each(KEYS.filter(([source]) => source === 'workspace'))('every word of %s %s is in a passage', (...key) => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 20 }), (blocks) => {
        const text = blocks.join('');
        const passages = chunk(key, text)?.passages ?? [];
        const found = new Set(passages.flatMap((passage) => `${passage.lead} ${passage.text}`.split(/[^a-z]+/)));
        const body = text.replaceAll(/^## .*$/gm, '');
        for (const one of body.match(/[a-z]{2,}/g) ?? []) expect(found).toContain(one);
      }),
      { numRuns: 60 },
    );
  });
});
