import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { maintainRepository } from './maintenance.ts';
import { initRepository } from './repository.ts';

it('maintenance completes although an earlier one was killed while it held its locks', async () => {
  const workTree = makeTemporaryFolder();
  const gitDir = path.join(workTree, '.git');
  const { git } = await initRepository({ gitDir, workTree, kind: 'workspace', branch: 'main' });
  await maintainRepository(git, { level: 'full' });
  const left = ['packed-refs.lock', 'packed-refs.new', 'objects/info/commit-graphs/commit-graph-chain.lock'];
  fs.mkdirSync(path.join(gitDir, 'refs', 'heads'), { recursive: true });
  for (const name of [...left, 'refs/heads/main.lock']) fs.writeFileSync(path.join(gitDir, name), '');
  await maintainRepository(git, { level: 'full' });
  expect(left.filter((name) => fs.existsSync(path.join(gitDir, name)))).toEqual([]);
});
