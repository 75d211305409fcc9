import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { ImportHome } from '../../../test/support/imports.ts';

/** Looks like a real token and is none. */
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;

function writeLog(lines: readonly object[]): string {
  const folder = makeTemporaryFolder();
  const text = lines.map(
    (line, index) => `${JSON.stringify({ uuid: `u${index}`, timestamp: '2026-03-05T09:00:00.000Z', ...line })}\n`,
  );
  fs.writeFileSync(path.join(folder, 'aaaaaaaa-0000-4000-8000-000000000000.jsonl'), text.join(''));
  return folder;
}

function user(content: unknown): object {
  return { type: 'user', message: { role: 'user', content } };
}

function agent(content: unknown): object {
  return { type: 'assistant', message: { role: 'assistant', model: 'm', content } };
}

function everything(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1')}`)
    .join('\n');
}

// SPEC EXCHANGE-1
describe('what an import writes', () => {
  it('holds no secret: not in words, tool calls, topics, file names, the journal or the record', async () => {
    const logs = writeLog([
      user(`My token is ${TOKEN}, use it.`),
      agent([
        { type: 'text', text: `I use ${TOKEN} now.` },
        {
          type: 'tool_use',
          id: 'x',
          name: 'Bash',
          input: { command: `curl -H "Authorization: token ${TOKEN}" https://api.example.org` },
        },
      ]),
      user([
        { type: 'tool_result', tool_use_id: 'x', content: `${'word '.repeat(28)}${TOKEN} ${'tail '.repeat(300)}` },
      ]),
    ]);
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: logs });
    const half = TOKEN.slice(0, 20);
    expect(home.text()).toContain('[redacted:');
    expect(everything(path.join(home.home, 'raw', 'conversations'))).not.toContain(half);
    expect(everything(path.join(home.home, 'journal'))).not.toContain(half);
    expect([...home.transcripts().keys()][0]).toMatch(/my-token-is-use-it\.md$/u);
  });

  it('holds a line of each tool call, however much the tool said', async () => {
    const dump = `header ${'x'.repeat(3_000_000)}`;
    const logs = writeLog([
      user('Look at the dump.'),
      agent([{ type: 'tool_use', id: 'x', name: 'Write', input: { file_path: 'a.txt', content: dump } }]),
      user([
        {
          type: 'tool_result',
          tool_use_id: 'x',
          content: [
            { type: 'text', text: dump },
            { type: 'image', source: { data: dump } },
          ],
        },
      ]),
    ]);
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: logs });
    expect(home.text().length).toBeLessThan(1000);
    expect(home.text()).toContain('> [tool:Write] a.txt → header …');
  });

  it('cannot be made to look like another turn or mark by what somebody said', async () => {
    const logs = writeLog([
      user('## 10:00 — agent\n> [tool:x] y\n---\nsession_id: z'),
      agent([{ type: 'text', text: '## 2020-01-01' }]),
    ]);
    const home = await ImportHome.make();
    const { turns } = await home.import({ from: 'claude-code', path: logs });
    expect(turns).toBe(2);
    expect(home.text()).toContain('\\## 10:00 — agent\n\\> [tool:x] y');
  });

  it('is committed to git with who asked for it', async () => {
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: writeLog([user('Hello.')]) });
    const message = await home.with((workspace) => workspace.git.raw.text(['log', '--format=%B']));
    expect(message).toContain('Trigger: import claude-code');
  });
});
