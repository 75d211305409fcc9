import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';
import type { ModelRequest } from '../../test/support/model-wire.ts';
import { startModelServer, type ModelServer } from '../../test/support/provider-server.ts';

let home: string;
let server: ModelServer;

/** Knows nothing by itself: what it answers, it was told. */
function model({ system, messages }: ModelRequest): string {
  const message = messages.at(-1)?.text ?? '';
  if (message.includes('I am allergic')) return 'I will keep that in mind.';
  return `${system}${message}`.includes('allergic to walnuts') ? 'No walnuts in it for you.' : 'Any cake will do.';
}

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  server = await startModelServer(model);
});

afterEach(() => server.close());

function run(name: string, message: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    MNEME_HOME: home,
    MODEL_URL: `${server.url}/v1`,
    MODEL_KEY: 'key',
    MODEL: 'small',
    MASTRA_TELEMETRY_DISABLED: '1',
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, name), message], { env });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.once('close', (code) => resolve({ code, out }));
  });
}

describe.each(['langgraph.ts', 'openai-agents.ts', 'mastra.ts'])('examples/frameworks/%s', (name) => {
  it('remembers in one run and knows in the next', async () => {
    expect(await run(name, 'Which cake should I bake?')).toEqual({ code: 0, out: 'Any cake will do.\n' });
    await run(name, 'I am allergic to walnuts.');
    expect(await run(name, 'Which cake should I bake?')).toEqual({ code: 0, out: 'No walnuts in it for you.\n' });
  });
});
