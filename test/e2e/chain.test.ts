import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { verifyProof } from '../../src/chain/proof/verify-proof.ts';
import { TestCli } from '../support/cli.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

async function newHome(settings = ''): Promise<string> {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  if (settings !== '') fs.appendFileSync(path.join(home, 'mneme.yaml'), settings);
  return home;
}

const chainFile = (home: string): string => path.join(home, 'chain', 'chain.jsonl');

async function talk(mneme: Mneme): Promise<string> {
  const session = await mneme.session.start({ user: 'Ines' });
  await session.message('user', 'The harbour crane was painted vermilion in Trieste.');
  await session.message('agent', 'I will keep that in mind.');
  await session.message('user', 'The ferry timetable hangs beside the blue door.');
  const { path: file } = await session.end();
  return file ?? '';
}

// SPEC CHAIN-1, CHAIN-4, CHAIN-5
describe('what happens in a home', () => {
  let home: string;
  let mneme: Mneme;
  let transcript: string;

  beforeAll(async () => {
    home = await newHome();
    mneme = await openMneme({ home, actor: 'manual' });
    transcript = await talk(mneme);
    await mneme.remember('We decided to keep the ledger in Postgres.', { type: 'decision' });
    await mneme.remember('The blue door is the one to the quay.');
    const { id } = await mneme.internals.proposals.propose({
      kind: 'memory',
      title: 'a note about tides',
      why: 'it was asked for',
      evidence: [],
      actor: 'subagent:tides',
      trust: 'agent',
      changes: [{ path: 'memory/reference/tides.md', after: '# Tides\n\n- high water at noon\n' }],
    });
    await mneme.approve({ ids: [id] });
    await mneme.edit({ path: 'IDENTITY.md', content: '# Who I am\n\n- a harbour agent\n' });
  });

  afterAll(() => mneme.close());

  it('is entered behind it, once, and verifies', async () => {
    const entered = { key: 1, transcript: 1, decision: 1, remember: 1, proposal: 1, identity: 1 };
    await expect.poll(() => mneme.chain.stats(), { timeout: 30_000 }).toMatchObject({ types: entered, waiting: 0 });
    const verified = await mneme.chain.verify();
    expect(verified).toMatchObject({ isWhole: true, findings: [], content: { checked: 5, erased: 0, deleted: 0 } });
    expect(await mneme.chain.verify()).toMatchObject({ isWhole: true, walked: 0 });
    expect(await mneme.chain.verify({ full: true })).toMatchObject({
      walked: verified.entries,
      signatures: verified.entries,
    });
  });

  it('stands in the entries without a word of it, and is named where it is', async () => {
    const lines = fs.readFileSync(chainFile(home), 'utf8');
    for (const word of ['Postgres', 'Trieste', 'Ines', 'harbour', 'tides']) expect(lines).not.toContain(word);
    const { entries } = await mneme.chain.show();
    const decision = entries.find(({ type }) => type === 'decision');
    expect(decision?.summary).toBe('We decided to keep the ledger in Postgres.');
    expect(lines).toContain(decision?.entry.type === 'decision' ? (decision.entry.ref.item ?? '?') : '?');
  });

  it('is proved turn by turn, to whoever has the proof and nothing else', async () => {
    const { entries } = await mneme.chain.show({ type: 'transcript' });
    const seq = entries[0]?.seq ?? 0;
    const proof = await mneme.chain.prove(seq, { turn: 1 });
    expect(verifyProof(JSON.parse(JSON.stringify(proof)), proof.chain).claim?.text).toContain('vermilion');
    expect(JSON.stringify(proof)).not.toContain('timetable');
    await expect(mneme.chain.prove(seq)).rejects.toMatchObject({ code: 'usage' });
    await expect(mneme.chain.prove(seq, { turn: 9 })).rejects.toMatchObject({ code: 'not-found' });
    await expect(mneme.chain.prove(999)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is compared with the transcript, packed or not', async () => {
    const full = path.join(home, 'raw', transcript);
    const words = fs.readFileSync(full);
    fs.chmodSync(full, 0o644);
    fs.writeFileSync(full, words.toString().replace(/vermilion(?![^]*vermilion)/u, 'ochre'));
    const { findings } = await mneme.chain.verify();
    expect(findings).toMatchObject([{ code: 'content', seq: 1, message: expect.stringContaining('Turn 1') as string }]);
    fs.writeFileSync(full, `${words.toString()}\n## 23:00 — user\n\nadded\n`);
    expect((await mneme.chain.verify()).findings).toMatchObject([{ code: 'content', seq: 1 }]);
    const { gzipSync } = await import('node:zlib');
    fs.writeFileSync(`${full}.gz`, gzipSync(words));
    fs.rmSync(full);
    expect(await mneme.chain.verify()).toMatchObject({ isWhole: true });
    fs.writeFileSync(full, words);
    fs.rmSync(`${full}.gz`);
  });

  it('can be erased turn by turn: the entry verifies, and that it was erased is proved', async () => {
    const before = fs.readFileSync(chainFile(home), 'utf8');
    const result = await mneme.erase('The harbour crane was painted vermilion in Trieste.', 'decision');
    expect(result.remaining).toEqual([]);
    expect(fs.readFileSync(chainFile(home), 'utf8').startsWith(before)).toBe(true);
    const verified = await mneme.chain.verify({ full: true });
    expect(verified).toMatchObject({ isWhole: true, findings: [] });
    const { entries } = await mneme.chain.show({ type: 'transcript' });
    const seq = entries[0]?.seq ?? 0;
    const proof = await mneme.chain.prove(seq, { turn: 1 });
    const { claim } = verifyProof(proof, proof.chain);
    expect(claim).toMatchObject({ seq, text: null, erased: expect.any(String) as string });
    expect(verifyProof(await mneme.chain.prove(seq, { turn: 3 })).claim?.text).toContain('timetable');
    const openings = fs.readFileSync(path.join(home, 'chain', 'content', '000000.jsonl'), 'utf8');
    expect(openings).not.toContain('vermilion');
    // The title was made of the first message, so the beginning went with it.
    const kept = openings.split('\n').find((line) => line.includes(`"seq":${seq},`));
    expect((JSON.parse(kept ?? '{}') as { salts: unknown[] }).salts.map((salt) => salt === null)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is part of what `check` looks at', async () => {
    const { check } = await import('../../src/operations/check.ts');
    const { findings } = await check.run(mneme.internals, { repair: false });
    expect(findings.filter(({ area }) => area === 'chain')).toEqual([]);
    fs.chmodSync(path.join(home, 'chain', 'agent.key'), 0o644);
    const again = await check.run(mneme.internals, { repair: false });
    expect(again.findings.filter(({ area }) => area === 'chain')).toMatchObject([{ severity: 'warning' }]);
    fs.chmodSync(path.join(home, 'chain', 'agent.key'), 0o600);
  });
});

describe('somebody who changes the chain', () => {
  let cli: TestCli;
  let anchorFile: string;
  let remote: string;
  let whole: string;

  beforeAll(async () => {
    const home = await newHome();
    cli = new TestCli(home);
    anchorFile = path.join(makeTemporaryFolder(), 'heads.jsonl');
    remote = path.join(makeTemporaryFolder(), 'anchor.git');
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    const mneme = await openMneme({ home, actor: 'manual' });
    for (let count = 0; count < 6; count += 1) await mneme.chain.add(`decision number ${count}`);
    await mneme.chain.anchor({ kind: 'file', place: anchorFile });
    await mneme.chain.anchor({ kind: 'git', place: remote });
    await mneme.chain.add('one more');
    await mneme.close();
    whole = fs.readFileSync(chainFile(home), 'utf8');
  });

  const verify = async (
    ...args: string[]
  ): Promise<{ code: number; findings: { code: string; seq: number | null }[] }> => {
    const { code, out } = await cli.run(['chain', 'verify', '--json', ...args]);
    return { code, ...(JSON.parse(out) as { findings: { code: string; seq: number | null }[] }) };
  };

  it('is found where the change is, with exit code 7', async () => {
    expect(await verify('--anchors')).toMatchObject({ code: 0, findings: [] });
    const lines = whole.split('\n');
    lines[3] = (lines[3] ?? '').replace('"type":"decision"', '"type":"identity"');
    fs.writeFileSync(chainFile(cli.home), lines.join('\n'));
    const { code, findings } = await verify();
    expect(code).toBe(7);
    expect(findings[0]).toMatchObject({ code: 'signature', seq: 3 });
    // Git would take over the change.
    expect((await cli.run(['chain', 'add', 'more'])).code).toBe(7);
    fs.writeFileSync(chainFile(cli.home), whole);
  });

  it('who cuts it is found, and nothing is signed twice: what git has comes back', async () => {
    const cut = `${whole.trimEnd().split('\n').slice(0, -2).join('\n')}\n`;
    const committed = execFileSync('git', ['show', 'HEAD:chain.jsonl'], {
      cwd: path.join(cli.home, 'chain'),
      encoding: 'utf8',
    });
    fs.writeFileSync(chainFile(cli.home), cut);
    const { code, findings } = await verify();
    expect(code).toBe(7);
    expect(findings.map((one) => one.code)).toContain('truncated');
    await cli.ok('chain', 'add', 'after the cut');
    expect(fs.readFileSync(chainFile(cli.home), 'utf8').startsWith(committed)).toBe(true);
    // A line that breaks off was never acknowledged.
    const now = fs.readFileSync(chainFile(cli.home), 'utf8');
    fs.writeFileSync(chainFile(cli.home), `${now}{"body":{"tar`);
    expect((await verify()).findings).toMatchObject([{ code: 'torn' }]);
    await cli.ok('chain', 'add', 'after the tear');
    expect(await verify('--anchors')).toMatchObject({ code: 0, findings: [] });
  });

  it('and has the key and the history is found by whoever holds a head', async () => {
    const { home } = cli;
    const head = /"seq":(\d+)/u.exec(whole.trimEnd().split('\n').at(-1) ?? '')?.[1];
    const stats = await cli.json<{ head: string }>('chain', 'stats');
    fs.writeFileSync(chainFile(home), `${whole.split('\n').slice(0, 4).join('\n')}\n`);
    fs.rmSync(path.join(home, 'chain', '.git'), { recursive: true });
    fs.rmSync(path.join(home, 'chain', 'anchors.jsonl'));
    fs.rmSync(path.join(home, 'journal', 'chain'), { recursive: true });
    const mneme = await openMneme({ home, actor: 'manual' });
    for (let count = 0; count < 12; count += 1) await mneme.chain.add(`rewritten ${count}`);
    await mneme.close();
    expect(await verify()).toMatchObject({ code: 0, findings: [] });
    expect(Number(head)).toBeGreaterThan(5);
    const held = await verify('--head', stats.head);
    expect(held).toMatchObject({ code: 7 });
    await cli.ok('config', 'set', 'chain.anchor_file', anchorFile);
    await cli.ok('config', 'set', 'chain.anchor_remote', remote);
    const { code, findings } = await verify('--anchors');
    expect(code).toBe(7);
    expect(findings.map((one) => one.code)).toEqual(['rewritten', 'rewritten']);
  });
});

describe('keys', () => {
  it('rotate, are backed up, left out of backups of the home, and restored', async () => {
    const cli = new TestCli(await newHome());
    await cli.ok('chain', 'add', 'before', '--type', 'commitment');
    await cli.ok('chain', 'keys', 'rotate');
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'key.json');
    process.env['MNEME_KEY_PASSPHRASE'] = 'a long enough phrase';
    await cli.ok('chain', 'keys', 'backup', file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect((await cli.run(['chain', 'keys', 'backup', file])).code).toBe(4);
    const key = path.join(cli.home, 'chain', 'agent.key');
    expect(fs.statSync(key).mode & 0o777).toBe(0o600);
    const { file: archive } = await cli.json<{ file: string }>('backup', 'create');
    expect(execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })).not.toContain('agent.key');
    fs.rmSync(key);
    const refused = await cli.run(['chain', 'add', 'without a key']);
    expect(refused).toMatchObject({ code: 7, err: expect.stringContaining('chain keys restore') as string });
    process.env['MNEME_KEY_PASSPHRASE'] = 'the wrong phrase';
    expect((await cli.run(['chain', 'keys', 'restore', file])).code).toBe(5);
    process.env['MNEME_KEY_PASSPHRASE'] = 'a long enough phrase';
    await cli.ok('chain', 'keys', 'restore', file);
    delete process.env['MNEME_KEY_PASSPHRASE'];
    expect((await cli.run(['chain', 'keys', 'replace'])).code).toBe(5);
    await cli.ok('chain', 'add', 'with the key');
    expect(await cli.ok('chain', 'verify')).toContain('whole');
    fs.rmSync(key);
    const { keys } = await cli.json<{ keys: { fingerprint: string }[] }>('chain', 'keys', 'replace');
    expect((await cli.run(['chain', 'verify'])).code).toBe(7);
    await cli.ok('config', 'set', 'chain.accepted_keys', JSON.stringify([keys.at(-1)?.fingerprint]));
    expect(await cli.ok('chain', 'verify')).toContain('whole');
  });
});

describe('two machines', () => {
  it('name each other’s heads, and one that is rewritten is seen by the other', async () => {
    const remote = path.join(makeTemporaryFolder(), 'shared.git');
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    const [one, other] = await Promise.all(
      [newHome(), newHome()].map(async (home) => openMneme({ home: await home, actor: 'manual' })),
    );
    if (one === undefined || other === undefined) throw new Error('no homes');
    await one.chain.add('said on the first');
    await other.chain.add('said on the second');
    await one.chain.sync({ remote });
    expect((await other.chain.sync({ remote })).linked).toHaveLength(1);
    const { linked } = await one.chain.sync({ remote });
    expect(linked).toHaveLength(1);
    expect((await one.chain.sync({ remote })).linked).toEqual([]);
    expect((await other.chain.sync({ remote })).linked).toEqual([]);
    const verified = await one.chain.verify();
    expect(verified).toMatchObject({ isWhole: true, others: [{ chain: linked[0]?.chain, findings: [] }] });
    await Promise.all([one.close(), other.close()]);
  });
});

describe('the weekly job', () => {
  it('enters transcripts from before the chain, verifies, and anchors what is new', async () => {
    const anchorFile = path.join(makeTemporaryFolder(), 'heads.jsonl');
    const home = await newHome('chain:\n  enabled: false\n');
    const before = await openMneme({ home, actor: 'manual' });
    await talk(before);
    await before.close();
    const config = path.join(home, 'mneme.yaml');
    fs.writeFileSync(
      config,
      fs.readFileSync(config, 'utf8').replace('enabled: false', `anchor: file\n  anchor_file: ${anchorFile}`),
    );
    const mneme = await openMneme({ home, actor: 'manual' });
    const run = async (): Promise<string> => JSON.stringify(await mneme.jobs.run('chain'));
    expect(await run()).toMatch(/1 transcript entered late, head of entry \d+ anchored/u);
    expect(await run()).toContain('nothing new to anchor');
    expect(fs.readFileSync(anchorFile, 'utf8').trim().split('\n')).toHaveLength(1);
    await mneme.close();
  });
});
