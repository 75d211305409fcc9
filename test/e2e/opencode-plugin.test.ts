import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionIdOf } from '../../src/exchange/import/session-writer.ts';
import { openMneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
}

interface Hooks {
  readonly 'chat.message': (
    input: { readonly sessionID: string },
    output: { readonly message: { readonly id: string }; readonly parts: readonly Part[] },
  ) => Promise<void>;
  readonly 'experimental.chat.system.transform': (
    input: { readonly sessionID: string },
    output: { readonly system: string[] },
  ) => Promise<void>;
  readonly event: (input: { readonly event: object }) => Promise<void>;
}

type Plugin = (
  input: { readonly client: object; readonly directory: string },
  options?: { readonly command: readonly string[] },
) => Promise<Hooks>;

const PLUGIN = path.resolve(import.meta.dirname, '../../plugins/opencode.js');

let home: string;
let messages: object[];
let logged: string[];

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  vi.stubEnv('MNEME_HOME', home);
  vi.stubEnv('MNEME_WORKER', 'off');
  messages = [];
  logged = [];
});

afterEach(() => vi.unstubAllEnvs());

/** As opencode loads it, from the given file. */
async function load(file = PLUGIN, options?: { readonly command: readonly string[] }): Promise<Hooks> {
  const { Mneme } = (await import(pathToFileURL(file).href)) as { readonly Mneme: Plugin };
  const client = {
    session: { messages: () => Promise.resolve({ data: messages }) },
    app: {
      log: ({ body }: { readonly body: { readonly message: string } }) => {
        logged.push(body.message);
        return Promise.resolve();
      },
    },
  };
  return Mneme({ client, directory: makeTemporaryFolder() }, options);
}

/** The user's message; resolves to what stands in the system prompt of the answer. */
async function ask(hooks: Hooks, sessionID: string, id: string, parts: readonly Part[]): Promise<string> {
  const system: string[] = [];
  messages.push({ info: { id, role: 'user', time: { created: 1_790_000_000_000 } }, parts });
  await hooks['chat.message']({ sessionID }, { message: { id }, parts });
  await hooks['experimental.chat.system.transform']({ sessionID }, { system });
  return system.join('\n');
}

async function answer(hooks: Hooks, sessionID: string, text: string): Promise<void> {
  const time = { created: 1_790_000_001_000, completed: 1_790_000_002_000 };
  messages.push({ info: { id: `${sessionID}-a`, role: 'assistant', time }, parts: [{ type: 'text', text }] });
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID } } });
}

describe('the plugin of opencode', () => {
  it('takes in what is said in one session and tells it in the next', async () => {
    const hooks = await load();
    const synthetic = { type: 'text', text: 'Contents of a file', synthetic: true };
    await ask(hooks, 's1', 'm1', [{ type: 'text', text: 'My sister Ottilie plays the bassoon.' }, synthetic]);
    await answer(hooks, 's1', 'How nice.');
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's1' } } });
    const memory = await openMneme({ home });
    const { turns } = await memory.session.transcript(sessionIdOf('opencode:s1'));
    await memory.close();
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'My sister Ottilie plays the bassoon.'],
      ['agent', 'How nice.'],
    ]);
    messages = [];
    const told = await ask(hooks, 's2', 'm2', [{ type: 'text', text: 'Which instrument does Ottilie play?' }]);
    expect(told).toContain('bassoon');
    expect(logged).toEqual([]);
  });

  it('uses the program and the home that the settings name', async () => {
    vi.stubEnv('MNEME_HOME', makeTemporaryFolder());
    const bin = path.resolve(import.meta.dirname, '../../bin/mneme');
    const hooks = await load(PLUGIN, { command: [process.execPath, bin, '--home', home] });
    await ask(hooks, 's1', 'm1', [{ type: 'text', text: 'My brother Anselm repairs clocks.' }]);
    await answer(hooks, 's1', 'How nice.');
    const memory = await openMneme({ home });
    const { turns } = await memory.session.transcript(sessionIdOf('opencode:s1'));
    await memory.close();
    expect(turns).toHaveLength(2);
    expect(logged).toEqual([]);
  });

  it('lets opencode answer without a memory, and says why', async () => {
    // Not in the package, and no program of that name on the PATH.
    const copy = path.join(makeTemporaryFolder(), 'mneme.js');
    fs.copyFileSync(PLUGIN, copy);
    fs.copyFileSync(path.resolve(PLUGIN, '../program.js'), path.join(path.dirname(copy), 'program.js'));
    vi.stubEnv('PATH', makeTemporaryFolder());
    const hooks = await load(copy);
    expect(await ask(hooks, 's1', 'm1', [{ type: 'text', text: 'Hello there' }])).toBe('');
    await answer(hooks, 's1', 'Hello.');
    expect(logged.join('\n')).toContain('mneme');
  });
});
