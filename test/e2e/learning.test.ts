import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import type { Extractor } from '../../src/extract/extractors.ts';
import { openMneme, type Mneme } from '../../src/index.ts';

let home: string;
let m: Mneme;

const open = async (options: Parameters<typeof openMneme>[0] = {}): Promise<Mneme> => openMneme({ home, ...options });
const setting = (yaml: string): void => fs.appendFileSync(path.join(home, 'mneme.yaml'), yaml);
const MANUAL = 'extract:\n  trigger: manual\n';

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
});
afterEach(() => m.close());

interface Said {
  readonly role?: 'user' | 'agent';
  readonly time: string;
  readonly text: string;
}

async function converse(id: string, ...said: readonly Said[]): Promise<void> {
  const session = await m.session.start({ id, user: 'Ines' });
  for (const { role = 'user', text, time } of said) await session.message(role, text, { time });
  await session.end();
}

function workspaceText(folder = ''): string {
  const root = path.join(home, 'workspace', 'memory', folder);
  if (!fs.existsSync(root)) return '';
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith(`meta${path.sep}`))
    .map((file) => fs.readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
}

const KAFKA: Said = { time: '2026-01-10T10:00:00Z', text: 'We decided to use Kafka for the event pipeline.' };
const WITHOUT = "We won't use Kafka after all, it is too much to run.";

// SPEC TRUST-1, LEARN-8, LEARN-9
describe('learning behind a conversation’s end', () => {
  it('has happened after a reset, too, although the conversation goes on', async () => {
    m = await open();
    const session = await m.session.start({ id: 'ses_a', user: 'Ines' });
    await session.message('user', 'I live in Munich.', { time: '2026-01-10T10:00:00Z' });
    await session.reset();
    await m.close();
    expect(workspaceText()).toContain('lives in Munich');
  });

  it('has happened when the home is closed, under the extractor’s name', async () => {
    m = await open();
    await converse('ses_a', { time: '2026-01-10T10:00:00Z', text: 'I live in Munich.' });
    await m.close();
    expect(workspaceText()).toContain('lives in Munich');
    m = await open();
    expect((await m.status()).waiting).toEqual({ own: 0, imported: 0 });
    expect((await m.extract()).sessions).toEqual([]);
    const [line] =
      fs.readFileSync(path.join(home, 'workspace', 'memory', 'meta', 'audit.log'), 'utf8').match(/.*Munich.*/u) ?? [];
    expect(line).toContain('bot:extract:people@1');
  });

  it('waits where the settings say so, and status tells', async () => {
    setting(MANUAL);
    m = await open();
    await converse('ses_a', { time: '2026-01-10T10:00:00Z', text: 'I live in Munich.' });
    expect((await m.status()).waiting).toEqual({ own: 1, imported: 0 });
    expect((await m.extract()).sessions).toHaveLength(1);
    expect((await m.status()).waiting).toEqual({ own: 0, imported: 0 });
  });

  it('catches up on what hooks left, in a process that stays', async () => {
    setting(MANUAL);
    m = await open();
    await converse('ses_a', { time: '2026-01-10T10:00:00Z', text: 'I live in Munich.' });
    await m.close();
    fs.writeFileSync(
      path.join(home, 'mneme.yaml'),
      fs.readFileSync(path.join(home, 'mneme.yaml'), 'utf8').replace('manual', 'on_session_end'),
    );
    m = await open({ watch: true });
    await expect.poll(() => workspaceText(), { timeout: 30_000 }).toContain('lives in Munich');
  });
});

describe('what is taken back', () => {
  beforeEach(async () => {
    setting(MANUAL);
    m = await open();
    await converse('ses_a', KAFKA);
    await m.extract();
  });

  it('by the user is ended, dated, and can be had back', async () => {
    await converse('ses_b', { time: '2026-03-02T10:00:00Z', text: WITHOUT });
    const { sessions } = await m.extract();
    const [item] = sessions.flatMap(({ items }) => items);
    expect(item).toMatchObject({ action: 'retracted', replaced: [{ text: KAFKA.text }] });
    expect(workspaceText()).toMatch(/~~.*Kafka.*~~|status:reversed/u);
    expect(workspaceText()).toContain('2026-03-02');
    expect(
      (await m.recall('which message broker for the event pipeline?', { at: '2026-02-01' })).hits[0]?.text,
    ).toContain('Kafka');
    await m.rollback({ target: item?.mutation ?? '' });
    expect(workspaceText()).not.toMatch(/status:reversed/u);
  });

  it('by anybody else is proposed, as taking back and not as something new', async () => {
    await converse('ses_b', { role: 'agent', time: '2026-03-02T10:00:00Z', text: WITHOUT });
    const { sessions } = await m.extract();
    const [item] = sessions.flatMap(({ items }) => items);
    expect(item).toMatchObject({ action: 'proposed', replaced: [{ text: KAFKA.text }] });
    const proposal = fs.readFileSync(path.join(home, 'workspace', item?.path ?? ''), 'utf8');
    expect(proposal).toContain('take back');
    expect(proposal).not.toMatch(/^\+- .*won't use Kafka/mu);
    expect(proposal).toContain('status:reversed');
    expect(workspaceText()).not.toMatch(/status:reversed/u);
  });

  it('is nothing where nothing of it is known', async () => {
    await converse('ses_b', { time: '2026-03-02T10:00:00Z', text: 'Forget what I said about the trampoline.' });
    const { sessions } = await m.extract();
    expect(sessions.flatMap(({ items }) => items).filter(({ action }) => action !== 'skipped')).toEqual([]);
  });
});

describe('what a dry run shows', () => {
  it('tells what one new statement would do to another', async () => {
    setting(MANUAL);
    m = await open();
    await converse(
      'ses_a',
      { time: '2026-01-10T10:00:00Z', text: 'I live in Munich.' },
      { time: '2026-01-11T10:00:00Z', text: 'I moved to Berlin.' },
    );
    const { sessions } = await m.extract({ dryRun: true });
    expect(sessions.flatMap(({ items }) => items)).toMatchObject([
      { action: 'added', replaced: [] },
      { action: 'superseded', replaced: [{ text: expect.stringContaining('Munich') }] },
    ]);
    expect(workspaceText()).toBe('');
  });
});

describe('what is remembered again', () => {
  it('is noted where it stands instead of being added', async () => {
    m = await open({ actor: 'manual' });
    const first = await m.remember('The oven timer in the cabin runs two minutes fast.');
    const again = await m.remember('the oven timer in the cabin runs 2 minutes fast!');
    expect(again).toMatchObject({ id: first.id, path: first.path, startLine: first.startLine });
    expect(again.warnings.join(' ')).toContain('remembered before');
    expect(workspaceText().match(/oven timer/gu)).toHaveLength(1);
    expect(workspaceText()).toMatch(/verified:1 /u);
    const other = await m.remember('The oven timer in the cabin runs five minutes fast.');
    expect(other.id).not.toBe(first.id);
    const otherWords = await m.remember('The cabin’s oven timer runs two minutes fast.');
    expect(otherWords.id).not.toBe(first.id);
  });
});

describe('whose word it is', () => {
  it('an agent never claims the user’s', async () => {
    m = await open();
    const { warnings } = await m.remember('The cellar key hangs behind the door.', {
      trust: 'user',
      source: 'user-explicit',
    });
    expect(warnings.join(' ')).toContain('an agent’s word');
    const { hits } = await m.recall('cellar key');
    expect(hits[0]).toMatchObject({ trust: 'agent', provenance: { source: 'conversation' } });
  });

  it('a person may say less than their own', async () => {
    m = await open({ actor: 'manual' });
    const { path: file } = await m.remember('The cellar key hangs behind the door.', { trust: 'external' });
    expect(fs.readFileSync(path.join(home, 'workspace', file), 'utf8')).toContain('trust:external');
  });
});

describe('a request to remember', () => {
  it('is done when it is made, and not learned a second time in its own words', async () => {
    m = await open();
    await converse('ses_a', { time: '2026-01-10T10:00:00Z', text: 'Remember that our office is closed on Fridays.' });
    await m.close();
    expect(workspaceText('graph').match(/office is closed/gu)).toHaveLength(1);
    expect(workspaceText('graph')).not.toMatch(/remember that/iu);
  });
});

describe('bad input', () => {
  it('cannot leave the workspace, whatever an extractor names', async () => {
    const rogue: Extractor = {
      name: 'rogue plug-in',
      version: 1,
      find: async ({ conversation }) => ({
        by: 'rogue',
        notes: [],
        candidates: [
          {
            kind: 'fact',
            statement: 'Everything is permitted.',
            evidence: { session: conversation.session, turns: ['t1'], quote: 'x' },
            trust: 'user',
            saidMs: 0,
            confidence: 'high',
            importance: 1,
            subject: { name: '../../../escaped', type: 'project' },
            entities: [],
            relations: [],
            tags: [],
            isCoreWorthy: false,
          },
        ],
      }),
    };
    setting(MANUAL);
    m = await open({ extractors: [rogue] });
    await converse('ses_a', { time: '2026-01-10T10:00:00Z', text: 'hello' });
    const { sessions } = await m.extract();
    const [item] = sessions.flatMap(({ items }) => items);
    expect(item?.path ?? '').not.toContain('..');
    expect(fs.readdirSync(path.dirname(home)).filter((name) => name.includes('escaped'))).toEqual([]);
  });

  it('a clock that jumps back loses nothing and replaces nothing newer', async () => {
    setting(MANUAL);
    let now = Date.UTC(2026, 5, 1, 12);
    m = await open({ parts: { clock: { now: () => now } } });
    const first = await m.session.start({ id: 'ses_a', user: 'Ines' });
    await first.message('user', 'I live in Berlin.');
    now = Date.UTC(2020, 0, 1);
    await first.message('user', 'My sister Vera lives in Graz.');
    await first.end();
    const second = await m.session.start({ id: 'ses_b', user: 'Ines' });
    await second.message('user', 'I live in Munich.');
    await second.end();
    await m.extract();
    expect(workspaceText()).toContain('Graz');
    expect(workspaceText()).toMatch(/^- [^~]*Berlin/mu);
    expect(workspaceText()).not.toMatch(/^- ~~[^~]*Berlin/mu);
  });

  it('two processes that end one session learn from it once', async () => {
    m = await open();
    const other = await open();
    const [one, two] = await Promise.all([m.session.start({ id: 'ses_a' }), other.session.start({ id: 'ses_a' })]);
    await one.message('user', 'I live in Munich.');
    await two.message('user', 'My sister Vera lives in Graz.');
    await Promise.allSettled([one.end(), two.end()]);
    await Promise.all([m.close(), other.close()]);
    m = await open();
    await m.extract();
    expect(workspaceText('graph').match(/^- .*lives in Munich/gmu)).toHaveLength(1);
    expect(workspaceText('graph').match(/^- .*lives in Graz/gmu)).toHaveLength(1);
  });
});
