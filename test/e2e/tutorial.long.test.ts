import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/home.ts';
import { playTutorial } from '../support/play-tutorial.ts';
import { startWarmCli, type WarmCli } from '../support/warm-cli/start.ts';

const page = path.resolve(import.meta.dirname, '../../docs/tutorial.md');

let cli: WarmCli;

beforeAll(async () => {
  cli = await startWarmCli();
});

afterAll(() => cli.stop());

it('docs/tutorial.md shows what its commands answer', async () => {
  const text = fs.readFileSync(page, 'utf8');
  const played = await playTutorial({ text, folder: makeTemporaryFolder(), environment: cli.environment });
  await expect(played).toMatchFileSnapshot(page);
});
