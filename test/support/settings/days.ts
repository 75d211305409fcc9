import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { stringify } from 'yaml';
import { answerHook } from '../../../src/interfaces/hooks/answer-hook.ts';
import { parseHookInput } from '../../../src/interfaces/hooks/hook-input.ts';
import { hookAgent } from '../../../src/runtime/connect/hook-agents.ts';
import { HookHome } from '../../../src/interfaces/hooks/hook-home.ts';
import { openMneme } from '../../../src/index.ts';
import { initTestHome, makeTemporaryFolder, readWorkspaceFile, writeWorkspaceFile } from '../home.ts';
import { startModelServer } from '../provider-server.ts';
import { inHome } from './homes.ts';
import type { Observe } from './parts.ts';

const claude = hookAgent('claude-code');

export const backupsKept = inHome(async (mneme) => {
  for (let count = 0; count < 2; count += 1) {
    await mneme.backup.create();
    // Backups of the same second have the same name.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return (await mneme.backup.list()).length;
});

/** What became of transcripts and chain when the memory was exchanged. */
export const exchanged = inHome(async (mneme) => {
  const remote = makeTemporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  await mneme.remember('Remember for good: Ada likes tea.');
  const { repositories } = await mneme.sync({ remote });
  return repositories.map(({ repository, problem }) => `${repository}: ${problem === null ? 'no problem' : 'failed'}`);
});

/** What a recall says of a service that never answers. */
export const unanswered: Observe = async (_config, yaml) => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  const before = await openMneme({ home, actor: 'manual' });
  for (const place of ['mill', 'church', 'bridge'])
    await before.remember(`A hive of the bees stands behind the ${place}.`);
  await before.close();
  const service = await startModelServer(() => '{}');
  for (let count = 0; count < 9; count += 1) service.faults.push('silence');
  vi.stubEnv('MNEME_LLM_API_KEY', 'key');
  const settings = `  provider: openai-compatible\n  base_url: ${service.url}/v1\n  small_model: local\n`;
  const text = yaml.replace('reasoner:\n', `reasoner:\n${settings}`);
  fs.writeFileSync(path.join(home, 'mneme.yaml'), `${text}${stringify({ search: { rerank: true } })}`);
  const mneme = await openMneme({ home, actor: 'manual' });
  try {
    return (await mneme.recall('Where do the hives of the bees stand?')).notes;
  } finally {
    await mneme.close();
    await service.close();
  }
};

export const oldTranscript = inHome(async (mneme, home) => {
  const file = path.join(home, 'raw', 'conversations', '2024', '01', '10', 'ses_old.md');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '---\nsession_id: ses_old\n---\n\n## user\n\nHello.\n');
  return mneme.archive.pack({ dryRun: true });
});

export const faded = inHome(async (mneme, home) => {
  const facts = '## Facts\n\n- Owned a green lamp. <!-- source:conversation learned:2023-01-10 -->\n';
  writeWorkspaceFile(
    home,
    'memory/graph/entities/person--alex.md',
    `---\nid: person--alex\ntype: person\n---\n\n# Alex\n\n${facts}`,
  );
  await mneme.internals.workspace.scan();
  return (await mneme.decay.run()).outcome;
});

/** Whether a hook adds to the prompt, and what is known when it has answered. */
export function hooked(event: 'UserPromptSubmit' | 'PreCompact'): Observe {
  return async (_config, yaml) => {
    const home = makeTemporaryFolder();
    await initTestHome(home);
    fs.writeFileSync(path.join(home, 'mneme.yaml'), yaml);
    const mneme = await openMneme({ home, actor: 'manual' });
    await mneme.remember('The hives of the bees stand behind the mill.');
    await mneme.close();
    const log = path.join(makeTemporaryFolder(), 'a0000000-0000-4000-8000-000000000001.jsonl');
    fs.writeFileSync(log, `${JSON.stringify(SAID)}\n`);
    const input = { transcript_path: log, cwd: home, prompt: 'Where do the hives of the bees stand?' };
    const hookHome = await HookHome.open(home);
    try {
      const answer = await answerHook(parseHookInput(JSON.stringify(input), event, claude), hookHome, true);
      const user = 'memory/graph/entities/person--user.md';
      return [answer?.context?.includes('mill'), readWorkspaceFile(home, user).includes('Graz')];
    } finally {
      await (await hookHome.openToWrite()).close();
    }
  };
}

const SAID = {
  type: 'user',
  uuid: 'b0000000-0000-4000-8000-000000000001',
  sessionId: 'a0000000-0000-4000-8000-000000000001',
  timestamp: '2026-11-18T10:00:00.000Z',
  message: { role: 'user', content: 'I live in Graz.' },
};
