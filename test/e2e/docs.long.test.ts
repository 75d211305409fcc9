import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { listPages, listSnippets, type Snippet } from '../support/pages.ts';
import { startWarmCli, type WarmCli } from '../support/warm-cli/start.ts';

/** The blocks of a page in a language, each a story of its own. */
function blocks(page: string, language: string): Snippet[] {
  return listSnippets(page).filter((snippet) => snippet.language === language);
}

let cli: WarmCli;

beforeAll(async () => {
  cli = await startWarmCli();
});

afterAll(() => cli.stop());

function runShell(script: string): { readonly output: string; readonly status: number | null } {
  const folder = makeTemporaryFolder();
  const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    // What a page connects must not be connected in the home of whoever runs the tests.
    env: {
      ...process.env,
      ...cli.environment,
      HOME: folder,
      USERPROFILE: folder,
      MNEME_HOME: path.join(folder, 'home'),
    },
  });
  return { output: `${stdout}${stderr}`, status };
}

describe.each(listPages().filter((page) => blocks(page, 'sh').length > 0))('%s', (page) => {
  it.each(blocks(page, 'sh').map(({ number, text }) => [number, text] as const))('block %i runs', (_number, script) => {
    const { output, status } = runShell(script);
    expect(output).not.toMatch(/^error/mu);
    expect(status).toBe(0);
  });
});

describe.each(listPages().filter((page) => blocks(page, 'yaml').length > 0))('%s', (page) => {
  it.each(blocks(page, 'yaml').map(({ number, text }) => [number, text] as const))(
    'yaml block %i is a valid mneme.yaml',
    (_number, text) => {
      const { output, status } = runShell(
        `mneme init --yes\ncat > "$MNEME_HOME/mneme.yaml" <<'END'\n${text}END\nmneme config check`,
      );
      expect(output).not.toMatch(/^error/mu);
      expect(status).toBe(0);
    },
  );
});
