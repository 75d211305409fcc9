import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, openWorkspace } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { systemRandom } from '../platform/random.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { NewTurn } from './live-turn.ts';
import { Sessions } from './sessions.ts';
import { HOUR_MS } from '../model/time.ts';

const NOW = Date.parse('2026-02-16T18:45:00Z');
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;

function sessionsOf(workspace: Pick<Workspace, 'paths' | 'redactor' | 'commit'>, nowMs = NOW): Sessions {
  return new Sessions({
    paths: workspace.paths,
    fs: nodeFileSystem,
    redactor: workspace.redactor,
    commit: (request) => workspace.commit(request),
    clock: { now: () => nowMs },
    random: systemRandom,
    timeZone: 'Europe/Lisbon',
  });
}

async function withHome<T>(body: (workspace: Workspace, home: string) => Promise<T>): Promise<T> {
  const home = await makeHome();
  const workspace = await openWorkspace(home);
  try {
    return await body(workspace, home);
  } finally {
    await workspace.close();
  }
}

function said(text: string, timeMs = NOW): NewTurn {
  return { role: 'user', parts: [{ kind: 'text', text }], timeMs };
}

function append(sessions: Sessions, session: string, turn: NewTurn): Promise<string> {
  return sessions.exclusively(session, {}, async (open) => (await open.append(turn)).id);
}

function readRaw(home: string, file: string | undefined): string {
  return fs.readFileSync(path.join(home, 'raw', file ?? ''), 'utf8');
}

describe('a session', () => {
  it('becomes a transcript that says what is known of it', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      const details = { channel: 'slack', model: 'm-1', project: '/home/ines/lantern/', user: 'Ines' };
      const { session } = await sessions.start(details);
      await append(sessions, session, said('Where do we deploy to?\nIt was Frankfurt.'));
      await sessions.exclusively(session, {}, (open) =>
        open.append({ role: 'agent', parts: [{ kind: 'text', text: 'To Lisbon.' }], timeMs: NOW + 60_000 }),
      );
      const ended = await sessions.end(session);
      expect(ended?.path).toBe(`conversations/2026/02/16/1845-${session}-where-do-we-deploy-to.md`);
      const text = readRaw(home, ended?.path);
      expect(text).toContain('started: 2026-02-16T18:45:00Z\nended: 2026-02-16T18:46:00Z\ntimezone: Europe/Lisbon\n');
      expect(text).toContain(
        'model: m-1\nchannel: slack\ntopic: Where do we deploy to?\ntokens_in: 10\ntokens_out: 3\n',
      );
      expect(text).toContain('project: lantern\n');
      expect(text).toContain('## 18:45 — user (Ines)\n');
      expect(sessions.list()).toEqual([]);
      expect(fs.readdirSync(path.join(home, 'journal', 'sessions'))).toEqual([]);
    });
  });

  it('keeps no secret in turns, topic, name or details', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      const { session } = await sessions.start({ user: `Ines ${TOKEN}`, project: TOKEN });
      await append(sessions, session, said(`the token is ${TOKEN}`));
      await sessions.exclusively(session, {}, (open) =>
        open.append({ role: 'tool', parts: [{ kind: 'tool', name: 'x', args: TOKEN, result: TOKEN }], timeMs: NOW }),
      );
      const journal = fs.readdirSync(path.join(home, 'journal'), { recursive: true, encoding: 'utf8' });
      const files = journal
        .map((name) => path.join(home, 'journal', name))
        .filter((name) => fs.statSync(name).isFile());
      expect(files.map((name) => fs.readFileSync(name, 'utf8')).join('\n')).not.toContain(TOKEN.slice(0, 12));
      const ended = await sessions.end(session);
      expect(`${ended?.path}${readRaw(home, ended?.path)}`).not.toContain(TOKEN.slice(0, 12));
    });
  });

  it('numbers its turns one by one, however many append at once', async () => {
    await withHome(async (workspace) => {
      // Each has a connection of its own, as another process would.
      const appenders = [sessionsOf(workspace), sessionsOf(workspace), sessionsOf(workspace)];
      const ids = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          append(appenders[index % 3] ?? sessionsOf(workspace), 'ses_shared', said(`number ${index}`)),
        ),
      );
      expect(new Set(ids).size).toBe(30);
      const { turns } = sessionsOf(workspace).peek('ses_shared');
      expect(turns.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => `t${index + 1}`));
    });
  });

  it('goes on in a part when it is resumed, with the numbers and details it had', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await sessions.start({ channel: 'slack', topic: 'The ferry' }, 'ferry');
      await append(sessions, 'ferry', said('one'));
      await append(sessions, 'ferry', said('two'));
      await sessions.end('ferry');
      expect(await append(sessions, 'ferry', said('three', NOW + 24 * HOUR_MS))).toBe('t3');
      const ended = await sessions.end('ferry');
      const text = readRaw(home, ended?.path);
      expect(ended?.path).toBe('conversations/2026/02/17/1845-ferry-the-ferry.md');
      expect(text).toContain('channel: slack\ntopic: The ferry\n');
      expect(text).toContain('part: 2\nfirst_turn: 3\n');
      expect(sessions.findEarlier('ferry')).toMatchObject({ parts: 2, turns: 3 });
    });
  });

  it('survives a crash: what was acknowledged is there, and the record can be done without', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await append(sessions, 'ses_crash', said('before'));
      fs.appendFileSync(path.join(home, 'journal', 'live', 'ses_crash.jsonl'), '{"id":"t2","text":"half a li');
      fs.writeFileSync(path.join(home, 'journal', 'sessions', 'ses_crash.json'), 'garbage');
      expect(await append(sessionsOf(workspace), 'ses_crash', said('after'))).toBe('t2');
      const ended = await sessionsOf(workspace).end('ses_crash');
      expect(ended?.turns).toBe(2);
      expect(readRaw(home, ended?.path)).toMatch(/before[\s\S]*after/u);
    });
  });

  it('leaves nothing when nothing was said', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      const { session } = await sessions.start();
      expect(sessions.list()).toEqual([session]);
      expect(await sessions.end(session)).toEqual({ session, path: undefined, turns: 0 });
      expect(sessions.list()).toEqual([]);
      expect(fs.existsSync(path.join(home, 'raw', 'conversations'))).toBe(false);
      expect(await sessions.end(session)).toBeUndefined();
    });
  });

  it('refuses ids that cannot be file names', async () => {
    await withHome(async (workspace) => {
      await expect(sessionsOf(workspace).start({}, '../x')).rejects.toThrow('cannot be the id');
    });
  });
});

describe('an end that was interrupted', () => {
  /** The transcript is written; what would have followed is not done. */
  async function interruptEnd(workspace: Workspace): Promise<void> {
    const stopped = sessionsOf({
      paths: workspace.paths,
      redactor: workspace.redactor,
      commit: async (request: Parameters<Workspace['commit']>[0]) => {
        await workspace.commit(request);
        throw new Error('stopped here');
      },
    });
    await expect(stopped.end('ferry')).rejects.toThrow('stopped here');
  }

  it('is followed by the next part, nothing said twice', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      for (const text of ['one', 'two\n## 18:45 — user\n\nx', '  - three\r\n\n']) {
        await append(sessions, 'ferry', said(text));
      }
      await interruptEnd(workspace);
      expect(await append(sessions, 'ferry', said('four'))).toBe('t4');
      expect(sessions.peek('ferry').turns.map(({ id }) => id)).toEqual(['t4']);
      const ended = await sessions.end('ferry');
      expect(ended?.turns).toBe(1);
      expect(readRaw(home, ended?.path)).toMatch(/^topic: one\n[\s\S]*^part: 2\nfirst_turn: 4$/mu);
      expect(readRaw(home, ended?.path)).not.toMatch(/^one/mu);
      expect(sessions.findEarlier('ferry')).toMatchObject({ parts: 2, turns: 4 });
    });
  });

  it('is completed by another end, also when only its record was left', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await append(sessions, 'ferry', said('one'));
      await interruptEnd(workspace);
      const record = path.join(home, 'journal', 'sessions', 'ferry.json');
      const kept = fs.readFileSync(record);
      const ended = await sessions.end('ferry');
      expect(ended).toMatchObject({ path: 'conversations/2026/02/16/1845-ferry-one.md', turns: 1 });
      fs.writeFileSync(record, kept);
      expect(await append(sessions, 'ferry', said('two'))).toBe('t2');
      expect(readRaw(home, (await sessions.end('ferry'))?.path)).toContain('part: 2\nfirst_turn: 2\n');
    });
  });

  it('keeps what was never written', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await append(sessions, 'ferry', said('one'));
      const { paths, redactor } = workspace;
      const failing = sessionsOf({ paths, redactor, commit: () => Promise.reject(new Error('full')) });
      await expect(failing.end('ferry')).rejects.toThrow('full');
      expect(await append(sessions, 'ferry', said('two'))).toBe('t2');
      expect(readRaw(home, (await sessions.end('ferry'))?.path)).toMatch(/one[\s\S]*two/u);
    });
  });

  it('is recognised without its record', async () => {
    await withHome(async (workspace, home) => {
      const sessions = sessionsOf(workspace);
      await append(sessions, 'ferry', said('one'));
      await interruptEnd(workspace);
      fs.rmSync(path.join(home, 'journal', 'sessions', 'ferry.json'));
      expect(await append(sessions, 'ferry', said('two'))).toBe('t2');
      expect(readRaw(home, (await sessions.end('ferry'))?.path)).not.toMatch(/^one/mu);
    });
  });
});

describe('idle sessions', () => {
  it('are ended after the hours allowed, the others are not', async () => {
    await withHome(async (workspace, home) => {
      await append(sessionsOf(workspace), 'ses_old', said('long ago'));
      await append(sessionsOf(workspace), 'ses_new', said('just now'));
      await sessionsOf(workspace).start({}, 'ses_silent');
      const touch = (folder: string, name: string, timeMs: number): void =>
        fs.utimesSync(path.join(home, 'journal', folder, name), timeMs / 1000, timeMs / 1000);
      for (const name of ['ses_old', 'ses_silent']) touch('sessions', `${name}.json`, NOW - 7 * HOUR_MS);
      touch('live', 'ses_old.jsonl', NOW - 7 * HOUR_MS);
      touch('live', 'ses_new.jsonl', NOW - HOUR_MS);
      touch('sessions', 'ses_new.json', NOW - 7 * HOUR_MS);
      const ended = await sessionsOf(workspace).closeIdle(6 * HOUR_MS);
      expect(ended.map(({ session, turns }) => [session, turns])).toEqual([
        ['ses_old', 1],
        ['ses_silent', 0],
      ]);
      expect(sessionsOf(workspace).list()).toEqual(['ses_new']);
    });
  });

  it('are ended at once when their end was noted or interrupted, and first', async () => {
    await withHome(async (workspace, home) => {
      for (const name of ['ses_active', 'ses_cut', 'ses_noted', 'ses_resumed'])
        await append(sessionsOf(workspace), name, said(`in ${name}`));
      await append(sessionsOf(workspace), 'ses_aged', said('long ago'));
      const failing = { ...workspace, paths: workspace.paths, redactor: workspace.redactor };
      const commit = (): never => {
        throw new Error('locked');
      };
      await expect(sessionsOf({ ...failing, commit }).end('ses_cut')).rejects.toThrow('locked');
      for (const name of ['ses_noted', 'ses_resumed', 'ses_unknown']) sessionsOf(workspace).noteEnd(name);
      sessionsOf(workspace).forgetEnd('ses_resumed');
      const old = (NOW - 7 * HOUR_MS) / 1000;
      for (const name of ['sessions/ses_aged.json', 'live/ses_aged.jsonl'])
        fs.utimesSync(path.join(home, 'journal', name), old, old);
      const nowMs = Math.max(...['ses_active', 'ses_cut'].map((name) => sessionsOf(workspace).lastActiveMs(name) ?? 0));
      const ended = await sessionsOf(workspace, nowMs).closeIdle(6 * HOUR_MS);
      expect(ended.map(({ session }) => session)).toEqual(['ses_cut', 'ses_noted', 'ses_aged']);
      expect(readRaw(home, ended[0]?.path)).toContain('in ses_cut');
      expect(fs.readdirSync(path.join(home, 'journal', 'sessions')).sort()).toEqual([
        'ses_active.json',
        'ses_resumed.json',
      ]);
    });
  });

  it('are left for another time when time is up', async () => {
    await withHome(async (workspace) => {
      await append(sessionsOf(workspace), 'ses_old', said('long ago'));
      expect(await sessionsOf(workspace, NOW + 1e12).closeIdle(HOUR_MS, NOW)).toEqual([]);
      expect(sessionsOf(workspace).list()).toEqual(['ses_old']);
    });
  });
});
