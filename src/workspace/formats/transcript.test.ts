import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import {
  parseTranscript,
  renderTranscript,
  transcriptPath,
  TURN_ROLES,
  turnText,
  type LocatedTurn,
  type Turn,
  type TurnPart,
} from './transcript.ts';

const FRONTMATTER = { session_id: 'ses_a1b2c3d4', started: '2026-02-16T18:45:00Z', topic: 'Testing' };

const trickyLine = fc.constantFrom(
  '## 18:45 — user',
  '## 2026-02-17',
  '\\## 18:45 — user (A)',
  '   # heading',
  '#hashtag',
  '#',
  '> [tool:exec] ls → ok',
  '\\\\> [knowledge:updated] a — b',
  '>[attachment:x]',
  '> quoted',
  '```',
  '---',
  '',
  ' ',
  '<!-- open',
);
const line = fc.oneof(
  trickyLine,
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, '')),
);
const text = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join('\n'))
  .filter((joined) => joined !== '');
const detail = fc.oneof(text, fc.constantFrom('a → b', '\\→', 'x ⏎ y', '\\\n', ' — ', '{"a": "→"}', ' spaced '));
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const mark: fc.Arbitrary<TurnPart> = fc.oneof(
  fc.record(
    { kind: fc.constant('tool' as const), name, args: fc.oneof(detail, fc.constant('')), result: detail },
    { requiredKeys: ['kind', 'name', 'args'] },
  ),
  fc.record(
    { kind: fc.constant('knowledge' as const), action: name, path: detail, summary: detail },
    { requiredKeys: ['kind', 'action', 'path'] },
  ),
  fc.record(
    { kind: fc.constant('attachment' as const), path: fc.constant('attachments/ab12.png'), note: detail },
    { requiredKeys: ['kind', 'path'] },
  ),
);

/** Texts that follow each other are one text: a turn has no way to say where one ended. */
function withoutAdjacentTexts(parts: readonly TurnPart[]): TurnPart[] {
  return parts.filter((part, index) => part.kind !== 'text' || parts[index - 1]?.kind !== 'text');
}

const parts = fc
  .array(fc.oneof(fc.record({ kind: fc.constant('text' as const), text }), mark), { maxLength: 5 })
  .map(withoutAdjacentTexts);

const turns: fc.Arbitrary<Turn[]> = fc
  .array(
    fc.record(
      {
        date: fc.constantFrom('2026-02-16', '2026-02-17', '2026-02-18'),
        time: fc.constantFrom('00:00', '18:45', '23:59:59'),
        role: fc.constantFrom(...TURN_ROLES),
        name: fc.constantFrom('Alex', 'Ada (she)', 'B) [memory]', 'Ž'),
        tag: fc.constant('memory'),
        parts,
      },
      { requiredKeys: ['date', 'time', 'role', 'parts'] },
    ),
    { maxLength: 6 },
  )
  .map((list) => list.map((turn, index) => Object.assign({ id: `t${index + 1}` }, turn)));

function withoutLines({ startLine: _start, endLine: _end, ...turn }: LocatedTurn): Turn {
  return turn;
}

describe('transcript', () => {
  test('render → parse gives the same turns, whatever was said', () => {
    fc.assert(
      fc.property(turns, (said) => {
        const file = renderTranscript(FRONTMATTER, said);
        expect(parseTranscript(parseDocument(file)).turns.map(withoutLines)).toEqual(said);
      }),
      { numRuns: 500 },
    );
  });

  test('the same file with CRLF gives the same turns', () => {
    const said: Turn[] = [
      { id: 't1', date: '2026-02-16', time: '18:45', role: 'user', parts: [{ kind: 'text', text: 'One\n\nTwo' }] },
      {
        id: 't2',
        date: '2026-02-16',
        time: '18:46',
        role: 'agent',
        parts: [{ kind: 'tool', name: 'ls', args: '', result: '3' }],
      },
    ];
    const file = renderTranscript(FRONTMATTER, said).replaceAll('\n', '\r\n');
    expect(parseTranscript(parseDocument(file)).turns.map(withoutLines)).toEqual(said);
  });

  test('a part file counts its turns on', () => {
    const file = renderTranscript({ ...FRONTMATTER, part: 2, first_turn: 14 }, [
      { id: 't14', date: '2026-02-16', time: '20:00', role: 'user', parts: [] },
    ]);
    expect(parseTranscript(parseDocument(file)).turns.map((turn) => turn.id)).toEqual(['t14']);
  });

  test('lines point at the turn in the file', () => {
    const file = renderTranscript(FRONTMATTER, [
      { id: 't1', date: '2026-02-16', time: '18:45', role: 'user', parts: [{ kind: 'text', text: 'One\nTwo' }] },
      { id: 't2', date: '2026-02-17', time: '00:01', role: 'agent', parts: [{ kind: 'text', text: 'Three' }] },
    ]);
    const fileLines = file.split('\n');
    const spans = parseTranscript(parseDocument(file)).turns.map((turn) => [
      fileLines[turn.startLine - 1],
      fileLines[turn.endLine - 1],
    ]);
    expect(spans).toEqual([
      ['## 18:45 — user', 'Two'],
      ['## 00:01 — agent', 'Three'],
    ]);
  });

  test('speakers of other programs are understood', () => {
    const file = '---\nsession_id: s\nstarted: 2026-02-16\n---\n## 9:05 - Human\nHi\n## 9:06 – assistant\nHello\n';
    const { turns: read } = parseTranscript(parseDocument(file));
    expect(read.map((turn) => [turn.time, turn.role, turnText(turn)])).toEqual([
      ['09:05', 'user', 'Hi'],
      ['09:06', 'agent', 'Hello'],
    ]);
  });

  test('a path sorts by time and names session and subject', () => {
    expect(transcriptPath('ses_a1', '2026-02-16', '18:45', 'trip')).toBe(
      'conversations/2026/02/16/1845-ses_a1-trip.md',
    );
    expect(transcriptPath('ses_a1', '2026-02-16', '18:45', '', 2)).toBe(
      'conversations/2026/02/16/1845-ses_a1.part2.md',
    );
  });
});
