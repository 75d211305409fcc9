import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder, workspaceFile, writeWorkspaceFile } from '../support/home.ts';

describe('mneme read', () => {
  let cli: TestCli;

  beforeEach(async () => {
    cli = new TestCli();
    await cli.init();
  });

  it.skipIf(process.platform === 'win32').each(['a:b.md', 'CON.md', 'notes/ends with a dot.', 'back\\slash.md'])(
    'shows %s, a name that no write may use',
    async (name) => {
      writeWorkspaceFile(cli.home, name, 'mine\n');
      expect(await cli.json('read', name)).toMatchObject({ path: name, text: 'mine' });
      expect(await cli.json('read', workspaceFile(cli.home, name))).toMatchObject({ path: name, text: 'mine' });
      expect(await cli.ok('log', name)).toContain(name);
    },
  );

  it('shows nothing outside the workspace, nor what git keeps, nor where a link leads', async () => {
    const outside = path.join(makeTemporaryFolder(), 'private.md');
    fs.writeFileSync(outside, 'private\n');
    fs.symlinkSync(outside, workspaceFile(cli.home, 'link.md'));
    const git = ['.git/config', '.GIT/config'];
    for (const target of ['../mneme.yaml', 'memory/../../mneme.yaml', ...git, outside, 'link.md', 'no:ne.md']) {
      const { code, out } = await cli.run(['read', target]);
      expect([2, 5]).toContain(code);
      expect(out).toBe('');
    }
  });
});
