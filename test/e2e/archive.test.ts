import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveList } from '../../src/operations/archive/list.ts';
import type { ArchivePacked } from '../../src/operations/archive/pack.ts';
import type { ChainVerified } from '../../src/operations/chain/verify.ts';
import type { ForgetPlan } from '../../src/operations/forget.ts';
import type { RecallResult } from '../../src/operations/search/recall.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';
import { DAY_MS } from '../../src/model/time.ts';

const OLD = 'conversations/2024/03/01/1000-ses_old.md';
let cli: TestCli;

const raw = (file: string): string => path.join(cli.home, 'raw', file);
const pack = (...args: string[]): Promise<ArchivePacked> => cli.json<ArchivePacked>('archive', 'pack', ...args);
const inWorkspace = (file: string): string => path.join(cli.home, 'workspace', file);

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
});

// SPEC FADE-4, FADE-5, FADE-6
describe('an old transcript', () => {
  let words: Buffer;

  beforeEach(async () => {
    const file = path.join(makeTemporaryFolder(), 't.jsonl');
    const turn = (session: string, time: string, role: string, text: string): string =>
      `${JSON.stringify({ session, time, role, text })}\n`;
    fs.writeFileSync(
      file,
      turn('ses_old', '2024-03-01T10:00:00Z', 'user', 'The zeppelin hangar in Friedrichshafen opens at nine.') +
        turn('ses_old', '2024-03-01T10:01:00Z', 'agent', 'Good to know.') +
        turn('ses_new', new Date(Date.now() - DAY_MS).toISOString(), 'user', 'The ferry leaves at noon.'),
    );
    await cli.ok('import', 'transcript', file);
    words = fs.readFileSync(raw(OLD));
  });

  it('goes by age only where somebody said so, a week after it was announced; its hash stays', async () => {
    await cli.ok('config', 'set', 'retention.sessions.delete_after_days', '365');
    const spared = await pack('--dry-run');
    expect(spared).toMatchObject({ announcedTranscripts: [], sparedTranscripts: [OLD] });
    expect(spared.notes.join()).toContain('mneme learn extract');
    await cli.ok('extract', 'ses_old');
    await cli.ok('jobs', 'run', 'chain');
    expect(await cli.ok('archive', 'pack', '--dry-run')).toContain(`raw/${OLD}`);
    const announced = await pack();
    expect(announced).toMatchObject({ deletedTranscripts: [], announcedTranscripts: [OLD] });
    expect(announced.notes.join()).toContain('delete_after_days null');
    expect((await pack()).deletedTranscripts).toEqual([]);
    const file = path.join(cli.home, 'journal', 'deletion-announced.json');
    fs.writeFileSync(file, JSON.stringify({ [OLD]: Date.now() - 8 * DAY_MS }));
    expect((await pack()).deletedTranscripts).toEqual([`${OLD}.gz`]);
    expect(fs.existsSync(raw(`${OLD}.gz`))).toBe(false);
    const [line = ''] = fs.readFileSync(raw('deleted.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ path: OLD, sha256: hash('sha256', words) });
    // The diary and what was learned stay; the words themselves are gone.
    const { hits } = await cli.json<RecallResult>('recall', 'zeppelin hangar');
    expect(hits.map(({ source }) => source)).not.toContain('raw');
    expect(await cli.ok('check')).toContain('agrees');
    const kept = execFileSync('git', ['show', `HEAD~1:${OLD}.gz`], { cwd: path.join(cli.home, 'raw') });
    expect(gunzipSync(kept)).toEqual(words);
    expect(await pack()).toMatchObject({ deletedTranscripts: [], announcedTranscripts: [] });
    const verified = await cli.json<ChainVerified>('chain', 'verify');
    expect(verified).toMatchObject({ isWhole: true, content: { deleted: 1 } });
    expect(verified.notes.join()).toContain(`raw/${OLD} of entry`);
  });

  it('is packed with its hash, and everything reads it as before', async () => {
    const before = await cli.ok('read', 'ses_old');
    expect((await pack('--dry-run')).transcripts).toEqual([OLD]);
    expect(fs.existsSync(raw(OLD))).toBe(true);
    expect((await pack()).transcripts).toEqual([OLD]);
    expect(fs.existsSync(raw(OLD))).toBe(false);
    expect(gunzipSync(fs.readFileSync(raw(`${OLD}.gz`)))).toEqual(words);
    const [line = ''] = fs.readFileSync(raw('packed.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ path: OLD, sha256: hash('sha256', words), bytes: words.length });
    expect(await cli.ok('read', 'ses_old')).toBe(before);
    expect(await cli.ok('read', OLD)).toBe(before);
    expect(await cli.ok('read', 'ses_old#t1')).toContain('zeppelin');
    const { hits } = await cli.json<RecallResult>('recall', 'zeppelin hangar');
    expect(hits[0]).toMatchObject({ id: 'ses_old#t1', path: `${OLD}.gz` });
    expect(await cli.ok('check')).toContain('agrees');
    expect((await pack()).transcripts).toEqual([]);
  });

  it('goes on in a part of its own, and is not imported again', async () => {
    await pack();
    await cli.ok('session', 'start', 'ses_old', '--user', 'Ines');
    await cli.ok('session', 'message', 'ses_old', 'user', 'And it closes at five.');
    await cli.ok('session', 'end', 'ses_old');
    expect(await cli.ok('read', 'ses_old#t3')).toContain('closes at five');
    expect(await cli.ok('read', 'ses_old')).toContain('zeppelin');
  });

  it('loses what is erased, in the file, in every history and in the index, and its hash follows', async () => {
    await pack();
    const { code } = await cli.json<ForgetPlan>('forget', '--permanently', 'zeppelin hangar');
    await cli.ok('forget', '--confirm', code ?? '');
    const left = gunzipSync(fs.readFileSync(raw(`${OLD}.gz`)));
    expect(left.toString()).not.toContain('Friedrichshafen');
    expect(left.toString()).toContain('Good to know.');
    const lines = fs.readFileSync(raw('packed.jsonl'), 'utf8').trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ path: OLD, sha256: hash('sha256', left) });
    const { hits } = await cli.json<RecallResult>('recall', 'zeppelin Friedrichshafen');
    expect(hits.filter(({ text }) => text.includes('Friedrichshafen'))).toEqual([]);
    expect(await cli.ok('check')).toContain('agrees');
  });
});

describe('an old archived file', () => {
  const DAY = 'memory/episodes/2026-01-01.md';
  const DAY_TEXT = `---\ndate: 2026-01-01\n---\n\n# 2026-01-01\n\n- Counted 14 gulls at the harbour. ^aaaaaaaaaaaaa\n- Ate a pear. ^bbbbbbbbbbbbb\n`;

  beforeEach(async () => {
    writeWorkspaceFile(cli.home, DAY, DAY_TEXT);
    const { code } = await cli.json<ForgetPlan>('forget', '--id', 'aaaaaaaaaaaaa');
    await cli.ok('forget', '--confirm', code ?? '');
  });

  const age = async (days: number): Promise<string> => {
    const { entries } = await cli.json<ArchiveList>('archive', 'list');
    const file = entries[0]?.path ?? '';
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    const text = fs.readFileSync(inWorkspace(file), 'utf8').replace(/at: .*/u, `at: ${at}`);
    fs.writeFileSync(inWorkspace(file), text);
    return file;
  };

  it('is packed, listed, found and put back to the byte', async () => {
    const file = await age(100);
    expect(await pack()).toMatchObject({ packed: [file], deleted: [] });
    expect(fs.existsSync(inWorkspace(`${file}.gz`))).toBe(true);
    const table = fs.readFileSync(inWorkspace('memory/archive/index.json'), 'utf8');
    expect(JSON.parse(table)).toMatchObject({ entries: { [file]: { item: 'aaaaaaaaaaaaa', packed: true } } });
    expect(await cli.ok('archive', 'list')).toContain('packed');
    expect(await cli.ok('archive', 'search', 'gulls')).toContain('aaaaaaaaaaaaa');
    expect(await cli.ok('archive', 'search', 'quantum')).toContain('Nothing in the archive');
    await cli.ok('archive', 'restore', 'aaaaaaaaaaaaa');
    expect(fs.readFileSync(inWorkspace(DAY), 'utf8')).toBe(DAY_TEXT);
    expect(await cli.ok('archive', 'list')).toContain('Nothing was put away');
    expect(await cli.ok('check')).toContain('agrees');
  });

  it('loses what is erased although it is packed', async () => {
    const file = await age(100);
    await pack();
    const { code } = await cli.json<ForgetPlan>('forget', '--permanently', 'gulls at the harbour');
    await cli.ok('forget', '--confirm', code ?? '');
    const kept = [file, `${file}.gz`].filter((name) => fs.existsSync(inWorkspace(name)));
    expect(kept.map((name) => fs.readFileSync(inWorkspace(name)))).toEqual([]);
    expect(await cli.ok('check')).toContain('agrees');
  });

  it('is deleted only by an age that somebody set', async () => {
    const file = await age(400);
    expect((await pack('--dry-run')).deleted).toEqual([]);
    await cli.ok('config', 'set', 'retention.episodic.delete_after_days', '365');
    expect(await pack()).toMatchObject({ packed: [], deleted: [file] });
    expect(await cli.ok('archive', 'list')).toContain('Nothing was put away');
    expect((await cli.run(['archive', 'restore', 'aaaaaaaaaaaaa'])).code).toBe(3);
  });
});
