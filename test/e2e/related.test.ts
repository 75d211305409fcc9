import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = new TestCli();
  await cli.init();
});

async function remember(text: string): Promise<{ readonly id: string; readonly path: string }> {
  return cli.json('remember', text, '--store', 'episodic');
}

describe('an episode', () => {
  it('names the entry that is about the same as related, and in a small home no other', async () => {
    const dentist = await remember('Today the dentist was late again.');
    await remember('The harbour office moved its counter to the second floor.');
    await remember('Yesterday we had soup with too much pepper.');
    const { path } = await remember('The dentist moved my appointment to noon today.');
    const file = await cli.ok('read', path);
    expect([...file.matchAll(/related:\[([^\]]*)\]/gu)].map(([, ids]) => ids)).toEqual([dentist.id]);
  });
});
