import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Loopback } from '../../test/programs/loopback.ts';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';

/** The program that the SDK starts: `npm run test:programs claude-code` installs it. */
const CLAUDE = path.join(import.meta.dirname, '../../test/programs/packages/claude-code/node_modules/.bin/claude');

let home: string;
let loopback: Loopback;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  loopback = await Loopback.start();
});

afterEach(() => loopback.stop());

/** The example as somebody would run it. */
function run(prompt: string): Promise<string> {
  const user = makeTemporaryFolder();
  const env = {
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    HOME: user,
    MNEME_HOME: home,
    CLAUDE,
    ANTHROPIC_BASE_URL: loopback.url,
    ANTHROPIC_API_KEY: 'loopback',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'claude-agent-sdk.ts'), prompt], {
      cwd: user,
      env,
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => void (out += chunk.toString('utf8')));
    child.once('close', () => resolve(out));
  });
}

describe.skipIf(!fs.existsSync(CLAUDE))('an agent of the Claude Agent SDK', () => {
  it('knows in the next run what it heard in one, and finds it by a tool', async () => {
    await run('My sister Ottilie plays the bassoon in the orchestra of Bergen.');
    const since = loopback.requests.length;
    expect(await run('Which instrument does my sister Ottilie play?')).toContain('That is noted');
    expect(loopback.wasTold('bassoon', since)).toBe(true);
    expect(await run('CALL TOOL memory_search please')).toMatch(/The tool says:.*bassoon/u);
  }, 360_000);
});
