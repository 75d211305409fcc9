import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';

const root = path.resolve(import.meta.dirname, '../..');
const warmCli = path.join(root, 'test/support/warm-cli');
const work = makeTemporaryFolder();
const socket = path.join(work, 's');
const programs = path.join(work, 'bin');

/** The `sh` blocks of a page, each a story of its own. */
function shellBlocks(page: string): string[] {
  const text = fs.readFileSync(path.join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map((match) => match[1] ?? '');
}

const pages = fs
  .readdirSync(path.join(root, 'docs'))
  .filter((page) => page.endsWith('.md') && shellBlocks(page).length > 0);

let server: ChildProcess | undefined;

beforeAll(async () => {
  fs.mkdirSync(programs);
  fs.symlinkSync(path.join(warmCli, 'client.mjs'), path.join(programs, 'mneme'));
  server = fork(path.join(warmCli, 'server.ts'), [socket]);
  await once(server, 'message');
});

afterAll(async () => {
  if (server === undefined) return;
  const ended = once(server, 'exit');
  server.kill();
  await ended;
});

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
          PATH: `${programs}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          // What a page connects must not be connected in the home of whoever runs the tests.
          HOME: folder,
          USERPROFILE: folder,
          MNEME_HOME: path.join(folder, 'home'),
          MNEME_TEST_BIN: path.join(root, 'bin/mneme'),
          MNEME_TEST_SOCKET: socket,
        },
      });
      expect(`${result.stdout}${result.stderr}`).not.toMatch(/^error/mu);
      expect(result.status).toBe(0);
    },
  );
});
