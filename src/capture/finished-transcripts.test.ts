import { describe, expect, it } from 'vitest';
import type { TurnPart } from '../workspace/formats/transcript.ts';
import { createRedactor } from '../workspace/safety/redact.ts';
import { prepareTranscript } from './finished-transcripts.ts';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
const redactor = createRedactor({ allow: [], enabled: true });

async function render(parts: readonly TurnPart[], topic?: string): Promise<{ path: string; text: string } | undefined> {
  const frontmatter = {
    session_id: 'ses_a',
    started: '2026-02-16T18:45:00Z',
    ...(topic === undefined ? {} : { topic }),
  };
  const turns = [{ id: 't1', date: '2026-02-16', time: '18:45', role: 'agent', name: `Bot ${TOKEN}`, parts } as const];
  return prepareTranscript(redactor, { frontmatter, turns });
}

describe('a finished transcript', () => {
  it('is placed by day, hour, session and topic', async () => {
    expect((await render([], 'The tide tables'))?.path).toBe('conversations/2026/02/16/1845-ses_a-the-tide-tables.md');
    expect((await render([]))?.path).toBe('conversations/2026/02/16/1845-ses_a.md');
  });

  it('has no secret in words, names, marks, topic or path', async () => {
    const file = await render(
      [
        { kind: 'text', text: `token ${TOKEN}` },
        { kind: 'tool', name: 'Bash', args: TOKEN, result: `${'a '.repeat(70)}${TOKEN}` },
        { kind: 'knowledge', action: 'updated', path: 'a.md', summary: TOKEN },
      ],
      `Use ${TOKEN}`,
    );
    expect(file?.text).toContain('[redacted:github-token]');
    expect(`${file?.path} ${file?.text}`).not.toContain(TOKEN.slice(0, 12));
    expect(file?.path).toContain('1845-ses_a-use.md');
  });

  it('keeps an agent’s words without its inline reasoning', async () => {
    const file = await render([
      { kind: 'text', text: '<think>They seem to be in a hurry.\nBe short.</think>\nThe ferry leaves at ten.' },
      { kind: 'text', text: 'Write `<think>` in backticks.' },
      { kind: 'text', text: '<think>cut off in the middle' },
    ]);
    expect(file?.text).toContain('The ferry leaves at ten.\n\nWrite `<think>` in backticks.');
    expect(file?.text).not.toMatch(/hurry|short|middle/u);
  });

  it('shows tool calls in a line, cut behind the marker of a secret and not inside', async () => {
    const file = await render([
      { kind: 'tool', name: 'Bash', args: 'a\nb '.repeat(200), result: `${'a '.repeat(72)}${TOKEN} and more text` },
    ]);
    const mark = file?.text.split('\n').find((line) => line.startsWith('> [tool:Bash]')) ?? '';
    expect(mark.length).toBeLessThan(440);
    expect(mark).toMatch(/a a …$/u);
  });

  it('has names and topics without characters that a terminal would obey', async () => {
    const named = (name: string): Promise<{ text: string } | undefined> =>
      prepareTranscript(redactor, {
        frontmatter: {
          session_id: 'ses_a',
          started: '2026-02-16T18:45:00Z',
          topic: 'Tide\u001B]0;x\u0007 \u202Etables',
        },
        turns: [{ id: 't1', date: '2026-02-16', time: '18:45', role: 'user', name, parts: [] }],
      });
    const text = (await named('Mia\u001B[2J\u202E\n## 18:46'))?.text ?? '';
    expect(text).toContain('## 18:45 — user (Mia[2J ## 18:46)\n');
    expect(text).toContain('# Tide]0;x tables\n');
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect((await named('\u001B '))?.text).toContain('## 18:45 — user\n');
  });

  it('is none without turns', async () => {
    const frontmatter = { session_id: 'ses_a', started: '2026-02-16T18:45:00Z' };
    expect(await prepareTranscript(redactor, { frontmatter, turns: [] })).toBeUndefined();
  });
});
