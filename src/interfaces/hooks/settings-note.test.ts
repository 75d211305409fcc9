import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { parseHookInput } from './hook-input.ts';
import { hookAgent } from '../../runtime/connect/hook-agents.ts';
import { HookHome } from './hook-home.ts';
import { findSettingsNote } from './work.ts';

async function makeHome(): Promise<string> {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  await HookHome.open(home);
  return home;
}

async function noteOf(home: string, event: string, log = '/logs/one.jsonl'): Promise<string | undefined> {
  const input = parseHookInput(JSON.stringify({ transcript_path: log }), event, hookAgent('claude-code'));
  return findSettingsNote(input, await HookHome.open(home));
}

describe('broken settings', () => {
  it('are told once in a session, with what is in effect and what to do', async () => {
    const home = await makeHome();
    expect(await noteOf(home, 'Stop')).toBeUndefined();
    fs.writeFileSync(path.join(home, 'mneme.yaml'), 'format: [broken\n  - \t');
    expect(await noteOf(home, 'UserPromptSubmit')).toMatch(
      /mneme\.yaml cannot be read; in effect.*mneme config check/u,
    );
    expect(await noteOf(home, 'Stop')).toBeUndefined();
    expect(await noteOf(home, 'Stop', '/logs/two.jsonl')).toContain('mneme.yaml');
  });

  it('are told again when something else is broken', async () => {
    const home = await makeHome();
    const file = path.join(home, 'mneme.yaml');
    const good = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, `${good}\nhooks:\n  timeout_ms: soon\n`);
    expect(await noteOf(home, 'Stop')).toContain('timeout_ms');
    fs.writeFileSync(file, 'format: [broken\n  - \t');
    expect(await noteOf(home, 'Stop')).toContain('cannot be read');
  });
});
