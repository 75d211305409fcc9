import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { Sessions, type SessionsHome } from '../../capture/sessions.ts';
import { openMneme, type Mneme } from '../../mneme.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { findPendingLogs } from '../../exchange/import/survey.ts';
import { captureLog } from '../../operations/session/capture-log.ts';

const ID = 'f6f6f6f6-0000-4000-8000-000000000006';
let mneme: Mneme;
let userHome: string;
let log: string;

beforeEach(async () => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  mneme = await openMneme({ home });
  userHome = makeTemporaryFolder();
  const folder = path.join(userHome, '.claude', 'projects', '-home-mira-lantern');
  fs.mkdirSync(folder, { recursive: true });
  log = path.join(folder, `${ID}.jsonl`);
  const lines = Array.from({ length: 8 }, (_, at) => {
    const type = at % 2 === 0 ? 'user' : 'assistant';
    const message = { role: type, content: `Saying ${at} about the lantern` };
    const timestamp = `2026-03-02T09:0${at}:00.000Z`;
    return JSON.stringify({ type, uuid: `u-${at}`, sessionId: ID, cwd: '/home/mira/lantern', timestamp, message });
  });
  fs.writeFileSync(log, `${lines.join('\n')}\n`);
});
afterEach(() => mneme.close());

/** Captures, and is stopped before the saying of this number, as by a hook whose time is over. */
async function capture(stopAt?: number): Promise<void> {
  const { workspace, clock, random } = mneme.internals;
  const { paths, redactor } = workspace;
  const stopping = Object.create(redactor, {
    redact: {
      value: (text: string) => {
        if (text.includes(`Saying ${stopAt} `)) throw new Error('stopped here');
        return redactor.redact(text);
      },
    },
  }) as typeof redactor;
  const home: SessionsHome = {
    paths,
    clock,
    random,
    fs: nodeFileSystem,
    timeZone: 'UTC',
    redactor: stopping,
    commit: (request) => workspace.commit(request),
  };
  const sessions = new Sessions(home);
  try {
    await captureLog(home, sessions, { file: log });
  } finally {
    sessions.close();
  }
}

const pending = (): number =>
  findPendingLogs(mneme.internals.workspace.paths, { userHome }).reduce((sum, { sessions }) => sum + sessions, 0);

it('a log waits when it was captured in part, and an import completes it without saying anything twice', async () => {
  expect(pending()).toBe(1);
  await expect(capture(5)).rejects.toThrow('stopped here');
  expect(pending()).toBe(1);
  await mneme.import({ from: 'claude-code', path: path.dirname(log) });
  expect(pending()).toBe(0);
  await capture();
  const raw = path.join(mneme.internals.workspace.paths.repositories.raw.workTree, 'conversations');
  const names = fs.readdirSync(raw, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const text = names.map((name) => fs.readFileSync(path.join(raw, name), 'utf8')).join('\n');
  const said = text.match(/^Saying \d about the lantern$/gmu)?.toSorted();
  expect(said).toEqual(Array.from({ length: 8 }, (_, at) => `Saying ${at} about the lantern`));
});

it('a log that was captured to its end does not wait', async () => {
  await capture();
  expect(pending()).toBe(0);
});
