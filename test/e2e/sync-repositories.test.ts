import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { countWaiting } from '../../src/operations/extract/waiting.ts';
import { sync, type SyncInput, type Synced } from '../../src/operations/history/sync.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

// SPEC MACHINE-9, MACHINE-10
describe('two machines that exchange everything', () => {
  const root = makeTemporaryFolder('mneme-two-');
  const remotes = {
    workspace: path.join(root, 'w.git'),
    raw: path.join(root, 'r.git'),
    chain: path.join(root, 'c.git'),
  };
  let ana: Mneme;
  let ben: Mneme;

  beforeAll(async () => {
    for (const remote of Object.values(remotes)) {
      execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
    }
    ana = await openMachine('ana');
    ben = await openMachine('ben');
    await syncHome(ana, { remote: remotes.workspace });
    await syncHome(ben, { remote: remotes.workspace, allowUnrelated: true });
    await syncHome(ana);
  });
  afterAll(async () => {
    await ana.close();
    await ben.close();
  });

  async function openMachine(name: string): Promise<Mneme> {
    const home = path.join(root, name);
    await initTestHome(home);
    const lines = ['git:', `  raw_remote: ${remotes.raw}`, `  chain_remote: ${remotes.chain}`];
    fs.appendFileSync(path.join(home, 'mneme.yaml'), `${lines.join('\n')}\n`);
    return openMneme({ home, actor: 'manual' });
  }

  function syncHome({ internals }: Mneme, given: SyncInput = {}): Promise<Synced> {
    return sync.run(internals, sync.input.parse(given));
  }

  const exchangeOf = ({ repositories }: Synced, wanted: string) =>
    repositories.find(({ repository }) => repository === wanted);

  async function talk(mneme: Mneme, session: string, words: string): Promise<void> {
    const handle = await mneme.session.start({ id: session });
    await handle.message('user', words);
    await handle.end();
  }

  it('take each other’s transcripts to be found, and leave learning from them to who recorded them', async () => {
    await talk(ana, 'a1', 'The violin is kept in the cellar.');
    await talk(ben, 'b1', 'The cello went to the repair shop.');
    expect(exchangeOf(await syncHome(ana), 'raw')).toMatchObject({
      went: expect.any(Number),
      toPush: 0,
      problem: null,
    });
    const taken = exchangeOf(await syncHome(ben), 'raw');
    expect(taken).toMatchObject({ came: 1, conflicts: [], problem: null });
    const waiting = countWaiting(ben.internals).own;
    expect((await ben.recall('violin')).hits[0]?.text).toContain('cellar');
    expect(exchangeOf(await syncHome(ana), 'raw')).toMatchObject({ came: 1 });
    expect((await ana.recall('cello')).hits[0]?.text).toContain('repair shop');
    // Once is enough, and nothing that came goes to be learned from here.
    expect(exchangeOf(await syncHome(ben), 'raw')).toMatchObject({ came: 0 });
    expect(countWaiting(ben.internals).own).toBe(waiting);
    expect(exchangeOf(await syncHome(ana), 'chain')).toMatchObject({ remote: remotes.chain, problem: null });
  });

  it('say what waits, which blocks both changed, and where the other text is', async () => {
    await ana.append('memory/reference/house.md', '- The door is green.');
    await syncHome(ana);
    await syncHome(ben);
    await ana.edit({ path: 'memory/reference/house.md', replace: 'green', with: 'red' });
    await ben.edit({ path: 'memory/reference/house.md', replace: 'green', with: 'blue' });
    expect(exchangeOf(await syncHome(ana, { pullOnly: true }), 'workspace')?.toPush).toBeGreaterThan(0);
    await syncHome(ana);
    const { conflicts, repositories } = await syncHome(ben);
    expect(conflicts).toMatchObject([{ path: 'memory/reference/house.md', kind: 'text', places: 1 }]);
    const [conflict] = conflicts;
    expect(JSON.stringify(conflict?.blocks)).toMatch(/red.*blue|blue.*red/u);
    const shown = execFileSync('sh', ['-c', conflict?.other ?? ''], { cwd: ben.internals.home, encoding: 'utf8' });
    expect(shown).toContain('The door is red.');
    // The proposal that offers to settle it has gone along.
    expect(repositories[0]).toMatchObject({ repository: 'workspace', toPush: 0, toPull: 0, problem: null });
    await syncHome(ana);
    expect((await ana.read('memory/reference/house.md')).text).toBe((await ben.read('memory/reference/house.md')).text);
  });

  it('keep conversations of private scopes to themselves, and take others’ all the same', async () => {
    const hidden = await ana.session.start({ id: 'apollo1', scope: 'project:apollo' });
    await hidden.message('user', 'The word of Apollo is zanzibar.');
    await hidden.end();
    await talk(ben, 'b0', 'The harp has a new string.');
    await syncHome(ben);
    expect(exchangeOf(await syncHome(ana), 'raw')).toMatchObject({
      went: 0,
      came: expect.any(Number),
      problem: expect.stringContaining('private scopes'),
    });
    const sent = execFileSync('git', ['-C', remotes.raw, 'log', '--all', '-p'], { encoding: 'utf8' });
    expect(sent).not.toContain('zanzibar');
    expect((await ana.recall('harp string')).hits.map(({ text }) => text).join()).toContain('new string');
    const trusted = await syncHome(ana, { withPrivateScopes: true });
    expect(exchangeOf(trusted, 'raw')).toMatchObject({ problem: null });
  });

  it('exchange the memory although another repository cannot be reached, and say so', async () => {
    fs.renameSync(remotes.raw, `${remotes.raw}.away`);
    await ana.remember('The attic is dry.');
    const synced = await syncHome(ana);
    expect(synced.pushed.commits).toBeGreaterThan(0);
    expect(exchangeOf(synced, 'raw')?.problem).toContain('r.git');
    fs.renameSync(`${remotes.raw}.away`, remotes.raw);
    expect(exchangeOf(await syncHome(ana), 'raw')?.problem).toBeNull();
  });
});
