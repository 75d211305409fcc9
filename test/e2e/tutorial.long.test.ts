import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playConsole } from '../support/console-story.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { startWarmCli, type WarmCli } from '../support/warm-cli/start.ts';

const page = path.resolve(import.meta.dirname, '../../docs/tutorial.md');

let cli: WarmCli;

beforeAll(async () => {
  cli = await startWarmCli();
});

afterAll(() => cli.stop());

it('docs/tutorial.md shows what its commands answer', async () => {
  const folder = makeTemporaryFolder();
  /** Ids of the page stand for those of this run. */
  const ids = new Map<string, string>();
  const text = fs.readFileSync(page, 'utf8');
  const played = await playConsole(text, (command) => {
    const typed = [...ids].reduce((line, [shown, real]) => line.replaceAll(shown, real), command);
    const { MNEME_HOME: _home, ...environment } = process.env;
    const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-c', `${typed} 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, ...cli.environment, HOME: folder, USERPROFILE: folder },
    });
    expect(`${command}: ${status} ${stderr}`).toBe(`${command}: 0 `);
    const said = stdout.replaceAll(fs.realpathSync(folder), '~').replaceAll(folder, '~');
    const remembered = /^Remembered (\w+) in/mu.exec(said)?.[1];
    const shown = new RegExp(String.raw`^\$ ${escape(command)}\nRemembered (\w+) in`, 'mu').exec(text)?.[1];
    if (remembered !== undefined && shown !== undefined) ids.set(shown, remembered);
    return Promise.resolve(said);
  });
  await expect(played).toMatchFileSnapshot(page);
});

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}
