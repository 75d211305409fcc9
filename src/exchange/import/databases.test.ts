import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ImportHome } from '../../../test/support/imports.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { detectSource } from './detect.ts';

/** The tables of opencode 1.18 that sessions are in, with the columns that carry them. */
const OPENCODE = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
`;

/** Those of OpenClaw 2026.9. */
const OPENCLAW = `
  CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, updated_at INTEGER NOT NULL,
    transcript_updated_at INTEGER, spawned_by TEXT, hook_external_content_source TEXT);
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, event_zstd BLOB,
    event_utf8_bytes INTEGER, PRIMARY KEY (session_id, seq));
`;

const START_MS = Date.UTC(2026, 2, 4, 10, 15);

class OpencodeFolder {
  readonly folder = makeTemporaryFolder();
  readonly database = new DatabaseSync(path.join(this.folder, 'opencode.db'));
  #count = 0;

  constructor() {
    this.database.exec(OPENCODE);
  }

  session(id: string, parent: string | null = null, title = 'Berths'): void {
    this.database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)')
      .run(id, parent, '/home/ada/ferry', title, START_MS);
  }

  say(session: string, info: object, ...parts: readonly object[]): string {
    this.#count += 1;
    const id = `msg_${String(this.#count).padStart(3, '0')}`;
    const created = START_MS + this.#count * 1000;
    const data = JSON.stringify({ time: { created, completed: created }, modelID: 'sonnet', ...info });
    this.database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, session, created, data);
    for (const [at, part] of parts.entries()) {
      const insert = this.database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)');
      insert.run(`${id}-${at}`, id, session, created, JSON.stringify(part));
    }
    this.database.prepare('UPDATE session SET time_updated = ? WHERE id = ?').run(created, session);
    return id;
  }
}

const user = { role: 'user' };
const assistant = { role: 'assistant' };
const text = (words: string): object => ({ type: 'text', text: words });

describe('sessions of opencode', () => {
  it('are read with their tool calls, without sub-agents and what the program put in', async () => {
    const source = new OpencodeFolder();
    source.session('ses_1');
    source.session('ses_2', 'ses_1');
    source.say('ses_1', user, text('Which berth?'), { ...text('<file>'), synthetic: true });
    const state = { status: 'completed', input: { filePath: '/home/ada/ferry/berths.txt' }, output: 'ferry: 7' };
    source.say('ses_1', assistant, text('I look it up.'), { type: 'tool', callID: 'c1', tool: 'read', state });
    source.say('ses_1', assistant, text('Berth 7.'));
    source.say('ses_1', { ...assistant, summary: true }, text('They talked about berths.'));
    source.say('ses_2', user, text('A sub-agent’s task'));
    const home = await ImportHome.make();
    const { skipped } = await home.import({ from: 'opencode', path: source.folder });
    const [written = ''] = home.transcripts().values();
    expect(home.transcripts().size).toBe(1);
    expect(written).toMatch(/topic: Berths\nproject: ferry/u);
    expect(written).toContain('I look it up.\n\n> [tool:read] filePath: berths.txt → ferry: 7\n\nBerth 7.');
    expect(written).not.toMatch(/<file>|They talked/u);
    expect(skipped.map(({ why }) => why).toSorted()).toEqual(['a compaction summary', 'a sub-agent’s']);
  });

  it('go on where the last import ended; an answer that is being written waits', async () => {
    const source = new OpencodeFolder();
    source.session('ses_1');
    source.say('ses_1', user, text('One'));
    source.say('ses_1', assistant, text('Two'));
    const home = await ImportHome.make();
    await home.import({ from: 'opencode', path: source.folder });
    expect((await home.import({ from: 'opencode', path: source.folder })).turns).toBe(0);
    source.say('ses_1', user, text('Three'));
    const open = source.say('ses_1', { ...assistant, time: { created: START_MS } }, text('Half of'));
    expect((await home.import({ from: 'opencode', path: source.folder })).turns).toBe(1);
    const done = JSON.stringify({ ...assistant, time: { created: START_MS + 9000, completed: START_MS + 9500 } });
    source.database.prepare('UPDATE message SET data = ? WHERE id = ?').run(done, open);
    source.database.prepare('UPDATE session SET time_updated = time_updated + 1').run();
    expect((await home.import({ from: 'opencode', path: source.folder })).turns).toBe(1);
    expect(home.text()).toContain('Half of');
  });

  it('that were rewritten are read again, and nothing is taken over twice', async () => {
    const source = new OpencodeFolder();
    source.session('ses_1');
    source.say('ses_1', user, text('One'));
    const taken = source.say('ses_1', assistant, text('Two'));
    const home = await ImportHome.make();
    await home.import({ from: 'opencode', path: source.folder });
    source.database.prepare('DELETE FROM message WHERE id = ?').run(taken);
    source.say('ses_1', assistant, text('Another two'));
    expect((await home.import({ from: 'opencode', path: source.folder })).turns).toBe(1);
    expect(home.text()).toContain('Another two');
  });

  it('in a form that is not known are told of and left', async () => {
    const folder = makeTemporaryFolder();
    new DatabaseSync(path.join(folder, 'opencode.db')).exec('CREATE TABLE other (id TEXT)');
    const home = await ImportHome.make();
    const { skipped } = await home.import({ from: 'opencode', path: folder });
    expect(skipped).toMatchObject([{ what: 'database', why: expect.stringContaining('no such table') as string }]);
  });
});

function openclawFolder(): { readonly folder: string; readonly database: DatabaseSync } {
  const folder = makeTemporaryFolder();
  const agent = path.join(folder, 'agents', 'main', 'agent');
  fs.mkdirSync(agent, { recursive: true });
  const database = new DatabaseSync(path.join(agent, 'openclaw-agent.sqlite'));
  database.exec(OPENCLAW);
  return { folder, database };
}

function addEvents(database: DatabaseSync, id: string, events: readonly object[], key = 'agent:main:main'): void {
  const [spawned, hook] = [key.includes('spawned') ? 'agent:main:main' : null, key.includes('hook') ? 'gmail' : null];
  database.prepare('INSERT INTO session_windows VALUES (?, ?, ?, ?, ?, ?)').run(id, key, START_MS, null, spawned, hook);
  for (const [seq, event] of events.entries()) {
    const json = JSON.stringify(event);
    // OpenClaw packs what is long.
    const packed = seq % 2 === 0 ? null : zlib.zstdCompressSync(json);
    const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?)');
    insert.run(id, seq, packed === null ? json : null, packed, Buffer.byteLength(json));
  }
}

function message(id: string, role: string, words: string): object {
  const timestamp = new Date(START_MS).toISOString();
  return { type: 'message', id, timestamp, message: { role, content: [{ type: 'text', text: words }], model: 'm' } };
}

describe('sessions of OpenClaw’s database', () => {
  const events = [
    { type: 'session', version: 4, id: 's', cwd: '/home/ada/ferry' },
    message('m1', 'user', 'Which berth?'),
    message('m2', 'assistant', 'Berth 7.'),
  ];

  it('are read like its logs, packed or not, once where both are there', async () => {
    const { folder, database } = openclawFolder();
    addEvents(database, 'aaaa-1111', events);
    addEvents(database, 'bbbb-2222', events, 'agent:main:spawned');
    addEvents(database, 'cccc-3333', events, 'agent:main:hook');
    fs.mkdirSync(path.join(folder, 'agents/main/sessions'));
    const log = events.map((event) => JSON.stringify(event)).join('\n');
    fs.writeFileSync(path.join(folder, 'agents/main/sessions/aaaa-1111.jsonl'), `${log}\n`);
    const home = await ImportHome.make();
    const { sessions, turns, skipped } = await home.import({ from: 'openclaw', path: folder });
    expect([sessions, turns]).toEqual([1, 2]);
    expect(home.text()).toMatch(/Which berth\?[\s\S]*Berth 7\./u);
    expect(skipped.map(({ why }) => why).toSorted()).toEqual(['a sub-agent’s', 'begun by a mail or a webhook']);
    expect((await home.import({ from: 'openclaw', path: folder })).turns).toBe(0);
  });
});

it('a database is told by its tables', async () => {
  const { folder } = openclawFolder();
  const stored = path.join(folder, 'agents/main/agent/openclaw-agent.sqlite');
  const renamed = path.join(folder, 'copy');
  fs.copyFileSync(path.join(new OpencodeFolder().folder, 'opencode.db'), renamed);
  expect([await detectSource(stored), await detectSource(renamed)]).toMatchObject([
    { from: 'openclaw' },
    { from: 'opencode' },
  ]);
});
