import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionIdOf } from '../../src/exchange/import/session-writer.ts';
import { openMneme } from '../../src/index.ts';
import { must } from '../../src/model/errors.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

interface Context {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: { readonly notify: (message: string) => void };
  readonly sessionManager: { readonly getSessionId: () => string };
}

type Handler = (event: object, context: Context) => Promise<{ message: { content: string } } | undefined>;

interface Tool {
  readonly name: string;
  readonly execute: (
    id: string,
    args: Readonly<Record<string, string>>,
    signal: undefined,
    onUpdate: undefined,
    context: Context,
  ) => Promise<{ readonly content: readonly { readonly text: string }[] }>;
}

const EXTENSION = path.resolve(import.meta.dirname, '../../plugins/pi.js');

let home: string;
let shown: string[];

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  vi.stubEnv('MNEME_HOME', home);
  vi.stubEnv('MNEME_WORKER', 'off');
  shown = [];
});

afterEach(() => vi.unstubAllEnvs());

/** The extension as pi loads it, with what pi would do at each moment of a session. */
class Pi {
  readonly #handlers = new Map<string, Handler>();
  readonly #tools = new Map<string, Tool>();
  readonly #context: Context;

  constructor(session: string) {
    this.#context = {
      cwd: makeTemporaryFolder(),
      hasUI: true,
      ui: { notify: (message) => void shown.push(message) },
      sessionManager: { getSessionId: () => session },
    };
  }

  static async start(session: string): Promise<Pi> {
    const pi = new Pi(session);
    const extension = (await import(pathToFileURL(EXTENSION).href)) as { readonly default: (pi: object) => void };
    extension.default({
      on: (event: string, handler: Handler) => pi.#handlers.set(event, handler),
      registerTool: (tool: Tool) => pi.#tools.set(tool.name, tool),
    });
    return pi;
  }

  async ask(prompt: string): Promise<string> {
    const result = await must(this.#handlers.get('before_agent_start'), 'the start')({ prompt }, this.#context);
    return result?.message.content ?? '';
  }

  async answer(...texts: readonly string[]): Promise<void> {
    const messages = texts.map((text) => ({ role: 'assistant', content: [{ type: 'text', text }] }));
    await must(this.#handlers.get('agent_end'), 'the end')({ messages }, this.#context);
  }

  async call(name: string, args: Readonly<Record<string, string>>): Promise<string> {
    const { content } = await must(this.#tools.get(name), name).execute(
      'c1',
      args,
      undefined,
      undefined,
      this.#context,
    );
    return must(content[0], name).text;
  }
}

describe('the extension of pi', () => {
  it('takes in what is said in one session and tells it in the next', async () => {
    const first = await Pi.start('one');
    await first.ask('My sister Ottilie plays the bassoon.');
    await first.answer('How nice.', 'Anything else?');
    const memory = await openMneme({ home });
    const { turns } = await memory.session.transcript(sessionIdOf('pi:one'));
    await memory.close();
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'My sister Ottilie plays the bassoon.'],
      ['agent', 'How nice.\n\nAnything else?'],
    ]);
    const second = await Pi.start('two');
    expect(await second.ask('Which instrument does Ottilie play?')).toContain('bassoon');
    expect(shown).toEqual([]);
  });

  it('gives the model tools, whose texts are never taken for options', async () => {
    const pi = await Pi.start('one');
    await pi.call('memory_write', { text: '--home: the ferry Orbit lies at berth 7' });
    expect(await pi.call('memory_search', { query: '--home ferry Orbit' })).toContain('berth 7');
    expect(shown).toEqual([]);
  });

  it('lets pi answer without a memory, and says why once', async () => {
    vi.stubEnv('MNEME_HOME', path.join(home, 'gone'));
    const pi = await Pi.start('one');
    expect(await pi.ask('Hello there')).toBe('');
    await pi.answer('Hello.');
    expect(await pi.call('memory_write', { text: 'Something' })).toMatch(/^NOT remembered/u);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.join('\n')).toMatch(/home/u);
  });
});
