import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMneme, type Mneme } from '../mneme.ts';
import { log } from '../operations/history/log.ts';
import { runOperation } from '../operations/operation.ts';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';

describe('the character NUL is refused in words', () => {
  let mneme: Mneme;

  beforeAll(async () => {
    const home = makeTemporaryFolder('mneme-nul-');
    await initTestHome(home);
    mneme = await openMneme({ home, actor: 'human:me' });
  });

  afterAll(() => mneme.close());

  test.each([
    ['an argument of git', 'usage', () => runOperation(log, mneme.internals, { text: 'a\0b' })],
    ['a revision', 'usage', () => mneme.read('MEMORY.md', { at: 'a\0b' })],
    ['a path of the workspace', 'refused', () => mneme.read('memory/a\0b.md')],
    ['a path anywhere', 'usage', () => mneme.import({ path: 'a\0b.md' })],
  ])('%s', async (_what, code, ask) => {
    await expect(ask()).rejects.toMatchObject({ code });
  });
});
