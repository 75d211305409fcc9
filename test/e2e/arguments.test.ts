import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let home: string;
let m: Mneme;

beforeAll(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, actor: 'manual' });
});

afterAll(() => m.close());

/** Everything written to the files of the home, so that a value that was kept is found wherever it belongs. */
function written(): string {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|jsonl|json)$/u.test(entry.name) && !entry.parentPath.includes('wal'))
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Arguments that are handed on as a whole: two calls that differ in nothing else leave different files or answers. */
it.each<[argument: string, give: () => Promise<unknown>, mark: string]>([
  ['graph add status', () => m.graph.add({ name: 'Kestrel', type: 'project', status: 'planned' }), 'status: planned'],
  ['graph add tags', () => m.graph.add({ name: 'Osprey', type: 'project', tags: ['wetland'] }), 'wetland'],
  ['session start channel', () => m.session.start({ channel: 'lighthouse' }), 'lighthouse'],
  ['session start model', () => m.session.start({ model: 'model-of-tests' }), 'model-of-tests'],
  ['session start project', () => m.session.start({ project: 'quayside' }), 'quayside'],
  ['session start tags', () => m.session.start({ tags: ['moorings'] }), 'moorings'],
  ['session start user', () => m.session.start({ user: 'Ottoline' }), 'Ottoline'],
])('%s is kept', async (_argument, give, mark) => {
  expect(written()).not.toContain(mark);
  const given = await give();
  if (given !== null && typeof given === 'object' && 'message' in given) {
    await (given as Awaited<ReturnType<Mneme['session']['start']>>).message('user', 'The lamp is lit at dusk.');
  }
  expect(written()).toContain(mark);
});

// 'audit limit'
it('audit gives as many lines as its limit says', async () => {
  expect(await m.audit({ limit: 1 })).toHaveLength(1);
  expect((await m.audit({ limit: 2 })).length).toBe(2);
});

// 'proposals add confidence'
it('a proposal says how sure its author is', async () => {
  const given = {
    path: 'memory/reference/meter.md',
    after: '# Meter\n',
    title: 'The meter',
    confidence: 'low' as const,
  };
  const { id } = await m.proposals.add(given);
  expect(JSON.stringify(await m.proposals.show(id))).toContain('"confidence":"low"');
});

// 'agents override confidence'
it('what is kept in other words is kept with the confidence that is given', async () => {
  const scout = await openMneme({ home, actor: 'subagent:scout' });
  const { id } = await scout.agents.propose({ text: 'The bakery opens at seven' });
  await scout.close();
  await m.agents.override(id, { content: 'The bakery opens at eight', confidence: 'low' });
  expect(written()).toMatch(/confidence:low\nThe bakery opens at eight/u);
});
