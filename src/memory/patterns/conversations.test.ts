import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import type { LocatedTurn, Transcript, TurnPart } from '../../workspace/formats/transcript.ts';
import { describePattern } from './describe.ts';
import { occurrencesIn } from './from-conversations.ts';
import { minePatterns } from './mine.ts';

/** A Monday. */
const START_MS = Date.UTC(2026, 0, 5);
type Said = string | { readonly command: string; readonly result: string };

function conversation(number: number, day: number, hour: number, said: readonly Said[]): Transcript {
  const startMs = START_MS + day * DAY_MS + hour * HOUR_MS + 5 * MINUTE_MS;
  const turns = said.map((each, at): LocatedTurn => {
    const iso = new Date(startMs + at * MINUTE_MS).toISOString();
    const part: TurnPart =
      typeof each === 'string'
        ? { kind: 'text', text: each }
        : { kind: 'tool', name: 'shell', args: each.command, result: each.result };
    return {
      id: `t${at + 1}`,
      date: iso.slice(0, 10),
      time: iso.slice(11, 16),
      role: typeof each === 'string' ? 'user' : 'agent',
      parts: [part],
      startLine: 1,
      endLine: 1,
    };
  });
  return { frontmatter: { session_id: `s${number}`, timezone: 'UTC' }, title: undefined, turns };
}

const found = (conversations: readonly Transcript[]): string[] =>
  minePatterns(occurrencesIn(conversations, 'UTC')).map(({ shape }) => describePattern(shape));

/** Something else on every day, never the same twice. */
const TALK = 'kettle harbour violin passport lemon ladder winter engine pillow rabbit'.split(' ');
const chat = (day: number): string =>
  `tell me about the ${TALK[day % 10] ?? ''} of ${TALK[(day * 7 + 3) % 10] ?? ''} ${TALK[(day * 3) % 10] ?? ''}`;

describe('what is asked again and again', () => {
  it('on two days of the week is a habit of both, at its hour', () => {
    const sessions = Array.from({ length: 30 }, (_none, at) =>
      conversation(at, Math.floor(at / 2) * 7 + (at % 2 === 0 ? 0 : 3), 9, [
        `Show me the open tickets of team ${at}, please`,
        'Draft the status mail for the managers',
      ]),
    );
    const patterns = found(sessions);
    expect(patterns).toContain(
      'Asking "show me the open tickets of team please" usually happens on Mondays and Thursdays.',
    );
    expect(patterns).toContain(
      'Asking "draft the status mail for the managers" usually happens between 09:00 and 10:00.',
    );
  });

  it('at the beginning of a day is what the day begins with, whenever that is', () => {
    const days = Array.from({ length: 14 }, (_none, day) =>
      conversation(day, day, 6 + ((day * 5) % 9), ['check my email first', chat(day), chat(day + 31)]),
    );
    expect(found(days)).toContain('A day usually begins with asking "check my email first".');
  });

  it('in other words is the same request, and with another figure too', () => {
    const requests = ['book the small room for 10', 'Please book the small room for 11:30', 'book the small room'];
    const labels = occurrencesIn([conversation(1, 0, 9, requests)], 'UTC').flatMap((each) => each.labels);
    expect(new Set(labels).size).toBe(1);
  });

  it('is no habit when the days and hours are dealt out anew', () => {
    const requests = ['check my email first', 'draft the status mail', 'show me the open tickets'];
    let seed = 7;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const sessions = Array.from({ length: 200 }, (_none, at) =>
      conversation(at, next(182), 8 + next(12), [requests[next(3)] ?? '']),
    );
    expect(found(sessions)).toEqual([]);
  });
});

describe('a failure', () => {
  it('is followed by what usually mends it', () => {
    const sessions = Array.from({ length: 40 }, (_none, at) => {
      const fails = at % 3 === 0;
      return conversation(at, at * 2 + (at % 5), 9 + (at % 7), [
        chat(at),
        { command: 'npm test', result: fails ? 'Error: cannot find module' : '12 passed, 0 failed' },
        ...(fails ? [{ command: 'npm ci', result: 'added 130 packages' }] : []),
      ]);
    });
    expect(found(sessions)).toContain('After "shell npm test fails", "shell npm ci" usually follows within 3 hours.');
  });
});
