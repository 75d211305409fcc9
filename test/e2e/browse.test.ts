import { expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { TestCli } from '../support/cli.ts';

// SPEC HTTP-6
it('what the dashboard shows, the library and the command line show too', async () => {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('remember', 'Anna prefers tea in the morning', '--store', 'episodic');
  const told = await cli.json<{ receipt: { id: string } }>('context', 'What does Anna drink in the morning?');
  const m = await openMneme({ home: cli.home, actor: 'manual' });
  try {
    const files = await m.files.list({ under: 'memory/episodes/' });
    expect(files.map(({ store }) => store)).toEqual(['episodic']);
    expect(await cli.json('files', 'list', 'memory/episodes/')).toEqual({ files });
    const { days } = await m.timeline();
    expect(days.flatMap(({ episodes }) => episodes.map(({ text }) => text))).toEqual([
      'Anna prefers tea in the morning',
    ]);
    expect(await cli.ok('timeline')).toContain('Anna prefers tea in the morning');
    const { stores, days: changes } = await m.growth({ days: 3 });
    expect(stores.find(({ store }) => store === 'episodic')).toMatchObject({ files: 1 });
    expect(changes).toHaveLength(3);
    expect(await cli.ok('growth')).toContain('episodic');
    const [fading] = await m.decay.next({ limit: 1 });
    expect(fading?.text).toBe('Anna prefers tea in the morning');
    expect(await cli.ok('decay', 'next')).toContain(fading?.id);
    expect(await m.topics.log()).toEqual({ decisions: [], hasMore: false });
    expect(await cli.ok('topics', 'log')).toContain('No message has called for a topic yet.');
    const { receipts } = await m.receipts.list();
    expect(receipts.map(({ id }) => id)).toEqual([told.receipt.id]);
    expect(await cli.ok('context', 'list')).toContain('What does Anna drink in the morning?');
    const { texts } = await m.receipts.show('last');
    expect(Object.values(texts)).toContain('Anna prefers tea in the morning');
  } finally {
    await m.close();
  }
  const read = await cli.json<{ text: string; hash: string }>('files', 'read', 'MEMORY.md');
  const save = ['files', 'save', 'MEMORY.md', '--hash', read.hash];
  expect((await cli.run(save, `${read.text}\nNew.\n`)).out).toContain('Saved MEMORY.md');
  const late = await cli.run(save, 'Something else.\n');
  expect(late).toMatchObject({ code: 4 });
  expect(late.err).toContain('was changed by somebody else meanwhile');
  expect((await cli.run(['files', 'preview'], 'One two three.\nFour.\n')).out).toMatch(/^\d+ tokens, 2 lines$/mu);
  expect(await cli.run(['growth', '--days', '0'])).toMatchObject({ code: 2 });
});
