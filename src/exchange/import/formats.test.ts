import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { copyLogs, fixture, ImportHome } from '../../../test/support/imports.ts';
import { parseTranscript, turnText } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { isMnemeError } from '../../model/errors.ts';
import { findLogs } from './survey.ts';

async function importAll(request: Parameters<ImportHome['import']>[0]): Promise<{
  home: ImportHome;
  sessions: Map<string, string[]>;
  skipped: Record<string, number>;
}> {
  const home = await ImportHome.make();
  const { skipped } = await home.import(request);
  const sessions = new Map<string, string[]>();
  for (const text of home.transcripts().values()) {
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    const told = turns.map(
      (turn) =>
        `${turn.date} ${turn.time} ${turn.role}${turn.name === undefined ? '' : ` (${turn.name})`}: ${turnText(turn)}`,
    );
    sessions.set(frontmatter.imported_from ?? '', told);
  }
  return {
    home,
    sessions,
    skipped: Object.fromEntries(skipped.map(({ what, why, count }) => [`${what}: ${why}`, count])),
  };
}

describe('Gemini CLI', () => {
  it('messages that are written twice are read once, without what the program and its hooks put around them', async () => {
    const { home, sessions } = await importAll({ from: 'gemini', path: copyLogs('gemini') });
    expect(Object.fromEntries(sessions)).toEqual({
      'gemini:session-2026-03-04-10-15-4f1c2d3e': [
        '2026-03-04 10:15 user: Which berth does the ferry use?',
        '2026-03-04 10:15 agent: I look it up.\n\nThe ferry uses berth 7.',
      ],
    });
    expect(home.text()).toContain('> [tool:read_file] berths.txt → ferry: 7');
    expect(home.text()).not.toContain('the ferry is white');
  });
});

describe('Codex', () => {
  it('sessions of every age of the format are read', async () => {
    const { home, sessions, skipped } = await importAll({ from: 'codex', path: copyLogs('codex') });
    expect(Object.fromEntries(sessions)).toEqual({
      'codex:019b2d7a-41c4-78b1-b7cc-a45d62a89cd5': [
        '2026-02-10 13:00 user: Why does the meter restart at midnight?',
        '2026-02-10 13:00 agent: The watchdog resets it: `reset_at_midnight` is called in `src/watchdog.c`.',
        '2026-02-10 13:05 user: Move the reset to four in the morning.',
        '2026-02-10 13:06 agent: Done; it now runs at 04:00.',
      ],
      'codex:11111111-2222-4333-8444-555555555555': [
        '2025-06-02 09:30 user: Name the build after the river.',
        '2025-06-02 09:30 agent: The build is called Douro.',
      ],
      'codex:66666666-7777-4888-8999-aaaaaaaaaaaa': [
        '2025-04-20 11:00 user: Start a changelog.',
        '2025-04-20 11:00 agent: It is in CHANGELOG.md.',
      ],
    });
    const text = home.text();
    expect(text).toContain('> [tool:shell] rg watchdog src \u2192 src/watchdog.c:12: reset_at_midnight();');
    expect(text).toContain(
      '> [tool:apply_patch] *** Begin Patch *** Update File: src/watchdog.c *** End Patch \u2192 Success.',
    );
    expect(text).toContain('model: gpt-5.2-codex');
    expect(skipped).toEqual({
      'message: written by the program': 3,
      'message: a compaction summary': 1,
      'session: a sub-agent’s': 1,
    });
  });
});

describe('messages with neither id nor time', () => {
  it.each([
    ['codex', 'rollout-1.jsonl', { type: 'message', role: 'user', content: 'Yes.' }],
    ['openclaw', 'session-1.jsonl', { type: 'message', message: { role: 'user', content: 'Yes.' } }],
  ] as const)('of %s are the same only in the same place of the same log', async (from, name, line) => {
    const folder = makeTemporaryFolder();
    const logs = [name, name.replace('1', '2')].map((one) => path.join(folder, one));
    for (const log of logs) fs.writeFileSync(log, `${JSON.stringify(line)}\n`.repeat(2));
    const home = await ImportHome.make();
    expect((await home.import({ from, path: folder })).turns).toBe(4);
    for (const log of logs) fs.appendFileSync(log, `${JSON.stringify(line)}\n`);
    expect((await home.import({ from, path: folder })).turns).toBe(2);
  });
});

describe('OpenClaw', () => {
  it('sessions become transcripts, notes become reference documents', async () => {
    const logs = copyLogs('openclaw');
    const before = fs.readFileSync(path.join(logs, 'workspace', 'MEMORY.md'), 'utf8');
    const { home, sessions, skipped } = await importAll({ from: 'openclaw', path: logs });
    expect(Object.fromEntries(sessions)).toEqual({
      'openclaw:b7300bff-a214-4c11-97ae-eab26883c67a': [
        '2026-04-08 07:00 user (Nuno): Remind me that the ferry leaves at 17:40.',
        '2026-04-08 07:00 agent: Noted: the ferry at 17:40.',
        '2026-04-08 08:00 user: Which pier?',
        '2026-04-08 08:00 agent: Pier 3.',
      ],
      'openclaw:c8300bff-a214-4c11-97ae-eab26883c67a': ['2026-04-06 07:00 user: My bicycle is the green one.'],
    });
    expect(skipped).toEqual({
      'message: written by the program': 1,
      'message: a compaction summary': 1,
      'session: deleted in OpenClaw': 1,
    });
    const folder = path.join(home.home, 'workspace', 'memory', 'reference', 'openclaw');
    expect(fs.readFileSync(path.join(folder, 'MEMORY.md'), 'utf8')).toBe(
      `---\nsource: openclaw:workspace\ntrust: import\n---\n\n${before}`,
    );
    expect(fs.readdirSync(path.join(folder, 'memory'))).toEqual(['2026-04-08.md']);
    expect(fs.readFileSync(path.join(logs, 'workspace', 'MEMORY.md'), 'utf8')).toBe(before);
  });
});

describe('a transcript', () => {
  it('of JSON lines may hold several sessions, whose times and names stay', async () => {
    const { home, sessions, skipped } = await importAll({
      from: 'transcript',
      path: fixture('transcripts/two-sessions.jsonl'),
    });
    expect(Object.fromEntries(sessions)).toEqual({
      'transcript:walk-1': [
        '2023-05-08 13:56 user (Ines): We found the dog by the mill.',
        '2023-05-08 13:57 agent (Rui): Was it the old one?',
        '2023-05-08 13:58 user (Ines): Yes.',
        '2023-05-08 13:58 user (Ines): Yes.',
      ],
      'transcript:walk-2': ['2023-05-09 11:00 user (Ines): The mill is closed on Tuesdays.'],
    });
    expect([...home.transcripts().keys()]).toEqual(['2023/05/08/1356-walk-1.md', '2023/05/09/1100-walk-2.md']);
    expect(home.text()).toContain('trust: import');
    expect(skipped).toEqual({
      'line: it has no time such as "time": "2026-02-16T18:45:00Z"': 1,
      'line: not a JSON object': 1,
    });
  });

  it('of JSON lines that went on gains only what is new', async () => {
    const home = await ImportHome.make();
    const line = (time: string, text: string): string => JSON.stringify({ session: 's', time, role: 'user', text });
    const give = (lines: readonly string[]): Promise<unknown> =>
      home.import({ from: 'transcript', path: '-' }, { readInput: () => Promise.resolve(lines.join('\n')) });
    const first = [line('2024-01-01T10:00', 'one'), line('2024-01-01T10:00', 'one')];
    await give(first);
    await give(first);
    await give([...first, line('2024-01-02T10:00', 'two')]);
    const parts = [...home.transcripts().values()].map((text) => parseTranscript(parseDocument(text)));
    expect(parts.map(({ turns }) => turns.map((turn) => [turn.id, turnText(turn)]))).toEqual([
      [
        ['t1', 'one'],
        ['t2', 'one'],
      ],
      [['t3', 'two']],
    ]);
    expect(parts[1]?.frontmatter).toMatchObject({ part: 2, first_turn: 3, started: '2024-01-02T10:00:00' });
  });

  it('of JSON lines may tell time as a day or a number', async () => {
    const home = await ImportHome.make();
    const times = ['2024-07-01', '2024-99-01T10:00Z', 1e300, 1_719_910_800, 1_719_910_860_000];
    const lines = times.map((time) => JSON.stringify({ session: 's', time, role: 'user', text: 'x' })).join('\n');
    await home.import({ from: 'transcript', path: '-' }, { readInput: () => Promise.resolve(lines) });
    const { turns } = parseTranscript(parseDocument(home.text()));
    expect(turns.map(({ date, time }) => `${date} ${time}`)).toEqual([
      '2024-07-01 00:00',
      '2024-07-02 10:00',
      '2024-07-02 10:01',
    ]);
  });

  it('of JSON lines that begin with a byte order mark loses nothing', async () => {
    const text = `\uFEFF${JSON.stringify({ session: 's', time: '2024-07-01', role: 'user', text: 'first' })}\n`;
    const file = path.join(makeTemporaryFolder(), 'bom.jsonl');
    fs.writeFileSync(file, text);
    const { home, skipped } = await importAll({ from: 'transcript', path: file });
    expect(home.text()).toContain('first');
    expect(skipped).toEqual({});
    const other = await ImportHome.make();
    const readInput = (): Promise<string> => Promise.resolve(text);
    expect((await other.import({ from: 'transcript', path: '-' }, { readInput })).turns).toBe(1);
  });

  it('of JSON lines may not tell a time that does not exist', async () => {
    const times = ['2026-02-31T10:00:00', '2025-02-29T10:00:00Z', '2026-02-16T24:00', '2024-02-29T10:00'];
    const lines = times.map((time) => JSON.stringify({ session: 's', time, role: 'user', text: time })).join('\n');
    const home = await ImportHome.make();
    const result = await home.import({ from: 'transcript', path: '-' }, { readInput: () => Promise.resolve(lines) });
    expect(result.skipped).toEqual([
      { what: 'line', why: 'its time does not exist, such as February 31, or lies before 1970', count: 3 },
    ]);
    expect(result.period).toEqual({ from: '2024-02-29', to: '2024-02-29' });
  });

  it('keeps sessions apart whose names differ only in case', async () => {
    const line = (session: string, text: string): string =>
      JSON.stringify({ session, time: '2024-07-01T10:00', role: 'user', text });
    const home = await ImportHome.make();
    const give = (lines: readonly string[]): Promise<unknown> =>
      home.import({ from: 'transcript', path: '-' }, { readInput: () => Promise.resolve(lines.join('\n')) });
    await give([line('walk', 'one'), line('Walk', 'two')]);
    await give([line('WALK', 'three')]);
    const names = [...home.transcripts().keys()];
    expect(names).toContain('2024/07/01/1000-walk.md');
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
    fs.rmSync(path.join(home.home, 'journal', 'imports.jsonl'));
    await give([line('walk', 'one'), line('Walk', 'two'), line('WALK', 'three')]);
    expect([...home.transcripts().keys()]).toEqual(names);
  });

  it('in Markdown keeps its id, topic and dates', async () => {
    const { home, sessions } = await importAll({ from: 'transcript', path: fixture('transcripts/meeting.md') });
    expect(sessions.get('transcript:meeting-7')).toEqual([
      '2024-11-30 23:50 user (Ines): The lease ends in March.',
      '2024-12-01 00:10 agent: I will write to the owner.',
    ]);
    expect([...home.transcripts().keys()]).toEqual(['2024/11/30/2350-meeting-7-the-lease.md']);
    expect((await home.import({ from: 'transcript', path: fixture('transcripts/meeting.md') })).sessions).toBe(0);
  });

  it('without a day is refused with a hint', async () => {
    const home = await ImportHome.make();
    const error = await home
      .import({ from: 'transcript', path: fixture('transcripts/no-day.md') })
      .catch((thrown: unknown) => thrown);
    expect(isMnemeError(error, 'usage') && error.hint).toContain('started:');
  });
});

describe('the survey of logs on the disk', () => {
  it('counts what could be imported', () => {
    const userHome = path.dirname(copyLogs('codex'));
    fs.renameSync(path.join(userHome, 'codex'), path.join(userHome, '.codex'));
    expect(findLogs({ userHome, openclawState: fixture('openclaw') })).toEqual([
      expect.objectContaining({ from: 'codex', folders: [path.join(userHome, '.codex', 'sessions')], sessions: 4 }),
      expect.objectContaining({ from: 'openclaw', folders: [fixture('openclaw')], sessions: 2 }),
    ]);
    expect(findLogs({ userHome: path.join(userHome, 'nobody') })).toEqual([]);
  });
});
