import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The `sh` blocks of a page, each a story of its own. */
function shellBlocks(page: string): string[] {
  const text = fs.readFileSync(path.join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map((match) => match[1] ?? '');
}

const pages = fs
  .readdirSync(path.join(root, 'docs'))
  .filter((page) => page.endsWith('.md') && shellBlocks(page).length > 0);

describe.each(pages)('docs/%s', (page) => {
  it.each(shellBlocks(page).map((script, index) => [index + 1, script] as const))(
    'block %i runs',
    (_number, script) => {
      const folder = makeTemporaryFolder();
      const result = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: `${path.join(root, 'bin')}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          MNEME_HOME: path.join(folder, 'home'),
        },
      });
      expect(`${result.stdout}${result.stderr}`).not.toMatch(/^error/mu);
      expect(result.status).toBe(0);
    },
  );
});
