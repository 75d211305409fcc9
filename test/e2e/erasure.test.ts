import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { restoreBackup } from '../../src/operations/backup/restore.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { LiveTranscript } from '../../src/workspace/transcripts.ts';
import { nodeFileSystem } from '../../src/platform/fs.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { readEverything } from '../support/read-everything.ts';

/** Rare enough to be found nowhere by chance, long enough to be shortened in summaries. */
const CANARY = 'the heron stands on Quillfeather lane at dawn and nobody but me knows which house it watches';
const WORD = 'Quillfeather';

function turn(text: string) {
  return {
    id: 't1',
    date: '2026-02-16',
    time: '18:45',
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text }],
  };
}

function transcriptDoor({ internals: { workspace } }: Mneme) {
  const { paths, redactor } = workspace;
  return {
    paths,
    fs: nodeFileSystem,
    redactor,
    commit: (request: Parameters<typeof workspace.commit>[0]) => workspace.commit(request),
  };
}

/** Writes the canary through every path there is. Each later capability adds its own here. */
async function plantEverywhere(mneme: Mneme): Promise<void> {
  const { workspace, proposals } = mneme.internals;
  const { paths, root } = workspace;
  await mneme.remember(CANARY, { store: 'episodic' });
  // Forgotten: in the archive, in the history of both places.
  await mneme.confirmForget((await mneme.forget(CANARY)).code ?? '');
  await mneme.remember(CANARY, { store: 'episodic' });
  await mneme.remember(CANARY, { store: 'core' });
  await mneme.remember(CANARY, { store: 'vault', trigger: `the user said: ${CANARY}` });
  await mneme.saveContext({
    working: {
      scratchpad: { bird: CANARY },
      focus: { topic: CANARY },
      conversation: [{ role: 'user', content: CANARY }],
    },
  });
  await mneme.append('memory/reference/birds.md', `# Birds\n\n${CANARY}\n`);
  await mneme.edit({ path: 'memory/reference/birds.md', replace: 'Birds', with: 'Herons', summary: CANARY });
  await workspace.drain();
  fs.appendFileSync(path.join(root, 'memory/reference/birds.md'), `\nby hand: ${CANARY}\n`);
  await workspace.scan();
  await proposals.propose({
    kind: 'memory',
    title: CANARY,
    why: CANARY,
    evidence: [CANARY],
    actor: 'subagent:birdwatcher',
    trust: 'agent',
    changes: [{ path: 'memory/reference/other.md', after: `${CANARY}\n` }],
  });
  const finished = LiveTranscript.open(transcriptDoor(mneme), 'ses_done');
  await finished.append(turn(CANARY));
  await finished.finish({ session_id: 'ses_done', started: '2026-02-16T18:45:00Z', topic: CANARY }, CANARY);
  const live = LiveTranscript.open(transcriptDoor(mneme), 'ses_live');
  await live.append(turn(`${CANARY} "quoted"\nand a second line`));
  await live.close();
  const session = await mneme.session.start({ id: 'ses_talk', topic: CANARY });
  await session.message('user', CANARY, { name: 'Ines' });
  await session.tool('look', { for: CANARY }, CANARY);
  const log = path.join(paths.home, 'import.jsonl');
  fs.writeFileSync(log, JSON.stringify({ session: 'told', time: '2026-02-16T10:00:00Z', role: 'user', text: CANARY }));
  await mneme.import({ from: 'transcript', path: log });
  fs.rmSync(log);
  // A list of what is to be erased, which nobody confirmed.
  expect((await mneme.forget(CANARY, { permanently: true })).matches.length).toBeGreaterThan(5);
  // The index, what was asked, and what was put into a prompt.
  await mneme.recall(CANARY);
  await mneme.context(CANARY);
  await mneme.chain.add(CANARY);
  await workspace.drain();
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  };
  git('tag', '-a', 'memory/milestone/bird', '-m', CANARY);
  git('branch', `explore/${WORD.toLowerCase()}-idea`);
  git('commit', '--allow-empty', '-m', `mine: ${CANARY}`);
  fs.appendFileSync(path.join(root, 'MEMORY.md'), `stashed: ${CANARY}\n`);
  git('stash');
  for (const folder of [paths.backups, paths.logs]) fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(paths.backups, 'old.json'), JSON.stringify({ text: `${CANARY}\nnext` }));
  fs.writeFileSync(path.join(paths.backups, 'old.md.gz'), gzipSync(CANARY));
  fs.writeFileSync(path.join(paths.logs, 'mneme.log'), `saw ${CANARY.slice(0, 60)}…\n`);
  fs.writeFileSync(path.join(paths.journal, 'receipt.json'), JSON.stringify({ prompt: CANARY }));
  fs.writeFileSync(path.join(paths.state, 'cache.bin'), CANARY);
  await mneme.backup.create();
}

// SPEC HISTORY-4, CHAIN-4
describe('permanent erasure', () => {
  it('leaves no trace of a text anywhere in the home, and the home works on', async () => {
    const home = path.join(makeTemporaryFolder(), 'home');
    await initHome({ home, timeZone: 'UTC', isFull: false, command: [] });
    const mneme = await openMneme({ home, actor: 'manual' });
    await mneme.remember('the kettle is blue', { store: 'episodic' });
    await plantEverywhere(mneme);
    expect(readEverything(home).split(WORD.toLowerCase()).length).toBeGreaterThan(20);

    const result = await mneme.erase(CANARY, `explore/${WORD.toLowerCase()}-idea`, `${WORD.toLowerCase()}-idea`);
    expect(result.remaining).toEqual([]);
    expect(result.left).toEqual([]);
    expect(result.notes).toEqual([
      expect.stringMatching(/^The memory proposal \w{26} was withdrawn/u),
      expect.stringMatching(/stashed is kept as refs\/mneme\/stashed\/[0-9a-f]{12}/u),
    ]);
    await mneme.remember('and the cup is green', { store: 'episodic' });
    await mneme.close();

    expect(readEverything(home)).not.toContain(WORD.toLowerCase());
    expect(result.unreachable).toEqual([]);
    const archives = fs.readdirSync(path.join(home, 'backups')).filter((name) => name.endsWith('.tar.gz'));
    expect(archives).toHaveLength(1);
    const restored = path.join(makeTemporaryFolder(), 'home');
    await restoreBackup({ archive: path.join(home, 'backups', archives[0] ?? ''), home: restored });
    fs.mkdirSync(path.join(restored, 'backups'));
    expect(readEverything(restored)).not.toContain(WORD.toLowerCase());
    expect(readEverything(restored)).toContain('the kettle is blue');
    const root = path.join(home, 'workspace');
    for (const repository of ['workspace', 'raw', 'chain']) {
      const cwd = path.join(home, repository);
      expect(execFileSync('git', ['status', '--porcelain'], { cwd, encoding: 'utf8' })).toBe('');
      execFileSync('git', ['fsck', '--strict'], { cwd, stdio: 'ignore' });
    }
    const day = fs.readdirSync(path.join(root, 'memory/episodes'))[0] ?? '';
    const text = fs.readFileSync(path.join(root, 'memory/episodes', day), 'utf8');
    expect(text).toContain('the kettle is blue');
    expect(text).toContain('and the cup is green');
  });

  it('is refused to agents and for texts that are too short', async () => {
    const home = path.join(makeTemporaryFolder(), 'home');
    await initHome({ home, timeZone: 'UTC', isFull: false, command: [] });
    const agent = await openMneme({ home });
    await expect(agent.erase(CANARY)).rejects.toThrow('Only a person');
    await agent.close();
    const person = await openMneme({ home, actor: 'manual' });
    await expect(person.erase('abc')).rejects.toThrow('too short');
    await person.close();
  });
});
