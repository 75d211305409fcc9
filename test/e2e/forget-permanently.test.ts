import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { openMneme } from '../../src/mneme.ts';
import { bootId, processStart } from '../../src/platform/machine.ts';
import type { TestCli } from '../support/cli.ts';
import { ALEX, ask, confirm, makeForgetHome, snapshot } from '../support/forget-home.ts';
import { humanGit } from '../support/home.ts';

const BIN = path.resolve(import.meta.dirname, '../../bin/mneme');
const FORGOTTEN = 'the otter sleeps behind the Marzipanspeicher and only we two know the door';

async function plantOtter(cli: TestCli): Promise<void> {
  await cli.ok('remember', FORGOTTEN, '--store', 'episodic');
  await cli.ok('session', 'start', 'ses_otter');
  await cli.ok('session', 'message', 'ses_otter', 'user', `# listen\n${FORGOTTEN}\n\n## and more\nthe key is under it`);
  await cli.ok('session', 'end', 'ses_otter');
  await cli.ok('session', 'start', 'ses_live');
  await cli.ok('session', 'message', 'ses_live', 'user', `${FORGOTTEN}, I said`);
}

function everything(home: string): string {
  const files = fs.readdirSync(home, { recursive: true, withFileTypes: true });
  return files
    .map(
      (entry) =>
        entry.name + (entry.isFile() ? fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1') : ''),
    )
    .join('\n');
}

describe('forget --permanently', () => {
  it('shows what it will touch, then leaves no word of it, in conversations and history neither', async () => {
    const cli = await makeForgetHome();
    await plantOtter(cli);
    humanGit(cli.home, 'remote', 'add', 'origin', 'https://user:pass@example.org/memory.git');
    const plan = await ask(cli, 'the otter behind the Marzipanspeicher', '--permanently');
    // The message of the conversation that ended reads like a document that was handed over, so its diary does not tell of it.
    expect(plan.matches.map(({ kind }) => kind).toSorted()).toEqual(['item', 'turn', 'turn']);
    const places = (plan.touches ?? []).map((place) => place.path);
    expect(places).toEqual(
      expect.arrayContaining([expect.stringMatching(/^workspace\/memory\/episodes\//u), 'journal/live/ses_live.jsonl']),
    );
    expect(plan.touches?.every(({ text }) => text.includes('otter'))).toBe(true);
    expect(plan.unreachable).toEqual(['the remote origin (https://example.org/memory.git) of workspace']);
    expect(await cli.ok('forget', 'otter', '--permanently')).toContain('out of reach');
    const done = await confirm(cli, plan.code);
    expect(done.outcome).toBe('erased');
    expect(done.erased?.remaining).toEqual([]);
    expect(done.erased?.unreachable).toEqual(plan.unreachable);
    expect(everything(cli.home)).not.toMatch(/marzipanspeicher|the key is under it/iu);
    expect(humanGit(cli.home, 'log', '-p', '--all')).not.toContain('Marzipanspeicher');
    const day = Object.entries(snapshot(cli.home)).find(([file]) => file.includes('episodes'))?.[1];
    expect(day).toContain('The kettle is blue');
    expect(day).not.toContain('erased');
    expect(await cli.ok('check')).toContain('Everything agrees');
    expect((await cli.run(['forget', '--confirm', plan.code ?? ''])).code).toBe(4);
  });

  it('finds what was archived before, and leaves words that are too short', async () => {
    const cli = await makeForgetHome();
    await cli.ok('remember', 'Otto', '--store', 'episodic');
    await confirm(cli, (await ask(cli, 'kettle')).code);
    const short = await ask(cli, 'Otto', '--permanently');
    expect(short).toMatchObject({ code: null, kept: [{ reason: expect.stringContaining('too few words') }] });
    const plan = await ask(cli, 'kettle', '--permanently');
    expect(plan.matches).toMatchObject([{ kind: 'file', path: expect.stringContaining('memory/archive/') }]);
    await confirm(cli, plan.code);
    expect(everything(cli.home)).not.toContain('kettle is blue');
    expect(Object.keys(snapshot(cli.home)).filter((file) => file.includes('archive'))).toEqual([]);
  });
});

describe('what stands around it', () => {
  it('stays: headings, names, links, and what only begins alike', async () => {
    const cli = await makeForgetHome();
    await cli.ok('remember', '--store', 'core', 'Sleeps badly since the flood');
    const id = (await ask(cli, 'badly')).matches[0]?.id ?? '';
    await confirm(cli, (await ask(cli, 'badly')).code);
    const again = await cli.run(['forget', '--id', id]);
    expect(again).toMatchObject({ code: 5, err: expect.stringContaining('in the archive already') });
    const core = snapshot(cli.home)['MEMORY.md'];
    await confirm(cli, (await ask(cli, '--id', id, '--permanently')).code);
    expect(snapshot(cli.home)['MEMORY.md']).toBe(core);
    expect(everything(cli.home)).not.toContain('Sleeps badly');
    const link = await ask(cli, '--id', 'fffffffffffff', '--permanently');
    expect(link).toMatchObject({ code: null, kept: [{ text: 'knows [[person--kim]]' }] });
  });

  it('is shown before it goes, where another text holds the same words', async () => {
    const cli = await makeForgetHome();
    await cli.ok('remember', 'Ask Kim why The kettle is blue again', '--store', 'episodic');
    const id = (await ask(cli, 'kettle')).matches.find(({ text }) => text === 'The kettle is blue')?.id ?? '';
    const { touches = [] } = await ask(cli, '--id', id, '--permanently');
    const lines = touches.filter((place) => place.path.includes('episodes')).map(({ text }) => text);
    expect(lines).toEqual([
      expect.stringMatching(/^The kettle is blue \^/u),
      expect.stringMatching(/^Ask Kim why The kettle is blue again \^/u),
    ]);
  });
});

describe('a part of the list', () => {
  const SHORT = 'The walrus lantern hangs low';
  const LONG = 'The walrus lantern hangs low and smells of tar';
  const numberOf = (plan: Awaited<ReturnType<typeof ask>>, wanted: string): string =>
    String(plan.matches.find(({ text }) => text === wanted)?.number);

  it('is not erased where it would maim what was not chosen, unless that is wanted', async () => {
    const cli = await makeForgetHome();
    for (const text of [SHORT, LONG]) await cli.ok('remember', text, '--store', 'episodic');
    const before = snapshot(cli.home);
    const plan = await ask(cli, 'walrus lantern', '--permanently');
    const [short, long] = [numberOf(plan, SHORT), numberOf(plan, LONG)];
    const args = ['forget', '--confirm', plan.code ?? '', '--only', short];
    const refused = await cli.run(args);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain(`number ${long} ("${LONG}")`);
    expect(refused.err).toMatch(/--only 1,2\n.*without --permanently[\s\S]*--also-inside/u);
    expect(refused.err).not.toContain('episodes');
    expect(snapshot(cli.home)).toEqual(before);
    expect((await confirm(cli, plan.code, '--only', short, '--also-inside')).outcome).toBe('erased');
    expect(everything(cli.home)).not.toContain(SHORT);
    expect(Object.values(snapshot(cli.home)).join('\n')).toContain('and smells of tar');
  });

  it('is not erased where it stands in a memory or a turn that the list did not show', async () => {
    const cli = await makeForgetHome();
    for (const text of [SHORT, 'The walrus lantern was a gift']) await cli.ok('remember', text, '--store', 'episodic');
    const plan = await ask(cli, 'walrus lantern', '--permanently');
    await cli.ok('remember', `Since May ${SHORT}, says Kim`, '--store', 'episodic');
    await cli.ok('session', 'start', 'ses_walrus');
    await cli.ok('session', 'message', 'ses_walrus', 'user', `I heard ${SHORT} now`);
    const refused = await cli.run(['forget', '--confirm', plan.code ?? '', '--only', numberOf(plan, SHORT)]);
    expect(refused).toMatchObject({ code: 5, err: expect.stringMatching(/episodes.*says Kim.*I heard The walrus/u) });
  });

  it('is erased where it harms nothing else', async () => {
    const cli = await makeForgetHome();
    for (const text of [SHORT, 'The walrus lantern was a gift']) await cli.ok('remember', text, '--store', 'episodic');
    const plan = await ask(cli, 'walrus lantern', '--permanently');
    expect(plan.matches).toHaveLength(2);
    await confirm(cli, plan.code, '--only', numberOf(plan, SHORT));
    expect(everything(cli.home)).not.toContain(SHORT);
    expect(Object.values(snapshot(cli.home)).join('\n')).toContain('The walrus lantern was a gift');
  });
});

describe('an erasure that was interrupted', () => {
  it('goes on where it was, also where the words stood in what it had not come to', async () => {
    const cli = await makeForgetHome();
    await plantOtter(cli);
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    const { code } = await mneme.forget('otter Marzipanspeicher', { permanently: true });
    const { erasers } = mneme.internals.workspace.registries;
    const broken = { name: 'broken', erase: () => Promise.reject(new Error('the plug was pulled')) };
    erasers.unshift(broken);
    const begun = await mneme.confirmForget(code ?? '');
    expect(begun.outcome).toBe('erasing');
    expect(begun.erased?.left).toEqual([{ step: 'broken', what: 'broken (the plug was pulled)' }]);
    const logs = mneme.internals.workspace.paths.logs;
    fs.mkdirSync(logs, { recursive: true });
    fs.writeFileSync(path.join(logs, 'mneme.log'), FORGOTTEN);
    erasers.shift();
    expect((await mneme.forget('kettle')).notes).toEqual([expect.stringContaining(`--confirm ${code ?? ''}`)]);
    // All of what was chosen, whatever is asked for now.
    const done = await mneme.confirmForget(code ?? '', { only: [1] });
    expect(done).toMatchObject({ outcome: 'erased', mutation: null });
    await expect(mneme.confirmForget(code ?? '')).rejects.toThrow('was used already');
    await mneme.close();
    expect(everything(cli.home)).not.toMatch(/marzipanspeicher/iu);
  });

  it('is not called done on the command line before nothing is left', async () => {
    const cli = await makeForgetHome();
    const plan = await ask(cli, 'kettle', '--permanently');
    const merging = path.join(cli.home, 'workspace/.git/MERGE_HEAD');
    fs.writeFileSync(merging, '0'.repeat(40));
    const args = ['forget', '--confirm', plan.code ?? ''];
    const begun = await cli.run(args);
    expect(begun).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Not everything[^]*the history of workspace/u),
    });
    expect(begun.out).not.toContain('Erased');
    expect(await cli.run(['check'])).toMatchObject({ code: 7, out: expect.stringContaining(plan.code ?? '') });
    fs.rmSync(merging);
    expect(await cli.ok(...args)).toContain('Erased for good.');
    expect(everything(cli.home)).not.toContain('kettle is blue');
  });

  /** A list whose erasure was begun by the process above this one, or by an earlier one of its number. */
  async function beginElsewhere(cli: TestCli, started: string | undefined): Promise<string> {
    const code = (await ask(cli, 'kettle', '--permanently')).code ?? '';
    const file = path.join(cli.home, 'journal/forget', `${code}.json`);
    const stored = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly items: { readonly pieces: string[] }[] };
    const items = stored.items.map((item) => ({ ...item, pieces: item.pieces.map((piece) => btoa(piece)) }));
    const begun = { state: 'erasing', chosen: [1], process: process.ppid, boot: bootId(), started };
    fs.writeFileSync(file, JSON.stringify({ ...stored, items, ...begun }));
    return code;
  }

  it('is left to the process that is at it, and so are other erasures', async () => {
    const cli = await makeForgetHome();
    await plantOtter(cli);
    const other = (await ask(cli, 'otter Marzipanspeicher', '--permanently')).code ?? '';
    const code = await beginElsewhere(cli, processStart(process.ppid));
    const locked = {
      code: 6,
      err: expect.stringContaining(`Process ${process.ppid} is erasing what the code ${code}`),
    };
    for (const one of [code, other]) expect(await cli.run(['forget', '--confirm', one])).toMatchObject(locked);
    const mneme = await openMneme({ home: cli.home, actor: 'manual' });
    await expect(mneme.erase('Marzipanspeicher')).rejects.toMatchObject({ code: 'locked' });
    await mneme.close();
    expect(everything(cli.home)).toContain('Marzipanspeicher');
  });

  it('goes on when the number of its process belongs to a later one', async () => {
    const cli = await makeForgetHome();
    const code = await beginElsewhere(cli, 'earlier');
    expect(await cli.ok('forget', '--confirm', code)).toContain('Erased for good.');
    expect(everything(cli.home)).not.toContain('kettle is blue');
  });
});

function start(home: string, ...args: string[]): ChildProcess {
  const env = { ...process.env, MNEME_HOME: home };
  return spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
}

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly out: string }> {
  return new Promise((resolve) => {
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.once('close', (code) => resolve({ code, out }));
  });
}

describe('at the same time', () => {
  it.each(['', '--permanently'])(
    'of several confirmations one happens %s',
    async (how) => {
      const cli = await makeForgetHome();
      await plantOtter(cli);
      const plan = await ask(cli, 'otter Marzipanspeicher', ...(how === '' ? [] : [how]));
      const args = ['forget', '--confirm', plan.code ?? '', '--json'];
      const results = await Promise.all([1, 2, 3].map(() => ended(start(cli.home, ...args))));
      const others = results.filter(({ code }) => code !== 0);
      expect(others).toHaveLength(2);
      for (const { code, out } of others) {
        expect([4, 6]).toContain(code);
        expect(out).toMatch(/was used already|is erasing/u);
      }
      const kept = Object.entries(snapshot(cli.home)).filter(([, text]) => text.includes('Marzipanspeicher'));
      expect(kept).toHaveLength(how === '' ? 1 : 0);
      expect(await cli.ok('check')).toContain('Everything agrees');
    },
    60_000,
  );

  it('two codes for the same memory: the second hears that it is gone', async () => {
    const cli = await makeForgetHome();
    const [first, second] = [await ask(cli, 'kettle'), await ask(cli, 'kettle')];
    expect(first.code).not.toBe(second.code);
    await confirm(cli, first.code);
    expect(await cli.run(['forget', '--confirm', second.code ?? ''])).toMatchObject({
      code: 4,
      err: expect.stringContaining('in the archive already'),
    });
  });
});

describe('killed in the middle', () => {
  it('archiving is done or not done, and never half', async () => {
    const cli = await makeForgetHome();
    const before = snapshot(cli.home);
    for (const afterMs of sample([260, 120, 200, 320, 380, 450], 3)) {
      const plan = await ask(cli, 'cello');
      const child = start(cli.home, 'forget', '--confirm', plan.code ?? '');
      const end = ended(child);
      await sleep(afterMs);
      child.kill('SIGKILL');
      await end;
      await cli.ok('status');
      const now = snapshot(cli.home);
      const archived = Object.keys(now).filter((file) => file.includes('archive'));
      expect([0, 3]).toContain(archived.length);
      expect(now[ALEX] === before[ALEX]).toBe(archived.length === 0);
      const again = await cli.run(['forget', '--confirm', plan.code ?? '']);
      expect(again.code).toBe(archived.length === 0 ? 0 : 4);
      const message = humanGit(cli.home, 'log', '-1', '--grep', '^\\[ARCHIVE\\]', '--format=%B');
      await cli.ok('rollback', /^Mutation: (\S+)$/mu.exec(message)?.[1] ?? '');
      expect(snapshot(cli.home)).toEqual(before);
    }
  }, 600_000);

  it('an erasure goes on when it is confirmed again', async () => {
    const cli = await makeForgetHome();
    await plantOtter(cli);
    const plan = await ask(cli, 'otter Marzipanspeicher', '--permanently');
    for (const afterMs of sample([450, 250, 350, 550, 700, 900], 3)) {
      const child = start(cli.home, 'forget', '--confirm', plan.code ?? '');
      const end = ended(child);
      await sleep(afterMs);
      child.kill('SIGKILL');
      await end;
    }
    // A git that the killed process had started may still be at work, and hold the repository for a moment.
    let last = await cli.run(['forget', '--confirm', plan.code ?? '', '--json']);
    for (let tries = 1; last.code === 1 && tries < 4; tries += 1) {
      await sleep(500);
      last = await cli.run(['forget', '--confirm', plan.code ?? '', '--json']);
    }
    expect([0, 4]).toContain(last.code);
    expect(everything(cli.home)).not.toMatch(/marzipanspeicher/iu);
    expect(humanGit(cli.home, 'log', '-p', '--all')).not.toContain('Marzipanspeicher');
    expect(await cli.ok('check')).toContain('Everything agrees');
  }, 600_000);
});
