import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainFinding, type ContentEntry, isContentEntry, splitTranscript } from '../entry.ts';
import { readEntries } from '../file.ts';
import { draftOf, MemoryChain } from '../testing/memory-chain.ts';
import { checkContent } from './check-content.ts';

/** Every byte in the long run, every fifth one otherwise. */
const STRIDE = process.env['MNEME_CHAIN_FULL'] === '1' ? 1 : 5;
const TRANSCRIPT =
  '---\nsession_id: ses_1\n---\n\n# A talk\n\n## 10:00 — user (Ines)\n\nThe ledger.\n\n## 10:01 — user (Ines)\n\nYes.\n';

// SPEC CHAIN-6
describe('openings, which stand in no history,', () => {
  const chain = new MemoryChain(10);
  const file = path.join(chain.folder, 'content', '000000.jsonl');
  let entries: readonly ContentEntry[] = [];
  let whole = '';

  beforeAll(async () => {
    const name = 'conversations/1000-ses_1.md';
    fs.mkdirSync(path.join(chain.folder, 'conversations'));
    fs.writeFileSync(path.join(chain.folder, name), TRANSCRIPT);
    const talk = { type: 'transcript' as const, ref: {}, pieces: splitTranscript(TRANSCRIPT), path: name };
    await chain.writer().append([draftOf(1), talk, draftOf(2), draftOf(3)]);
    entries = [...readEntries(chain.bytes)].flatMap(({ entry }) => (isContentEntry(entry) ? [entry] : []));
    whole = fs.readFileSync(file, 'utf8');
  });
  afterAll(() => chain.remove());

  /** The findings once the file holds this text instead. */
  function findingsWith(text: string): readonly ChainFinding[] {
    fs.writeFileSync(file, text);
    return checkContent(entries, [], { openings: chain.openings, rawFolder: chain.folder }).findings;
  }

  it('are whole as they were written', () => {
    expect(entries).toHaveLength(4);
    expect(findingsWith(whole)).toEqual([]);
  });

  it('show a change of any single byte, at its entry', () => {
    const missed: number[] = [];
    const lines = whole.trimEnd().split('\n');
    let start = 0;
    for (const [at, line] of lines.entries()) {
      // Where a transcript lies is no claim: it is known by what it says.
      const place = /"path":"[^"]*"/u.exec(line);
      const [from, to] = place === null ? [-1, -1] : [place.index, place.index + place[0].length];
      for (let offset = 0; offset < line.length; offset += STRIDE) {
        if (offset >= from && offset < to) continue;
        const position = start + offset;
        const other = String.fromCodePoint((whole.codePointAt(position) ?? 0) ^ 1);
        const found = findingsWith(whole.slice(0, position) + other + whole.slice(position + 1));
        if (!found.some(({ seq }) => seq === entries[at]?.seq)) missed.push(position);
      }
      start += line.length + 1;
    }
    expect(missed).toEqual([]);
  });

  it.each([
    ['a line is gone', (lines: string[]) => lines.slice(1)],
    ['the last line breaks off', (lines: string[]) => [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, -20)]],
    [
      'two change their numbers',
      ([one = '', two = '', ...rest]: string[]) => [
        one.replace(/"seq":\d+/u, /"seq":\d+/u.exec(two)?.[0] ?? ''),
        two.replace(/"seq":\d+/u, /"seq":\d+/u.exec(one)?.[0] ?? ''),
        ...rest,
      ],
    ],
    [
      'a salt is gone that no entry calls erased',
      (lines: string[]) => [(lines[0] ?? '').replace(/"salts":\["[0-9a-f]+"\]/u, '"salts":[null]'), ...lines.slice(1)],
    ],
    ['everything is gone', () => []],
  ])('show that %s', (_what, change) => {
    expect(findingsWith(`${change(whole.trimEnd().split('\n')).join('\n')}\n`)).not.toEqual([]);
  });

  it('may stand in another order, and twice', () => {
    const lines = whole.trimEnd().split('\n');
    expect(findingsWith(`${[...lines.toReversed(), ...lines].join('\n')}\n`)).toEqual([]);
  });
});
