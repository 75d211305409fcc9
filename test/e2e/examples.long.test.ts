import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import type { ModelRequest } from '../support/model-wire.ts';
import { startModelServer, type ModelServer } from '../support/provider-server.ts';

const root = path.resolve(import.meta.dirname, '../..');

let cli: TestCli;
let server: ModelServer;
let asked: ModelRequest[];

/** Knows nothing by itself: whatever it answers, it was told. */
function model(request: ModelRequest): string {
  asked.push(request);
  const message = request.messages.at(-1)?.text ?? '';
  // What is remembered may stand above it.
  const words = message.slice(message.lastIndexOf('\n') + 1);
  if (words.includes('allergic')) return 'I will keep that in mind.\nRemember: The user is allergic to walnuts.';
  if (message.includes('What did I just say')) {
    return /user: I am allergic to walnuts/u.test(request.system) ? 'That you are allergic.' : 'I did not hear it.';
  }
  return `${request.system}${message}`.includes('allergic to walnuts')
    ? 'No walnuts in it for you.'
    : 'Any cake will do.';
}

beforeEach(async () => {
  asked = [];
  cli = new TestCli();
  await cli.init();
  server = await startModelServer(model);
});

afterEach(() => server.close());

/** The example as somebody would run it: a process of its own for every conversation. */
function converse(...messages: string[]): Promise<Ended> {
  return runExample('agent-loop.ts', messages);
}

function runExample(name: string, messages: readonly string[]): Promise<Ended> {
  return runProgram(path.join(root, 'examples', name), messages);
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function runProgram(program: string, args: readonly string[], cwd = process.cwd()): Promise<Ended> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      MNEME_HOME: cli.home,
      MODEL_URL: `${server.url}/v1`,
      MODEL_KEY: 'key',
      MODEL: 'small',
    };
    const child = spawn(process.execPath, [program, ...args], { cwd, env });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk;
    });
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

describe('examples/agent-loop.ts', () => {
  it('remembers from one session to the next', async () => {
    const untaught = await converse('Which cake should I bake?');
    expect(untaught.out).toContain('agent  Any cake will do.');

    const first = await converse('I am allergic to walnuts.', 'What did I just say?');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toBe(
      'you    I am allergic to walnuts.\nagent  I will keep that in mind.\n' +
        'you    What did I just say?\nagent  That you are allergic.\n',
    );

    const second = await converse('Which cake should I bake?');
    expect(second.out).toContain('agent  No walnuts in it for you.');
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 1]);

    const memory = await openMneme({ home: cli.home });
    const { hits } = await memory.recall('allergic walnuts', { limit: 10 });
    await memory.close();
    expect(hits.map(({ store }) => store)).toContain('episodic');
    expect(hits.filter(({ text }) => text.includes('The user is allergic to walnuts.'))).not.toEqual([]);
    expect(hits.some(({ path: file }) => file.startsWith('conversations/'))).toBe(true);
  });

  it('says what went wrong with the model, and keeps the home in order', async () => {
    server.faults.push({ status: 500 });
    const failed = await converse('Hello?');
    expect(failed.code).not.toBe(0);
    expect(failed.err).toContain('The model answered with 500');
    expect((await cli.run(['check'])).code).toBe(0);
  });

  it('says in two lines that there is no home, and what to do', async () => {
    cli = new TestCli();
    const { code, out, err } = await converse('Hello?');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/is not a Mneme home[^\n]*\n[^\n]*mneme init[^\n]*\n$/u);
  });
});

describe('docs/adapters.md', () => {
  it('is a program that runs', async () => {
    const page = fs.readFileSync(path.join(root, 'docs/adapters.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map((match) => match[1] ?? '');
    const source = (file: string): string => pathToFileURL(path.join(root, 'src', file)).href;
    const program = blocks
      .join('\n')
      .replaceAll("from 'mneme'", `from '${source('index.ts')}'`)
      .replaceAll(
        /from 'mneme\/(.+)'/gu,
        (_whole, name: string) => `from '${source(`interfaces/adapters/${name}.ts`)}'`,
      );
    const folder = makeTemporaryFolder();
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    fs.writeFileSync(path.join(folder, 'page.ts'), program);
    expect(await runProgram(path.join(folder, 'page.ts'), [], folder)).toEqual({ code: 0, out: '', err: '' });
    expect(blocks.length).toBeGreaterThan(2);
  });
});

describe('examples/ai-sdk.ts', () => {
  it('remembers in one run and knows in the next', async () => {
    expect(await runExample('ai-sdk.ts', ['Which cake should I bake?'])).toEqual({
      code: 0,
      out: 'Any cake will do.\n',
      err: '',
    });
    await runExample('ai-sdk.ts', ['I am allergic to walnuts.']);
    const { out } = await runExample('ai-sdk.ts', ['Which cake should I bake?']);
    expect(out).toBe('No walnuts in it for you.\n');
  });
});
