import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, openWorkspace } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import type { Turn } from './formats/transcript.ts';
import { LiveLog } from './live-log.ts';
import { LiveTranscript, type TranscriptDoor } from './transcripts.ts';
import type { Workspace } from './workspace.ts';

function doorOf(workspace: Workspace): TranscriptDoor {
  const { paths, redactor } = workspace;
  return { paths, fs: nodeFileSystem, redactor, commit: (request) => workspace.commit(request) };
}

function turn(number: number, text: string): Turn {
  return { id: `t${number}`, date: '2026-02-16', time: '18:45', role: 'user', parts: [{ kind: 'text', text }] };
}

const FRONTMATTER = { session_id: 'ses_a', started: '2026-02-16T18:45:00Z' };

describe('a live transcript', () => {
  it('becomes one read-only file in raw/, committed once', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const live = LiveTranscript.open(doorOf(workspace), 'ses_a');
    await live.append(turn(1, 'hello\n## not a heading'));
    await live.append(turn(2, 'goodbye'));
    const { path: file } = await live.finish(FRONTMATTER, 'Hello there');
    await workspace.close();
    const full = path.join(home, 'raw', file);
    expect(file).toBe('conversations/2026/02/16/1845-ses_a-hello-there.md');
    expect(fs.statSync(full).mode & 0o222).toBe(0);
    expect(fs.readFileSync(full, 'utf8')).toContain('goodbye');
    expect(LiveTranscript.list(doorOf(workspace))).toEqual([]);
  });

  it('survives a crash between two turns, and is finished only once', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const door = doorOf(workspace);
    await LiveTranscript.open(door, 'ses_a').append(turn(1, 'before the crash'));
    const again = LiveTranscript.open(door, 'ses_a');
    expect(again.turns()).toEqual([turn(1, 'before the crash')]);
    const log = path.join(home, 'journal', 'live', 'ses_a.jsonl');
    const kept = fs.readFileSync(log);
    const first = await again.finish(FRONTMATTER, 'x');
    // The crash came after the transcript was written and before the log was removed.
    fs.writeFileSync(log, kept);
    const second = await LiveTranscript.open(door, 'ses_a').finish(FRONTMATTER, 'x');
    expect(second).toEqual(first);
    await workspace.close();
  });

  it('goes on in a part file when the session is resumed', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const door = doorOf(workspace);
    for (const text of ['one', 'two']) {
      const live = LiveTranscript.open(door, 'ses_a');
      await live.append(turn(1, text));
      const { path: file } = await live.finish(FRONTMATTER, 'x');
      expect(file.endsWith(text === 'one' ? 'ses_a-x.md' : 'ses_a-x.part2.md')).toBe(true);
    }
    await workspace.close();
  });

  it('refuses to rewrite or remove a transcript', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const live = LiveTranscript.open(doorOf(workspace), 'ses_a');
    await live.append(turn(1, 'one'));
    const { path: file } = await live.finish(FRONTMATTER, 'x');
    const attempt = (content: string | undefined): Promise<unknown> =>
      workspace.commit({
        repository: 'raw',
        actor: 'bot:x',
        summary: 'x',
        changes: [{ path: file, content, base: undefined }],
      });
    await expect(attempt('other')).rejects.toThrow('never rewritten');
    await expect(attempt(undefined)).rejects.toThrow('only grows');
    await workspace.close();
  });
});

describe('a live log', () => {
  it('cuts off a torn last line', async () => {
    const folder = path.join(await makeHome(), 'journal', 'live');
    const log = LiveLog.open(nodeFileSystem, folder, 'a');
    await log.append({ n: 1 });
    await log.close();
    fs.appendFileSync(path.join(folder, 'a.jsonl'), '{"n": 2, "text": "half');
    const again = LiveLog.open(nodeFileSystem, folder, 'a');
    await again.append({ n: 3 });
    expect(again.entries()).toEqual([{ n: 1 }, { n: 3 }]);
    await again.close();
  });

  it('refuses names that could leave the folder', () => {
    expect(() => LiveLog.open(nodeFileSystem, '/nowhere', '../x')).toThrow('cannot be the name');
  });
});
