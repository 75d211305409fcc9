import { describe, expect, it } from 'vitest';
import { compress } from './compress.ts';
import { cutIntoGroups } from './group-plan.ts';
import { type ContextMessage, compactionTarget, criticalLines, flushThreshold, isFixed } from './message.ts';
import { createHeuristicReasoner } from '../../reasoner/heuristic/reasoner.ts';
import { summariseBy, type Summarise } from './summary.ts';
import { tellingPart, toolLine } from './telling.ts';

/** Simple enough to see what fits. */
const counter = { id: 'test', count: (text: string) => Math.ceil(text.length / 5) };

function message(id: string, text: string, more: Partial<ContextMessage> = {}): ContextMessage {
  return { id, role: 'user', text, ...more };
}

const summarise: Summarise = (messages) =>
  Promise.resolve({
    topic: 'ships',
    lines: [`Decided: ${messages[0]?.text ?? ''}`, '- they were late'],
    by: 'test@1',
    notes: ['a note'],
  });

describe('the threshold', () => {
  it.each([
    [200_000, 176_000],
    [1_000_000, 976_000],
    [100_000, 88_000],
    [8000, 7040],
    [10, 9],
  ])('of a window of %i tokens is %i', (window, threshold) => {
    expect(flushThreshold(window)).toBe(threshold);
    expect(compactionTarget(window)).toBeLessThanOrEqual(threshold);
  });
});

describe('what is critical', () => {
  it.each([
    ['user', 'fine\nImportant: never on Fridays\nbye', 'Important: never on Fridays'],
    ['agent', '- **Decision**: Redis', '- **Decision**: Redis'],
    ['agent', 'error: the disk is full', 'error: the disk is full'],
    ['user', 'ok\nplease remember that the port is 8443', 'please remember that the port is 8443'],
    ['user', 'what did we decide: Redis or disk?', undefined],
    ['user', 'it is important to be early', undefined],
    ['tool', 'error: 404', undefined],
  ] as const)('%s says %j: %j', (role, text, lines) => {
    expect(criticalLines(message('t1', text, { role }))).toBe(lines);
  });

  it('is what the host says and what it marks, but not what compaction made', () => {
    const standsFor = { from: 't1', to: 't2', messages: 2 };
    expect(isFixed(message('t1', 'x', { role: 'system' }))).toBe(true);
    expect(isFixed(message('t1', 'x', { isCritical: true }))).toBe(true);
    expect(isFixed(message('t1', 'x', { role: 'system', standsFor }))).toBe(false);
    expect(isFixed(message('t1', 'x'))).toBe(false);
  });
});

describe('shorter forms', () => {
  it.each([
    ['one line', 'one line'],
    ['$ npm test\n\nok 1\nerror: two failed\n40 passed', '$ npm test … error: two failed (4 lines)'],
    ['$ ls\na\nb', '$ ls … b (3 lines)'],
  ])('a tool’s output %j becomes %j', (text, line) => {
    expect(toolLine(text)).toBe(line);
  });

  it('a long line of a tool stays a line', () => {
    const line = toolLine(`${'x '.repeat(500)}\n${'y '.repeat(500)}`);
    expect(line.length).toBeLessThanOrEqual(160);
    expect(line).not.toContain('\n');
  });

  it('of a long message the telling sentences stay, of an acknowledgement nothing', () => {
    const text =
      'Hm. Well, you know. We will use Redis from 3 May, because Kemal knows it. The weather is nice, is it not?';
    expect(tellingPart(message('t1', text))).toContain('We will use Redis from 3 May, because Kemal knows it.');
    expect(tellingPart(message('t1', 'ok'))).toBe('');
    expect(tellingPart(message('t1', '```\nlet x = 1;\n```\nWe agreed on this code.'))).not.toContain('let x');
  });
});

describe('groups', () => {
  it('end at a pause, at a length, and around what an earlier compaction made', () => {
    const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString();
    const messages = [
      message('s', 'earlier', { standsFor: { from: 't1', to: 't9', messages: 9 } }),
      ...[0, 1, 2, 3, 4].map((minute) => message(`a${minute}`, 'x', { time: at(minute) })),
      message('b', 'x', { time: at(90) }),
      message('c', 'a short stretch is none of its own', { time: at(180) }),
      ...Array.from({ length: 17 }, (_none, index) => message(`d${index}`, 'x')),
    ];
    expect(cutIntoGroups(messages).map((group) => group.messages.length)).toEqual([1, 5, 16, 3]);
    const many = Array.from({ length: 5000 }, (_none, index) => message(`t${index}`, 'x'));
    expect(cutIntoGroups(many).length).toBeLessThanOrEqual(24);
  });
});

describe('a window that is too large', () => {
  const long = Array.from({ length: 30 }, (_none, index) =>
    message(`t${index + 2}`, `We will look at ship number ${index}, because it was late on Friday.`, {
      role: index % 2 === 0 ? 'user' : 'agent',
    }),
  );
  const messages = [message('t1', 'You are an agent.', { role: 'system' }), ...long];

  it('gets summaries of what is old, and keeps the last messages word for word', async () => {
    const {
      messages: left,
      fates,
      by,
      notes,
    } = await compress(messages, { maxTokens: 280, keepMessages: 10, counter, summarise });
    expect(left[0]).toEqual(messages[0]);
    expect(left.slice(-10)).toEqual(messages.slice(-10));
    expect(left[1]).toMatchObject({
      role: 'user',
      name: 'mneme-summary',
      text: '[15 earlier messages, t2–t16 in short: ships]\nDecided: We will look at ship number 0, because it was late on Friday.\n- they were late',
      standsFor: { from: 't2', to: 't16', messages: 15 },
    });
    expect([by, notes]).toEqual([['test@1'], ['a note']]);
    expect(fates.map(({ fate }) => fate)).toEqual(['kept', ...Array(20).fill('summarised'), ...Array(10).fill('kept')]);
  });

  it('says what is gone and where it is, when nothing more of it fits', async () => {
    const options = { maxTokens: 220, keepMessages: 10, counter, summarise, session: 'ses_1' };
    const { messages: left } = await compress(messages, options);
    expect(left[1]?.text).toBe(
      '[20 earlier messages, t2–t21 are not shown; session ses_1 holds them, a search of the memory finds them]',
    );
  });

  it('condenses once more what an earlier compaction made, instead of piling it up', async () => {
    const once = await compress(messages, { maxTokens: 280, keepMessages: 10, counter, summarise });
    const more = [...once.messages, ...long.map((each) => ({ ...each, id: `${each.id}b` }))];
    const twice = await compress(more, { maxTokens: 330, keepMessages: 10, counter, summarise });
    const stood = twice.messages.flatMap(({ standsFor }) => standsFor ?? []);
    expect(stood[0]?.from).toBe('t2');
    expect(stood.reduce((sum, each) => sum + each.messages, 0)).toBe(50);
  });

  it('does not let one tool’s output take the place of everything said', async () => {
    const output = message('t99', `$ cat log\n${'line of a log\n'.repeat(500)}`, { role: 'tool' });
    const { messages: left, fates } = await compress([...messages, output], {
      maxTokens: 900,
      keepMessages: 10,
      counter,
      summarise,
    });
    expect(left.at(-1)?.text).toBe('$ cat log … line of a log (501 lines)');
    expect(fates.at(-1)?.fate).toBe('one-line');
    expect(left.length).toBeGreaterThan(20);
  });

  it('is refused when what must not be lost is too much, and says so', async () => {
    await expect(compress(messages, { maxTokens: 5, keepMessages: 10, counter, summarise })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(
        '1 system or critical message and 0 messages with critical lines – needs 8 tokens',
      ),
    });
  });
});

describe('a summary', () => {
  it('has what was settled before what was merely said', async () => {
    const chat = Array.from({ length: 14 }, (_none, at) =>
      message(`t${at}`, `The harbour was full of grey ships and gulls on morning number ${at}.`),
    );
    const settled = [
      message('s1', 'From now on we deploy the tile server on Tuesdays.'),
      message('s2', 'I prefer tabs over spaces in all our Python files.'),
      message('s3', 'We agreed to drop the Oracle licence in June.', { role: 'agent' }),
    ];
    const say = summariseBy(createHeuristicReasoner(), { session: 's', timeZone: 'UTC', nowMs: 0 });
    const { lines } = await say([...chat, ...settled], 60);
    const firstChat = lines.findIndex((line) => line.includes('gulls'));
    const places = ['Tuesdays', 'tabs', 'Oracle'].map((word) => lines.findIndex((line) => line.includes(word)));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThan(firstChat === -1 ? lines.length : firstChat);
  });
});
