import { extractTerms } from '../../../search-index/text/terms.ts';
import { triggerPhrases } from '../match.ts';
import { describe, expect, test } from 'vitest';
import { must } from '../../../model/errors.ts';
import { parseEpisodes } from '../../../workspace/formats/episode.ts';
import { parseTranscript } from '../../../workspace/formats/transcript.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { type Attempt, attemptsInEpisodes } from './attempts.ts';
import { draftProcedure } from './draft.ts';
import { findSequences } from './sequences.ts';
import { attemptsOf, stepOfTool } from './signs.ts';

function talk(session: string, request: string, tools: readonly string[], reaction: string): Attempt[] {
  const text = `---
session_id: ${session}
started: 2026-11-15T12:00:00Z
---
# x

## 12:00 — user

${request}

## 12:01 — agent

I will.

${tools.map((tool) => `> [tool:${tool}`).join('\n')}

## 12:02 — user

${reaction}
`;
  return attemptsOf(parseTranscript(parseDocument(text)));
}

const release = (version: string): string[] => [
  'Read] {"file_path":"package.json"} → ok',
  'Bash] {"command":"npm test"} → 12 passed',
  `Bash] {"command":"git tag v${version}"} → ok`,
  'Bash] git status → clean',
  'Bash] {"command":"git push --tags"} → done',
];

describe('learning', () => {
  const attempts = [
    ...talk('ses_1', 'Please release the new version', release('1'), 'thanks!'),
    ...talk('ses_2', 'Can you release version 2 now?', release('2'), 'perfect'),
    ...talk('ses_3', 'release a version', [...release('3'), 'Bash] {"command":"slack post"} → ok'], 'What is next?'),
    ...talk(
      'ses_4',
      'Tell me a joke',
      ['Bash] {"command":"fortune"} → ha', 'Bash] {"command":"cowsay hi"} → moo'],
      'haha',
    ),
  ];

  test('steps that went well several times become a procedure, with what they rest on', () => {
    const [sequence, ...others] = findSequences(attempts, 3);
    expect(others).toEqual([]);
    expect(draftProcedure(must(sequence, 'the sequence'))).toEqual({
      name: 'Release a version',
      trigger: 'When the user asks to release a version.',
      steps: ['`npm test`', '`git tag {{version}}`', '`git push --tags`'],
      notes: ['{{version}} was 1, 2, 3.'],
      learnedFrom: ['ses_1#t1', 'ses_2#t1', 'ses_3#t1'],
      confidence: 0.8,
      trust: 'agent',
      signs: ['Bash npm test', 'Bash git tag', 'Bash git push'],
    });
  });

  test.each([
    [
      [
        'Release version 1.1 of the tile service',
        'release version 1.2 of the tile service',
        'please release version 2 of the tile service',
      ],
      'Release the tile service',
    ],
    [
      ['Rotate the signing keys on staging', 'rotate the signing keys for prod', 'can you rotate the signing keys'],
      'Rotate the signing keys',
    ],
    [
      ['Write the weekly report for week 12', 'weekly report for week 13, please write it', 'Write the weekly report'],
      'Write the weekly report',
    ],
    [
      ['Add a migration for ticket 812', 'add a migration for ticket 820', 'Add a migration for ticket 901 now'],
      'Add a migration',
    ],
  ])('%j is called %s, and the next such request finds it', (requests, name) => {
    const runs = requests.flatMap((request, at) => talk(`ses_${at}`, request, release(`${at}`), 'thanks'));
    const draft = draftProcedure(must(findSequences(runs, 3)[0], 'the sequence'));
    expect(draft.name).toBe(name);
    const phrases = triggerPhrases(draft.trigger);
    const next = new Set(extractTerms(must(requests[0], 'a request').replaceAll(/\d+/gu, '77')));
    expect(phrases.some(({ terms }) => terms.every((term) => next.has(term)))).toBe(true);
  });

  test('twice in one conversation is not a repetition', () => {
    const [first] = attempts;
    const again = must(first, 'an attempt');
    expect(findSequences([again, again, again], 2)).toEqual([]);
  });

  test.each([
    ['no, that is wrong', []],
    ['it still fails', []],
    ['undo that', []],
  ])('after "%s" nothing is learned', (reaction, expected) => {
    const bad = ['a', 'b', 'c'].flatMap((name) => talk(name, 'release', release('1'), reaction));
    expect(findSequences(bad, 2)).toEqual(expected);
  });

  test('nor from what ended in an error', () => {
    const failing = ['Bash] npm test → ok', 'Bash] git push → fatal: permission denied'];
    expect(talk('x', 'push it', failing, 'ok').map(({ wentWell }) => wentWell)).toEqual([false]);
  });

  test('what was imported from others stays marked', () => {
    const foreign = attempts.map((attempt) => ({ ...attempt, trust: 'import' as const }));
    expect(draftProcedure(must(findSequences(foreign, 3)[0], 'it')).trust).toBe('import');
  });

  test('episodes that say how it was done and how it came out', () => {
    const day = (outcome: string) => `# 2026-11-15

## 09:00 | task
<!-- outcome:${outcome} -->
Watered the plants: filled the can → watered the ferns → emptied the saucer
`;
    const [attempt] = attemptsInEpisodes(parseEpisodes(parseDocument(day('success'))), 'memory/episodes/2026-11-15.md');
    expect(attempt).toMatchObject({ request: 'Watered the plants', wentWell: true, where: '2026-11-15 09:00' });
    expect(attempt?.steps.map(({ text }) => text)).toEqual([
      'filled the can',
      'watered the ferns',
      'emptied the saucer',
    ]);
    expect(attemptsInEpisodes(parseEpisodes(parseDocument(day('failed'))), 'x.md')).toMatchObject([
      { wentWell: false },
    ]);
  });

  test.each([
    ['Bash', '{"command":"FOO=1 npm run build -- --prod"}', 'Bash npm run build'],
    ['Bash', 'ls -la', undefined],
    ['Grep', '{"pattern":"x"}', undefined],
    ['Edit', '{"file_path":"/a/b/c.ts","old":"x"}', 'Edit'],
  ])('%s %s → %s', (name, args, sign) => {
    expect(stepOfTool(name, args)?.sign).toBe(sign);
  });
});
