import { expect, it } from 'vitest';
import { makeHome, openWorkspace, readWorkspaceFile } from '../../../test/support/home.ts';

// SPEC WRITE-8
it('acknowledges although the index failed, and says so', async () => {
  const home = await makeHome();
  const workspace = await openWorkspace(home);
  workspace.registries.indexers.push(() => {
    throw new Error('disk full in the index');
  });
  const result = await workspace.commit({
    actor: 'bot:test',
    summary: 'x',
    changes: [{ path: 'a.md', edit: () => 'text\n' }],
  });
  await workspace.close();
  expect(result.indexError).toBe('disk full in the index');
  expect(readWorkspaceFile(home, 'a.md')).toBe('text\n');
});
