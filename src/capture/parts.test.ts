import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, openWorkspace } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { systemRandom } from '../platform/random.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { NewTurn } from './live-turn.ts';
import type { PartLimits } from './open-session.ts';
import { Sessions } from './sessions.ts';
import { HOUR_MS } from '../model/time.ts';

const NOW = Date.parse('2026-02-16T18:45:00Z');
const SMALL: PartLimits = { bytes: 1_000_000, turns: 3 };

interface Options {
  readonly limits?: PartLimits;
  readonly nowMs?: number;
  readonly commit?: Workspace['commit'];
}

function sessionsOf(workspace: Workspace, { limits = SMALL, nowMs = NOW, commit }: Options = {}): Sessions {
  return new Sessions({
    paths: workspace.paths,
    fs: nodeFileSystem,
    redactor: workspace.redactor,
    commit: commit ?? ((request) => workspace.commit(request)),
    clock: { now: () => nowMs },
    random: systemRandom,
    timeZone: 'UTC',
    partLimits: limits,
  });
}

async function withHome(body: (workspace: Workspace, home: string) => Promise<void>): Promise<void> {
  const home = await makeHome();
  const workspace = await openWorkspace(home);
  try {
    await body(workspace, home);
  } finally {
    await workspace.close();
  }
}

const said = (text: string, timeMs = NOW): NewTurn => ({ role: 'user', parts: [{ kind: 'text', text }], timeMs });

async function say(sessions: Sessions, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await sessions.exclusively('ferry', {}, (open) => open.append(said(text)));
}

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word number ${index + 1}`);

function transcripts(home: string): string[] {
  const folder = path.join(home, 'raw', 'conversations');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.endsWith('.md')).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

describe('a long conversation', () => {
  it('goes on in part files, so that what is live stays short', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await sessions.start({ user: 'Ines' }, 'ferry');
      await say(sessions, ...words(8));
      expect(sessions.peek('ferry').turns.map(({ id }) => id)).toEqual(['t7', 't8']);
      expect(sessions.lastTurnNumber('ferry')).toBe(8);
      await sessions.end('ferry');
      expect(sessions.findEarlier('ferry')).toMatchObject({ parts: 3, turns: 8, user: 'Ines' });
      const texts = transcripts(home);
      expect(texts.map((text) => /^topic: .*$/mu.exec(text)?.[0])).toEqual(Array(3).fill('topic: word number 1'));
      expect(texts.flatMap((text) => text.match(/^word number \d+$/gmu) ?? []).sort()).toEqual(words(8));
      expect(
        texts
          .join('\n')
          .match(/^first_turn: \d+$/gmu)
          ?.sort(),
      ).toEqual(['first_turn: 4', 'first_turn: 7']);
    });
  });

  it('is cut by its bytes as well', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace, { limits: { bytes: 1000, turns: 1000 } });
      await say(sessions, 'a '.repeat(800), 'b '.repeat(800), 'c '.repeat(800));
      expect(transcripts(home)).toHaveLength(2);
      expect(sessions.peek('ferry').turns.map(({ id }) => id)).toEqual(['t3']);
    });
  });

  it('loses and repeats nothing when it is interrupted between two parts', async () => {
    await withHome(async (workspace, home) => {
      await say(sessionsOf(workspace), ...words(3));
      const commit: Workspace['commit'] = async (request) => {
        await workspace.commit(request);
        throw new Error('stopped here');
      };
      await expect(say(sessionsOf(workspace, { commit }), 'never said')).rejects.toThrow('stopped here');
      const sessions = sessionsOf(workspace);
      await say(sessions, ...words(5).slice(3));
      await sessions.end('ferry');
      expect(
        transcripts(home)
          .flatMap((text) => text.match(/^word number \d+$/gmu) ?? [])
          .sort(),
      ).toEqual(words(5));
      expect(sessions.findEarlier('ferry')).toMatchObject({ parts: 2, turns: 5 });
    });
  });

  it('keeps its user’s name when it is resumed', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await sessions.start({ user: 'Ines' }, 'ferry');
      await say(sessions, 'one');
      await sessions.end('ferry');
      await sessions.start({}, 'ferry');
      await say(sessions, 'two');
      await sessions.end('ferry');
      expect(
        transcripts(home)
          .join('\n')
          .match(/user \(Ines\)/gu),
      ).toHaveLength(2);
    });
  });
});

describe('a clock that jumps', () => {
  it('keeps the order of what was said, and the dates', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace, { limits: { bytes: 1e9, turns: 100 } });
      for (const [text, timeMs] of [
        ['first', NOW],
        ['second', NOW - 48 * HOUR_MS],
        ['third', NOW + HOUR_MS],
      ] as const) {
        await sessions.exclusively('ferry', {}, (open) => open.append(said(text, timeMs)));
      }
      const ended = await sessions.end('ferry');
      const text = transcripts(home).join('');
      expect(text).toMatch(/^ended: 2026-02-16T19:45:00Z$/mu);
      expect(text).toMatch(/first[\s\S]*^## 2026-02-14$[\s\S]*second[\s\S]*^## 2026-02-16$[\s\S]*third/mu);
      expect(ended?.turns).toBe(3);
    });
  });

  it('does not leave a session open for years', async () => {
    await withHome(async (workspace, home) => {
      await say(sessionsOf(workspace), 'one');
      const ahead = (NOW + 24 * 365 * HOUR_MS) / 1000;
      for (const name of ['live/ferry.jsonl', 'sessions/ferry.json']) {
        fs.utimesSync(path.join(home, 'journal', name), ahead, ahead);
      }
      expect(await sessionsOf(workspace).closeIdle(6 * HOUR_MS)).toHaveLength(1);
    });
  });
});

describe('two sessions of one id', () => {
  it('are one, unless that is refused', async () => {
    await withHome(async (workspace) => {
      const sessions = sessionsOf(workspace);
      expect(await sessions.start({}, 'ferry', true)).toMatchObject({ isResumed: false });
      await expect(sessions.start({}, 'ferry', true)).rejects.toMatchObject({ code: 'conflict' });
      expect(sessions.isOpen('ferry')).toBe(true);
      await say(sessions, 'one');
      expect(await sessions.start({}, 'ferry')).toMatchObject({ isResumed: true, part: 1 });
      await sessions.end('ferry');
      await expect(sessions.start({}, 'ferry', true)).rejects.toThrow('There is a session ferry already');
      expect(sessions.isOpen('ferry')).toBe(false);
    });
  });
});

describe('the buffer of a session', () => {
  it('holds what people said and nobody has processed yet', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace, { limits: { bytes: 1e9, turns: 100 } });
      await sessions.start({ user: 'Ines', project: 'lantern' }, 'ferry');
      await say(sessions, 'The quay moves\nin May.', 'Nobody knows why.');
      await sessions.exclusively('ferry', {}, async (open) => {
        await open.append({ role: 'tool', parts: [{ kind: 'text', text: 'tool output' }], timeMs: NOW });
        await open.appendChanges([{ path: 'a.md', action: 'added', summary: 'the quay' }], NOW);
      });
      const buffer = await sessions.exportBuffer('ferry');
      expect(buffer).toMatchObject({ from: 1, to: 4 });
      expect(buffer?.text).toContain('project: "lantern"\n');
      expect(buffer?.text).toContain('- t1 2026-02-16 18:45 Ines (user): The quay moves\n  in May.\n- t2 ');
      expect(buffer?.text).not.toMatch(/tool output|a\.md/u);
      expect(sessions.findBuffer('ferry')).toEqual(buffer);
      await sessions.markProcessed('ferry', 1);
      await sessions.markProcessed('ferry', 0);
      expect((await sessions.exportBuffer('ferry'))?.from).toBe(2);
      await sessions.markProcessed('ferry', 4);
      expect(await sessions.exportBuffer('ferry')).toBeUndefined();
      await sessions.end('ferry');
      expect(fs.readdirSync(path.join(home, 'journal', 'buffers'))).toEqual(['processed']);
      expect(sessions.processedUpTo('ferry')).toBe(4);
    });
  });

  it('still finds a pointer where one was written before pointers had folders', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      fs.mkdirSync(path.join(home, 'journal', 'buffers'), { recursive: true });
      fs.writeFileSync(path.join(home, 'journal', 'buffers', 'ferry.processed'), '3\n');
      expect(sessions.processedUpTo('ferry')).toBe(3);
      await sessions.markProcessed('ferry', 2);
      expect(sessions.processedUpTo('ferry')).toBe(3);
      await sessions.markProcessed('ferry', 5);
      expect(sessions.processedUpTo('ferry')).toBe(5);
    });
  });

  it('takes in what one look can hold, and the rest later', async () => {
    await withHome(async (workspace) => {
      const sessions = sessionsOf(workspace, { limits: { bytes: 1e9, turns: 100 } });
      await say(sessions, ...words(30).map((word) => `${word} ${'and so on '.repeat(300)}`));
      const first = await sessions.exportBuffer('ferry');
      expect(first?.text.length).toBeLessThan(40_000);
      await sessions.markProcessed('ferry', first?.to ?? 0);
      const second = await sessions.exportBuffer('ferry');
      expect(second).toMatchObject({ from: (first?.to ?? 0) + 1, to: 30 });
    });
  });

  it('is exported when there is something to read', async () => {
    await withHome(async (workspace) => {
      const sessions = sessionsOf(workspace, { limits: { bytes: 1e9, turns: 100 } });
      await say(sessions, ...words(9));
      await sessions.exportBufferSometimes('ferry');
      expect(sessions.findBuffer('ferry')).toBeUndefined();
      await say(sessions, 'the tenth');
      await sessions.exportBufferSometimes('ferry');
      expect(sessions.findBuffer('ferry')?.to).toBe(10);
    });
  });
});
