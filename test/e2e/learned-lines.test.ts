import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { blame } from '../../src/operations/history/blame.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { parseEntity } from '../../src/workspace/formats/entity.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';
import { initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';
import { measureLearnedLines } from '../support/learned-lines.ts';

const INES = 'memory/graph/entities/person--ines.md';

const MUNICH =
  '- Ines lives in Munich. <!-- category:person source:auto trust:user importance:0.66 confidence:high time:2026-01-10T10:00:00.000Z from:2026-01-10 learned:2026-01-10 session:ses_old turn:t1 evidence:[ses_old#t1] tags:[ines, lives, munich] extractor:people@1 mood:glad attribute:residence value:Munich --> ^ta9c6hvz7kmng';
const CELLO =
  '- Ines plays the cello. <!-- category:person source:auto trust:user importance:0.6 confidence:high time:2026-01-10T10:01:00.000Z learned:2026-01-10 session:ses_old turn:t2 evidence:[ses_old#t2] tags:[ines, plays, cello] extractor:people@1 --> ^x4dvmpdp8nm2c';
const OLD_PAGE = `---
id: person--ines
type: person
name: Ines
aliases: []
tags: [user]
---

# Ines

## Facts

${MUNICH}
${CELLO}
`;

let home: string;
let m: Mneme;
let nowMs = 0;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  // Learned from when the test says so.
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
});
afterEach(() => m.close());

async function converse(id: string, time: string, ...said: readonly string[]): Promise<void> {
  nowMs = Date.parse(time);
  const project = id.startsWith('harbor') ? { project: 'harbor' } : {};
  const session = await m.session.start({ id, user: 'Ines', ...project });
  for (const text of said) await session.message('user', text, { time });
  await session.end();
}

async function live(id: string, time: string, ...said: readonly string[]): Promise<void> {
  await converse(id, time, ...said);
  await m.extract({ sessions: [id] });
}

const textOf = (file: string): string => fs.readFileSync(path.join(home, 'workspace', file), 'utf8');
const factsOf = (text: string) => parseEntity(parseDocument(text), INES).facts;

// SPEC FILE-5
describe('lines that are learned', () => {
  it('carry 60 characters of metadata in the mean and 120 at most', async () => {
    const clock = { now: () => nowMs };
    m = await openMneme({ home, actor: 'manual', parts: { clock } });
    await live(
      'ses_a',
      '2026-01-10T10:00:20Z',
      'By the way, I live in Munich.',
      'My brother Max is allergic to nuts.',
      'My sister Vera lives in Graz.',
    );
    await live('harbor_b', '2026-02-10T10:00:40Z', 'The API listens on port 8443.', 'We never deploy on Fridays.');
    await live('harbor_c', '2026-02-12T10:00:00Z', 'We decided to use Postgres 16 for the ledger.');
    await live(
      'ses_e',
      '2026-02-20T10:00:00Z',
      'Biscuit needs her heart pills every morning.',
      'Maria is our accountant.',
      'Maria is vegetarian.',
    );
    await live(
      'ses_d',
      '2026-03-02T10:00:00Z',
      'I moved to Berlin.',
      'Please remember that I am allergic to penicillin.',
    );
    const figures = measureLearnedLines(path.join(home, 'workspace'));
    expect(figures.lines).toBeGreaterThan(8);
    expect(figures.meanCharacters).toBeLessThanOrEqual(60);
    expect(figures.longestCharacters).toBeLessThanOrEqual(120);
  });

  it('of older files are read as they are and shortened when they change', async () => {
    writeWorkspaceFile(home, INES, OLD_PAGE);
    m = await openMneme({ home, actor: 'manual' });
    await m.status();
    await converse('ses_new', '2026-03-02T10:00:00Z', 'I moved to Berlin.');
    const { sessions } = await m.extract({});
    const [item] = sessions.flatMap(({ items }) => items);
    expect(item?.action).toBe('superseded');

    const page = textOf(INES);
    const [before] = factsOf(OLD_PAGE);
    const [munich, , berlin] = factsOf(page);
    expect(page).toContain(CELLO);
    expect(page).toMatch(
      /^- ~~Ines lives in Munich\.~~ \(until 2026-03-02\) <!-- person 0\.66 2026-01-10T10:00 ses_old#t1 \+\w+ residence=Munich mood:glad -->/mu,
    );
    expect(munich?.meta).toEqual({ ...before?.meta, until: '2026-03-02', superseded_by: berlin?.id });
    expect(munich?.meta['mood']).toBe('glad');

    const { lines } = await runOperation(blame, m.internals, { path: INES });
    expect(lines.find(({ text }) => text.includes('Berlin'))?.mutation).toBe(item?.mutation);
    await m.rollback({ target: item?.mutation ?? '' });
    expect(textOf(INES)).toContain(`${MUNICH}\n${CELLO}`);
  });
});
