import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFile, type Finding } from './findings.ts';
import { OPENCLAW_LAYOUT } from './layout.ts';
import { FULL_FILES } from './templates.ts';

function codes(findings: readonly Finding[]): string[] {
  return findings.map((finding) => `${finding.severity} ${finding.code} ${finding.line}`);
}

const NAMES = [
  ...FULL_FILES.keys(),
  'conversations/2026/02/16/a.md',
  'memory/graph/entities/person--a.md',
  'memory/episodes/2026-02-16.md',
  'x.png',
];

// SPEC FILE-3
describe('checking a file', () => {
  test.each([...FULL_FILES])('our own template %s is clean', (path, text) => {
    expect(checkFile(path, text)).toEqual([]);
  });

  test('broken YAML is located', () => {
    expect(codes(checkFile('topics/a.md', '---\ntype: topic\ntriggers: [a\n---\n'))).toEqual([
      'error frontmatter-broken 4',
    ]);
  });

  test('a schema violation points at its key and says what is allowed', () => {
    const text = '---\n# how urgent\npriority: urgent\ntriggers:\n  - type: cron\n    schedule: "0 8 * * *"\n---\n';
    const [finding] = checkFile('topics/a.md', text);
    expect(finding).toMatchObject({
      line: 3,
      severity: 'error',
      message: '"priority" must be one of: low, medium, high, critical.',
    });
    expect(finding?.hint).toContain('topic.schema.json');
  });

  test('a frontmatter that never closes', () => {
    expect(codes(checkFile('USER.md', '---\nrole: user\n\n# User\n'))).toEqual(['error frontmatter-unclosed 1']);
    expect(checkFile('memory/reference/a.md', '---\n\nA rule on top is legal.\n')).toEqual([]);
  });

  test('a transcript or proposal without frontmatter', () => {
    expect(codes(checkFile('conversations/2026/02/16/a.md', '## 10:00 — user\nHi\n'))).toEqual([
      'error frontmatter-missing 1',
    ]);
    expect(codes(checkFile('memory/meta/proposals/a.md', 'Change it'))).toEqual(['error frontmatter-missing 1']);
  });

  test('duplicate anchors name the first line', () => {
    const [finding] = checkFile('memory/reference/a.md', 'One ^abc\n\nTwo ^def\n\nThree ^abc\n');
    expect(finding).toMatchObject({ code: 'anchor-duplicate', line: 5, severity: 'warning' });
    expect(finding?.message).toContain('line 1');
  });

  test('a topic without triggers, unless it is manual', () => {
    expect(codes(checkFile('topics/a.md', '# A\n'))).toEqual(['warning topic-without-triggers 1']);
    expect(checkFile('topics/a.md', '---\nactivation: manual\n---\n')).toEqual([]);
  });

  test('metadata that is not valid is reported at its item', () => {
    const text = '# 2026-02-16\n\n## 10:00 | fact\n<!-- importance:7 -->\nTea.\n';
    expect(codes(checkFile('memory/episodes/2026-02-16.md', text))).toEqual(['warning metadata-invalid 3']);
  });

  test('an entity whose id is not its file name', () => {
    expect(codes(checkFile('memory/graph/entities/person--a.md', '---\nid: person--b\n---\n'))).toEqual([
      'warning entity-id-mismatch 1',
    ]);
  });

  test('an adopted folder is only warned', () => {
    expect(codes(checkFile('MEMORY.md', '---\ntype: notes\n---\n', OPENCLAW_LAYOUT))).toEqual([
      'warning frontmatter-invalid 2',
    ]);
  });

  test('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '---\n',
      'id: person--a\n',
      'triggers:\n',
      '  - type: x\n',
      '## 10:00 | x\n',
      '<!-- a:b -->\n',
      '- [[a]] ^b\n',
      '```\n',
      '\uFEFF',
      '\r\n',
      '*a\n',
      ': [\n',
    );
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.array(fc.oneof(piece, fc.string())), (path, pieces) => {
        expect(checkFile(path, pieces.join('')).map((finding) => finding.code)).not.toContain('check-failed');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the caps of MEMORY.md', () => {
  const lines = (count: number): string => '- x\n'.repeat(count);

  test.each([
    ['179 lines', lines(179), []],
    ['180 lines', lines(180), ['warning core-near-cap 1']],
    ['201 lines', lines(201), ['warning core-over-cap 1']],
    ['220 lines', lines(220), ['warning core-over-cap 1']],
    ['221 lines', lines(221), ['error core-over-cap 1']],
    ['89 % of the tokens', 'x'.repeat(10_700), []],
    ['90 % of the tokens', 'x'.repeat(10_800), ['warning core-near-cap 1']],
    ['more than 110 %', 'x'.repeat(13_300), ['error core-over-cap 1']],
    ['a block that is too long', `## Persona\n${'x'.repeat(2100)}`, ['warning core-block-over-cap 1']],
  ])('%s', (_what, text, expected) => {
    expect(codes(checkFile('MEMORY.md', text))).toEqual(expected);
  });
});
