import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestCli } from '../../../test/support/cli.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { HOOK_EVENTS } from '../../runtime/connect/hook-agents.ts';
import { findAllowedMs, runHook } from './run-hook.ts';

async function* wholeInput(event: string): AsyncGenerator<Uint8Array> {
  const text = JSON.stringify({ session_id: 'x', hook_event_name: event, transcript_path: '/none.jsonl' });
  yield Promise.resolve(Buffer.from(text));
}

async function* endlessInput(event: string): AsyncGenerator<Uint8Array> {
  yield* wholeInput(event);
  await new Promise(() => undefined);
}

/** The output of a hook when its program took this long to start. */
async function answer(
  home: string,
  elapsedMs: number,
  { event = 'Stop', input = wholeInput(event) }: { event?: string; input?: AsyncGenerator<Uint8Array> } = {},
): Promise<string> {
  let said = '';
  const say = (text: string): Promise<void> => {
    said += text;
    return Promise.resolve();
  };
  await runHook({ home, agent: 'claude-code', event }, { input, out: say, err: say, elapsedMs: () => elapsedMs });
  return said;
}

describe('a hook on a machine that is slow to start programs', () => {
  it('gives up when its time is over before it has begun', async () => {
    const cli = new TestCli();
    await cli.init();
    const said = await answer(cli.home, 5000, { input: endlessInput('Stop') });
    expect(said).toContain('given up after 2000 ms (hooks.timeout_ms) while waiting for standard input;');
    expect(said).not.toContain('index sync');
  });

  it('goes on when the home allows for that', async () => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('config', 'set', 'hooks.timeout_ms', '60000');
    expect(await answer(cli.home, 5000)).not.toContain('given up');
  });
});

it.each(HOOK_EVENTS)('a %s hook without a home says how to make one', async (event) => {
  const nowhere = path.join(makeTemporaryFolder(), 'none');
  // Before its beginning, so that there is time enough on any machine.
  const said = await answer(nowhere, -600_000, { event });
  expect(said).toMatch(/^mneme: \w+ hook: .*is not a Mneme home.*mneme init.*\n$/u);
});

describe('the time the settings allow', () => {
  const allowedBy = (text: string): number | undefined => {
    const home = makeTemporaryFolder();
    fs.writeFileSync(path.join(home, 'mneme.yaml'), text);
    return findAllowedMs(home);
  };

  it('is found in the section of its own', () => {
    expect(allowedBy('format: 1\nhooks:\n  timeout_ms: 700\n')).toBe(700);
    expect(allowedBy('hooks: # of agents\n  inject_context: false\n\n  timeout_ms: 700 # slow\ngate:\n')).toBe(700);
    expect(allowedBy('gate:\n  timeout_ms: 700\n')).toBeUndefined();
    expect(allowedBy('hooks:\n  inject_context: false\ngate:\n  timeout_ms: 700\n')).toBeUndefined();
    expect(allowedBy('# hooks:\n#   timeout_ms: 700\n')).toBeUndefined();
  });

  it('is unknown where there is no home', () => {
    expect(findAllowedMs(path.join(makeTemporaryFolder(), 'none'))).toBeUndefined();
  });
});
