import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { localTime } from '../../model/time.ts';
import { ZoneClock, readLines, splitLines } from './lines.ts';
import { openclawWords } from './openclaw.ts';
import { SessionDraft } from './session-draft.ts';
import { LOG_FORMATS } from './survey.ts';
import { Tally } from './port.ts';
import { clip, describeArguments, describeEncodedArguments, describeResult } from './tool-text.ts';

describe('lines of a log', () => {
  it('are whole across the chunks they are read in, from any of their starts', async () => {
    const file = path.join(makeTemporaryFolder(), 'x.jsonl');
    const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'ü€😀'.repeat(1 + (index % 97))}`);
    fs.writeFileSync(file, `${lines.join('\n')}\n\nlast`);
    const read = [];
    for await (const chunk of readLines(file)) read.push(...chunk);
    expect(read.map(({ text }) => text)).toEqual([...lines, 'last']);
    expect(read.filter(({ isOpen }) => isOpen).map(({ text }) => text)).toEqual(['last']);
    const rest = [];
    for await (const chunk of readLines(file, read[2000]?.end)) rest.push(...chunk);
    expect(rest).toEqual(read.slice(2001));
  });

  it('of a given text are the same', () => {
    expect(splitLines('a\n\n b \nc').map(({ text, end }) => [text, end])).toEqual([
      ['a', 2],
      [' b ', 7],
      ['c', 8],
    ]);
  });
});

describe('the clock of a zone', () => {
  it('agrees with the calendar in every zone at every time', () => {
    const zones = ['UTC', 'Europe/Vienna', 'America/St_Johns', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
    const instants = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2040) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, timeMs) => {
        const { date, time, stamp } = new ZoneClock(zone).at(timeMs);
        expect({ date, time }).toEqual(localTime(timeMs, zone));
        expect(Date.parse(stamp)).toBe(Math.floor(timeMs / 1000) * 1000);
      }),
    );
  });
});

describe('a tool call in short', () => {
  it('shows what matters of its arguments', () => {
    expect(describeArguments({ description: 'Run', command: 'npm test' })).toBe('npm test');
    expect(describeArguments({ pattern: 'a', path: 'src' })).toBe('a src');
    expect(describeArguments({ command: ['bash', '-lc', 'ls | wc'] })).toBe('ls | wc');
    expect(describeArguments({ a: 1, b: [true] })).toBe('a: 1, b: [true]');
    expect(describeArguments(undefined)).toBe('');
    expect(describeEncodedArguments('{"cmd":"ls"}')).toBe('ls');
    expect(describeEncodedArguments('not json')).toBe('not json');
  });

  it('never ends in the middle of a word, which could be half a secret', () => {
    const word = 'x'.repeat(50);
    expect(clip(`${'word '.repeat(197)}${word}`)).toBe(`${'word '.repeat(197).trimEnd()} …`);
    expect(clip('y'.repeat(5000))).toBe('…');
    expect(clip('short')).toBe('short');
  });

  it('counts the lines of a listing', () => {
    expect(describeResult('     1→a\n     2→b\n')).toBe('2 lines');
    expect(describeResult('1 test failed')).toBe('1 test failed');
  });
});

describe('a message that came through OpenClaw', () => {
  it('is freed of what stands around it', () => {
    expect(openclawWords('[Mon 2026-04-06 08:00 GMT+1] Hello [x]')).toEqual({ text: 'Hello [x]', name: undefined });
    expect(openclawWords('[not a date] Hello')).toEqual({ text: '[not a date] Hello', name: undefined });
    expect(openclawWords('System: [2026-04-06 08:00] Node connected')).toEqual({ text: '', name: undefined });
  });
});

describe('a reader of logs', () => {
  it('takes whatever a line holds, and never fails', () => {
    const keys = [
      'type',
      'message',
      'payload',
      'content',
      'role',
      'text',
      'id',
      'uuid',
      'timestamp',
      'items',
      'attachment',
    ];
    const words = [
      'user',
      'assistant',
      'message',
      'response_item',
      'session_meta',
      'function_call',
      'text',
      'tool_use',
    ];
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...words),
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...LOG_FORMATS), fc.array(value, { maxLength: 8 }), (format, lines) => {
        const draft = new SessionDraft({ clock: new ZoneClock('UTC'), fallbackMs: 0, isKnown: () => false });
        const read = format.reader(draft, new Tally());
        for (const [index, line] of lines.entries()) read(line, `x@${index}`);
        const { turns } = draft.take();
        expect(turns.every(({ date, parts }) => date.length >= 10 && parts.length > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
