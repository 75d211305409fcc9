import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { walkTree } from './walk-tree.ts';

// SPEC SAFETY-10
it('lists links and does not follow them', () => {
  const [root, outside] = [makeTemporaryFolder(), makeTemporaryFolder()];
  fs.writeFileSync(path.join(outside, 'secret.md'), 'x');
  fs.mkdirSync(path.join(root, 'a/b'), { recursive: true });
  fs.writeFileSync(path.join(root, 'a/b/c.md'), 'x');
  fs.symlinkSync(outside, path.join(root, 'a/link'));
  fs.symlinkSync(root, path.join(root, 'a/loop'));
  const found = walkTree(root).map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  expect(found.sort()).toEqual(['a', 'a/b', 'a/b/c.md', 'a/link', 'a/loop']);
});
