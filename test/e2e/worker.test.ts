import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SAID, until, WorkerHome } from '../support/worker-home.ts';

const PROCESS = path.resolve(import.meta.dirname, '../support/worker-process.ts');

const homes: WorkerHome[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) await home.end();
});

async function makeHome(settings?: string): Promise<WorkerHome> {
  const home = await WorkerHome.make(settings);
  homes.push(home);
  return home;
}

async function untilDone(home: WorkerHome): Promise<void> {
  await until('everything is learned and embedded', async () => {
    if (home.isHeld) return false;
    const { background } = await home.status();
    return background.state === 'idle';
  });
}

/** What was learned: each statement as often as it stands in an entity's file, each conversation as often as in the diary. */
function learned(home: WorkerHome): string[] {
  const root = path.join(home.home, 'workspace', 'memory');
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const read = (folder: string): string =>
    files
      .filter((file) => file.startsWith(folder) && file.endsWith('.md'))
      .map((file) => fs.readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
  const facts = read(path.join('graph', 'entities')).match(/Borax\d+/gu) ?? [];
  const diary = read('journal').match(/^- .*Borax\d+/gmu) ?? [];
  return [...facts, ...diary].toSorted();
}

const everything = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => [`Borax${at + 1}`, `- ${SAID} Borax${at + 1}`])
    .flat()
    .toSorted();

// SPEC LEARN-10, JOB-5, JOB-6
describe('the worker', () => {
  it('is started by a command that leaves work behind, does it, shows it, and ends', async () => {
    const home = await makeHome();
    await home.converse(4);
    expect(await home.status()).toMatchObject({ background: { state: 'stopped', left: { conversations: 4 } } });
    await home.run(['remember', 'The spare key hangs behind the boiler']);
    await untilDone(home);
    const { background, index } = await home.status();
    expect(background).toMatchObject({
      pid: null,
      left: { conversations: 0, passages: 0 },
      done: { conversations: 4 },
      secondsLeft: 0,
      lastProblem: null,
    });
    expect(background.perMinute.passages).toBeGreaterThan(0);
    expect(index.models.map(({ coverage }) => coverage)).toEqual([1, 1]);
    expect(learned(home)).toEqual(everything(4));
    // A question that makes the vectors of the table leaves those of the encoder alone.
    await home.run(['remember', 'The ladder stands in the shed'], '', {});
    await home.run(['recall', 'ladder'], '', {});
    expect((await home.status()).index.models.map(({ coverage }) => coverage > 0.5)).toEqual([true, true]);
    expect(home.log.join('\n')).toContain('nothing left');
  });

  it('is not started by a command that only reads, nor where it is switched off', async () => {
    const home = await makeHome();
    await home.converse(1);
    await home.run(['recall', 'cleaning']);
    await home.run(['status']);
    await home.run(['remember', 'The spare key hangs behind the boiler'], '', { MNEME_WORKER: 'off' });
    home.set((yaml) => `${yaml}\n`.replace('max_load: 0', 'enabled: false\n  max_load: 0'));
    await home.run(['remember', 'The ladder stands in the shed']);
    expect(home.log).toEqual([]);
    expect(home.progress).toBeUndefined();
  });

  it('is one at a time, however many are started', async () => {
    const home = await makeHome();
    await home.converse(6);
    await Promise.all(Array.from({ length: 4 }, () => home.run(['worker'])));
    await untilDone(home);
    const started = home.log.filter((line) => line.includes('"event":"started"'));
    const learning = home.log.filter((line) => line.includes('another process does it'));
    expect(started.length - learning.length).toBe(1);
    expect(learned(home)).toEqual(everything(6));
  });

  it('goes on after kill -9 wherever it was, losing and doubling nothing', async () => {
    const home = await makeHome();
    await home.converse(12);
    for (let kills = 0; kills < 4; kills += 1) {
      const before = home.progress?.done.conversations ?? 0;
      const child = home.start(['worker']);
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      // Now while it learns, now between learning and embedding.
      await until(
        'it works',
        () => home.isHeld && (home.progress?.done.conversations ?? 0) > Math.min(before, kills % 2),
      );
      child.kill('SIGKILL');
      await ended;
      expect(home.isHeld).toBe(false);
    }
    await home.run(['worker']);
    await untilDone(home);
    expect(learned(home)).toEqual(everything(12));
    expect(await home.run(['check'], '', {})).not.toContain('error');
  });

  it('learns from the ten newest conversations first', async () => {
    const home = await makeHome();
    await home.converse(14);
    const child = home.start(['worker']);
    await until('ten are learned', () => (home.progress?.done.conversations ?? 0) >= 10);
    child.kill('SIGKILL');
    const processed = fs
      .readFileSync(path.join(home.home, 'journal', 'extracted.txt'), 'utf8')
      .trimEnd()
      .split('\n');
    const newest = Array.from({ length: 10 }, (_, at) => `ses_${String(at + 5).padStart(3, '0')}`);
    expect(newest.filter((session) => !processed.slice(0, 10).some((file) => file.includes(session)))).toEqual([]);
  });

  it('ends what a newer conversation took back, although it was learned first', async () => {
    const home = await makeHome();
    await home.converse(12, (number) => {
      if (number === 1) return 'We decided to use Kafka for the event pipeline.';
      return number === 12 ? "We won't use Kafka after all, it is too much to run." : undefined;
    });
    await home.run(['worker']);
    await untilDone(home);
    const file = path.join(home.home, 'workspace/memory/graph/entities/person--ines.md');
    expect(fs.readFileSync(file, 'utf8')).toMatch(/Kafka.*status:reversed|~~.*Kafka.*~~/u);
  });

  it('is not started while the user paused it, also over restarts, and goes on afterwards', async () => {
    const home = await makeHome();
    await home.converse(2);
    expect(await home.run(['daemon', 'pause', '--for', '2h'])).toContain('Paused until');
    await home.run(['remember', 'The spare key hangs behind the boiler']);
    await home.run(['worker']);
    expect(home.log).toEqual([]);
    expect((await home.status()).background).toMatchObject({ state: 'paused', left: { conversations: 2 } });
    expect(await home.run(['status'], '', {})).toMatch(/background work: paused \(until [\d-]+ [\d:]+\)/u);
    expect(await home.run(['doctor'], '', {}).catch(String)).toContain('paused');
    await home.run(['resume']);
    await untilDone(home);
    expect(learned(home)).toEqual(everything(2));
  });

  it('stops at the next piece when it is paused, its settings change, or its home goes away', async () => {
    const home = await makeHome();
    await home.converse(30);
    const stopWith = async (change: () => void): Promise<number> => {
      const child = home.start(['worker']);
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      await until('it works', () => (home.progress?.state ?? 'idle') === 'working' && home.isHeld);
      change();
      await ended;
      return (await home.status()).background.left.conversations;
    };
    const afterPause = await stopWith(() => {
      const pause = { since: new Date().toISOString(), until: null };
      fs.writeFileSync(path.join(home.home, 'journal', 'pause.json'), JSON.stringify(pause));
    });
    expect(afterPause).toBeGreaterThan(0);
    await home.run(['resume'], '', {});
    expect(await stopWith(() => home.set((yaml) => `${yaml}# changed\n`))).toBeGreaterThan(0);
    expect(home.log.at(-1)).toContain('the settings have changed');
    const child = home.start(['worker']);
    await until('it works', () => home.isHeld);
    fs.renameSync(home.home, `${home.home}-gone`);
    await new Promise((resolve) => {
      child.once('exit', resolve);
    });
    fs.rmSync(home.home, { recursive: true, force: true });
    fs.renameSync(`${home.home}-gone`, home.home);
    expect(await home.run(['check'], '', {})).not.toContain('error');
  });

  it('leaves the work to a daemon, which does the same', async () => {
    const home = await makeHome();
    await home.converse(5);
    const daemon = home.start(['daemon']);
    await until('the daemon works', () => home.isHeld);
    expect(home.pid).toBe(daemon.pid);
    await home.run(['remember', 'The spare key hangs behind the boiler']);
    await home.run(['worker']);
    expect(home.log).toEqual([]);
    await untilDone(home);
    expect(learned(home)).toEqual(everything(5));
    await home.run(['daemon', 'stop']);
  });

  it('a daemon does nothing while it is paused, and goes on afterwards', async () => {
    const home = await makeHome();
    await home.converse(2);
    await home.run(['pause'], '', {});
    home.start(['daemon']);
    const heartbeat = path.join(home.state, 'daemon.json');
    await until('the daemon lives', () => fs.existsSync(heartbeat));
    await home.run(['remember', 'The spare key hangs behind the boiler']);
    expect((await home.status()).background).toMatchObject({ state: 'paused', pid: null, left: { conversations: 2 } });
    await home.run(['resume'], '', {});
    await untilDone(home);
    expect(learned(home)).toEqual(everything(2));
    await home.run(['daemon', 'stop']);
  });

  it('makes way for a daemon that is started', async () => {
    const home = await makeHome();
    await home.converse(30);
    const worker = home.start(['worker']);
    await until('the worker works', () => home.isHeld);
    const ended = new Promise((resolve) => {
      worker.once('exit', resolve);
    });
    const daemon = home.start(['daemon']);
    await ended;
    expect(home.log.at(-1)).toContain('a daemon does it');
    await until('the daemon works', () => home.pid === daemon.pid);
    await home.run(['daemon', 'stop']);
  });

  it('is started by a hook that ends a session, which does not wait for it', async () => {
    const home = await makeHome();
    const log = path.join(home.home, 'log.jsonl');
    const line = { type: 'user', uuid: 'u1', sessionId: 's1', timestamp: '2026-01-01T10:00:00.000Z', cwd: '/work' };
    fs.writeFileSync(
      log,
      `${JSON.stringify({ ...line, message: { role: 'user', content: `${SAID} Borax1 for all our builds.` } })}\n`,
    );
    home.set((yaml) => `${yaml}hooks:\n  timeout_ms: 20000\n`);
    const said = await home.run(
      ['hook', 'claude-code', 'SessionEnd'],
      JSON.stringify({ transcript_path: log, session_id: 's1', hook_event_name: 'SessionEnd' }),
    );
    expect(said).toBe('');
    await until('the worker has begun', () => home.log.length > 0);
    await untilDone(home);
    expect(learned(home)).toEqual(everything(1));
  });

  it('ends when another version of the program is installed', async () => {
    const home = await makeHome();
    await home.converse(30);
    const program = path.join(home.home, 'package.json');
    fs.writeFileSync(program, '{"version": "1.0.0"}');
    const child = home.startProgram([PROCESS, home.home, program]);
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    await until('it works', () => home.isHeld);
    fs.writeFileSync(`${program}.new`, '{"version": "1.0.1"}');
    fs.renameSync(`${program}.new`, program);
    await ended;
    expect(home.log.at(-1)).toContain('another version of Mneme was installed');
    expect((await home.status()).background.left.conversations).toBeGreaterThan(0);
  });
});

describe('a lock that somebody has tampered with', () => {
  it('a link: nothing is written through it', async () => {
    const home = await makeHome();
    await home.converse(1);
    const precious = path.join(home.home, 'precious');
    fs.writeFileSync(precious, 'kept');
    fs.symlinkSync(precious, path.join(home.state, 'worker.lock.holder'));
    fs.symlinkSync(precious, path.join(home.state, 'worker.lock'));
    await expect(home.run(['worker'])).rejects.toThrow('worker.lock is a link');
    fs.rmSync(path.join(home.state, 'worker.lock'));
    await home.run(['worker']).catch(() => undefined);
    expect(fs.readFileSync(precious, 'utf8')).toBe('kept');
  });

  it('a folder: commands go on, and doctor tells', async () => {
    const home = await makeHome();
    await home.converse(1);
    fs.mkdirSync(path.join(home.state, 'worker.lock'));
    await home.run(['remember', 'The spare key hangs behind the boiler']);
    expect(await home.run(['doctor'], '', {}).catch(String)).toMatch(/no\s+background\s+\S+worker\.lock is a folder/u);
    fs.rmSync(path.join(home.state, 'worker.lock'), { recursive: true });
  });

  it('garbage, and the number of somebody else’s process: it is taken, and nobody is killed', async () => {
    const home = await makeHome();
    await home.converse(2);
    fs.writeFileSync(path.join(home.state, 'worker.lock'), 'x'.repeat(5000));
    fs.writeFileSync(path.join(home.state, 'worker.lock.holder'), '1');
    fs.writeFileSync(path.join(home.state, 'worker.json'), '{"pid": "1; rm -rf /", "failed": []');
    fs.writeFileSync(path.join(home.home, 'journal', 'pause.json'), '{"until": 7}');
    await home.run(['worker']);
    await untilDone(home);
    expect(learned(home)).toEqual(everything(2));
  });
});
