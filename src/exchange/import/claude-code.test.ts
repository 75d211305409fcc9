import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { copyLogs, ImportHome } from '../../../test/support/imports.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { userWords, wordsInRejection } from './claude-code.ts';

const TIDE = '5b1f6c52-3d0e-4c7a-9a41-2f0c8f6d7e10';

async function importTide(): Promise<{ name: string; text: string; skipped: Record<string, number> }> {
  const home = await ImportHome.make();
  const { skipped } = await home.import({ from: 'claude-code', path: copyLogs('claude-code') });
  const [name = '', text = ''] = [...home.transcripts()].find(([, content]) => content.includes(TIDE)) ?? [];
  const counts = Object.fromEntries(skipped.map(({ what, why, count }) => [`${what}: ${why}`, count]));
  return { name, text, skipped: counts };
}

describe('a Claude Code session', () => {
  it('becomes a transcript of what was said, with tool calls in a line each', async () => {
    const { name, text } = await importTide();
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    expect(name).toMatch(/^2026\/01\/31\/2255-ses_[0-9a-z]{13}-tide-tables-off-by-an-hour\.md$/u);
    expect(frontmatter).toEqual({
      session_id: name.slice('2026/01/31/2255-'.length, '2026/01/31/2255-'.length + 17),
      started: '2026-01-31T22:55:00Z',
      ended: '2026-02-01T00:07:00Z',
      timezone: 'Europe/Lisbon',
      model: 'claude-sonnet-4-5-20250929',
      channel: 'claude-code',
      topic: 'Tide tables off by an hour',
      project: 'tidewater',
      source: 'import',
      imported_from: `claude-code:${TIDE}`,
    });
    expect(turns.map(({ date, time, role, parts }) => [`${date} ${time} ${role}`, parts])).toEqual([
      [
        '2026-01-31 22:55 user',
        [{ kind: 'text', text: 'The tide tables are an hour off since the switch.\nPlease find out why.' }],
      ],
      [
        '2026-01-31 22:55 agent',
        [
          { kind: 'text', text: 'I will look at how the station clock is read.' },
          { kind: 'tool', name: 'Grep', args: 'tzOffset src', result: 'Found 2 files src/clock.ts src/tables.ts' },
          { kind: 'tool', name: 'Read', args: 'src/clock.ts', result: '2 lines' },
          {
            kind: 'text',
            text: 'The station sends local time, and `clock.ts` reads it as UTC.\n\n## Cause\n\nThe zone is fixed to UTC.',
          },
        ],
      ],
      [
        '2026-01-31 23:10 user',
        [
          { kind: 'text', text: 'Here is a photo of the display.' },
          { kind: 'attachment', path: 'image', note: 'not kept' },
        ],
      ],
      [
        '2026-01-31 23:10 agent',
        [{ kind: 'tool', name: 'Edit', args: 'src/clock.ts', result: expect.stringContaining('The user doesn') }],
      ],
      ['2026-01-31 23:11 user', [{ kind: 'text', text: 'Use Europe/Lisbon, the station moved.' }]],
      [
        '2026-01-31 23:12 agent',
        [
          { kind: 'text', text: '1. Take the zone from the station record.\n2. Rebuild the tables.' },
          { kind: 'tool', name: 'ExitPlanMode', args: 'plan' },
        ],
      ],
      ['2026-02-01 00:05 user', [{ kind: 'text', text: 'And add a test for the night of the switch.' }]],
      ['2026-02-01 00:06 user', [{ kind: 'text', text: '/review only the clock change' }]],
      ['2026-02-01 00:07 agent', [{ kind: 'text', text: 'The review found nothing.' }]],
    ]);
  });

  it('says what was left out and why', async () => {
    const { skipped } = await importTide();
    expect(skipped).toEqual({
      'message: a sub-agent’s': 2,
      'message: a compaction summary': 1,
      'message: written by the program': 2,
      'session: a sub-agent’s': 1,
      'line: not JSON': 1,
    });
  });

  it('is found by project and by age', async () => {
    const logs = copyLogs('claude-code');
    const home = await ImportHome.make();
    const byProject = await home.import({ from: 'claude-code', path: logs, project: 'parcel', dryRun: true });
    expect([byProject.sessions, byProject.period]).toEqual([1, { from: '2026-03-05', to: '2026-03-05' }]);
    const byFolder = await home.import({ from: 'claude-code', path: logs, project: '/home/sam/code/', dryRun: true });
    expect(byFolder.sessions).toBe(2);
    const sinceMs = Date.UTC(2026, 2, 1);
    const recent = await home.import({ from: 'claude-code', path: logs, sinceMs });
    expect(recent.sessions).toBe(1);
    expect(recent.skipped).toContainEqual({ what: 'session', why: 'older than asked for', count: 1 });
    // An omitted session is not recorded as imported.
    expect((await home.import({ from: 'claude-code', path: logs })).sessions).toBe(1);
  });

  it('is not imported a second time through a copy that another session began with', async () => {
    const logs = copyLogs('claude-code');
    const project = path.join(logs, '-home-sam-code-parcel');
    const [original = ''] = fs.readdirSync(project);
    const more = {
      type: 'user',
      uuid: 'new-1',
      timestamp: '2026-03-06T10:00:00.000Z',
      message: { role: 'user', content: 'And in the test setup?' },
    };
    const copied = fs.readFileSync(path.join(project, original), 'utf8');
    fs.writeFileSync(
      path.join(project, '99999999-7425-40de-944b-e07fc1f90ae7.jsonl'),
      `${copied}${JSON.stringify(more)}\n`,
    );
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: project });
    expect(home.transcripts().size).toBe(2);
    expect(home.text().split('On 8431').length - 1).toBe(1);
    expect(home.text()).toContain('And in the test setup?');
  });
});

describe('messages without ids', () => {
  it('are all imported, once, from every log', async () => {
    const folder = makeTemporaryFolder();
    const line = (type: string, content: string): string =>
      `${JSON.stringify({ type, timestamp: '2026-03-05T09:00:00.000Z', message: { role: type, content } })}\n`;
    const logs = ['aaaaaaaa', 'bbbbbbbb'].map((start) =>
      path.join(folder, `${start}-0000-4000-8000-000000000000.jsonl`),
    );
    for (const log of logs)
      fs.writeFileSync(log, line('user', 'Yes.') + line('assistant', 'Good.') + line('user', 'Yes.'));
    const home = await ImportHome.make();
    expect((await home.import({ from: 'claude-code', path: folder })).turns).toBe(6);
    for (const log of logs) fs.appendFileSync(log, line('user', 'Yes.'));
    expect((await home.import({ from: 'claude-code', path: folder })).turns).toBe(2);
    expect((await home.import({ from: 'claude-code', path: folder })).turns).toBe(0);
  });
});

describe('the words in a message', () => {
  it('are what is left when the program’s own are taken away', () => {
    expect(userWords('plain < 3')).toBe('plain < 3');
    expect(userWords('<system-reminder>x</system-reminder>')).toBe('');
    expect(userWords('a\n<system-reminder>x\ny</system-reminder>')).toBe('a');
    expect(userWords('<command-name>/model</command-name><command-args></command-args>')).toBe('');
    expect(userWords('<bash-input>ls -a</bash-input>')).toBe('!ls -a');
    expect(userWords('<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>')).toBe('');
    expect(userWords('<div>kept</div>')).toBe('<div>kept</div>');
    expect(userWords('[Request interrupted by user]')).toBe('');
  });

  it('are found in a declined tool call', () => {
    expect(wordsInRejection('Exit code 1')).toBeUndefined();
    expect(wordsInRejection("The user doesn't want to proceed with this tool use. STOP.")).toBeUndefined();
    expect(wordsInRejection("The user doesn't want to proceed with this tool use. … the user said:\nno, wait")).toBe(
      'no, wait',
    );
  });
});
