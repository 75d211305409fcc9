import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../support/home.ts';

/** A home in which a person and a machine take turns. */
class SharedHome {
  readonly home = makeTemporaryFolder();

  static async make(): Promise<SharedHome> {
    const shared = new SharedHome();
    await initHome({ home: shared.home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
    return shared;
  }

  async as<T>(actor: string, body: (mneme: Mneme) => Promise<T>): Promise<T> {
    const mneme = await openMneme({ home: this.home, actor });
    try {
      return await body(mneme);
    } finally {
      await mneme.close();
    }
  }

  file(name: string): string {
    return path.join(this.home, 'workspace', name);
  }

  read(name: string): string {
    return fs.readFileSync(this.file(name), 'utf8');
  }
}

// SPEC TRUST-4
describe('core memory and machines', () => {
  it('a machine only proposes what becomes of a line of the user’s, and its own lines stay its own', async () => {
    const shared = await SharedHome.make();
    const { id } = await shared.as('manual', (m) => m.core.add('I hate nuts'));
    const [edited, own] = await shared.as('bot:eve', async (m) => {
      const { id: mine } = await m.core.add('The user seems busy');
      await m.core.edit(mine, 'The user seems very busy');
      return [await m.core.edit(id, 'I love nuts'), mine] as const;
    });
    expect(edited.proposal).not.toBeNull();
    expect(shared.read('MEMORY.md')).toContain('- I hate nuts');
    const shown = await shared.as('manual', async (m) => {
      await m.approve({ ids: [edited.proposal ?? ''] });
      return m.core.show();
    });
    const bullets = shown.blocks.flatMap((block) => block.bullets);
    expect(bullets).toContainEqual(
      expect.objectContaining({ id: own, trust: 'agent', text: 'The user seems very busy' }),
    );
    expect(bullets).toContainEqual(expect.objectContaining({ id, trust: 'agent', text: 'I love nuts' }));
  });

  it('only a person unpins, and a machine pins only what machines wrote', async () => {
    const shared = await SharedHome.make();
    const { id } = await shared.as('manual', (m) => m.core.add('Allergic to penicillin', { pinned: true }));
    const { id: plain } = await shared.as('manual', (m) => m.core.add('Likes tea'));
    await shared.as('bot:eve', async (m) => {
      await expect(m.core.pin(id, { off: true })).rejects.toMatchObject({ code: 'refused' });
      await expect(m.core.pin(plain)).rejects.toMatchObject({ code: 'refused' });
      const { id: own } = await m.core.add('A line of mine');
      expect((await m.core.pin(own)).pinned).toBe(true);
    });
    expect(shared.read('MEMORY.md')).toMatch(new RegExp(`penicillin <!-- .*pinned.* --> \\^${id}`, 'u'));
  });

  it('a line written past mneme says so until somebody answers for it', async () => {
    const shared = await SharedHome.make();
    fs.appendFileSync(shared.file('MEMORY.md'), '- I hand-wrote this\n');
    const { blocks } = await shared.as('manual', (m) => m.core.show());
    const bullets = blocks.flatMap((block) => block.bullets);
    expect(bullets).toEqual([
      expect.objectContaining({ text: 'I hand-wrote this', trust: 'user', unacknowledged: true }),
    ]);
  });

  it('a person’s line far above a block’s share is refused', async () => {
    const shared = await SharedHome.make();
    await shared.as('manual', async (m) => {
      await expect(m.core.add('word '.repeat(1000))).rejects.toMatchObject({ code: 'refused' });
    });
    expect(shared.read('MEMORY.md')).not.toContain('word word');
  });
});

describe('the graph and agents', () => {
  it('an agent’s change of what the user set, linked, named or decided becomes a proposal', async () => {
    const shared = await SharedHome.make();
    const { task, decision } = await shared.as('manual', async (m) => {
      await m.graph.add({ name: 'Ada', type: 'person', properties: { role: 'engineer' } });
      await m.graph.add({ name: 'Bob', type: 'person' });
      await m.graph.link('Ada', 'knows', 'Bob');
      const added = await m.graph.task('Ada', { text: 'Write the report' });
      return { task: added.id, decision: (await m.graph.decision('Ada', { text: 'We use Rust' })).id };
    });
    const file = 'memory/graph/entities/person--ada.md';
    const before = shared.read(file);
    const proposals = await shared.as('bot:eve', async (m) => [
      (await m.graph.set({ entity: 'Ada', properties: { role: 'janitor' } })).proposal,
      (await m.graph.unlink('Ada', 'Bob')).proposal,
      (await m.graph.rename('Ada', 'Eve')).proposal,
      (await m.graph.task('Ada', { id: task, status: 'done' })).proposal,
      (await m.graph.decision('Ada', { id: decision })).proposal,
    ]);
    expect(new Set(proposals).size).toBe(5);
    expect(proposals).not.toContain(undefined);
    expect(shared.read(file)).toBe(before);
    await shared.as('manual', (m) => m.approve({ ids: [proposals[2] ?? ''] }));
    expect(fs.existsSync(shared.file(file))).toBe(false);
    expect(shared.read('memory/graph/entities/person--eve.md')).toContain('engineer');
  });

  it('an agent’s check of the dates records no confirmation, and the user’s rejection stays', async () => {
    const shared = await SharedHome.make();
    await shared.as('bot:eve', async (m) => {
      await m.graph.add({ name: 'Ada', type: 'person' });
      const { id } = await m.graph.fact('Ada', 'Ada lives in Oslo');
      expect(await m.graph.verify(id, { method: 'temporal' })).toMatchObject({ verified: true, mutation: null });
      const { question } = await m.graph.verify(id, { method: 'user' });
      await shared.as('manual', (person) => person.reject({ ids: [question ?? ''], why: 'no' }));
      expect(await m.graph.verify(id, { method: 'temporal' })).toMatchObject({ verified: false, confidence: 0.1 });
    });
  });

  it('days that are not in the calendar and ends before beginnings are refused', async () => {
    const shared = await SharedHome.make();
    await shared.as('manual', async (m) => {
      await m.graph.add({ name: 'Ada', type: 'person' });
      await expect(m.graph.fact('Ada', 'x', { from: '2026-02-30' })).rejects.toMatchObject({ code: 'usage' });
      const backwards = m.graph.fact('Ada', 'x', { from: '2026-03-01', until: '2025-01-01' });
      await expect(backwards).rejects.toMatchObject({ code: 'usage' });
    });
  });

  it('a merge takes the files as they were weighed, and a relation both had counts once', async () => {
    const shared = await SharedHome.make();
    await shared.as('manual', async (m) => {
      for (const name of ['Ada', 'Ada L', 'Bob']) await m.graph.add({ name, type: 'person', distinct: true });
      for (const name of ['person--ada', 'person--ada-l']) await m.graph.link(name, 'knows', 'Bob');
      const { proposal } = await m.graph.merge('person--ada-l', 'person--ada');
      await m.graph.fact('person--ada-l', 'Ada plays chess');
      await expect(m.approve({ ids: [proposal] })).rejects.toMatchObject({ code: 'conflict' });
      const again = await m.graph.merge('person--ada-l', 'person--ada');
      await m.approve({ ids: [again.proposal] });
      expect(shared.read('memory/graph/entities/person--ada.md')).toContain('Ada plays chess');
      const { links } = await m.graph.neighbours('person--ada');
      expect(links).toHaveLength(1);
    });
  });
});

describe('what a procedure stores', () => {
  const steps = '# Note\n\n## Steps\n\n1. Keep it\n   - action: remember text="The door code is 4711"\n';

  it('is trusted no more than whoever wrote the file', async () => {
    const shared = await SharedHome.make();
    await shared.as('bot:eve', (m) => m.append('memory/procedures/note.md', steps));
    await shared.as('manual', (m) => m.procedures.run('Note'));
    const { hits } = await shared.as('manual', (m) => m.recall('door code 4711'));
    const stored = hits.filter(({ store }) => store === 'semantic' || store === 'episodic');
    expect(stored.map(({ trust }) => trust)).toEqual(['agent']);
  });
});

it('what a procedure recalled and remembers again is no confirmation', async () => {
  const shared = await SharedHome.make();
  const { path: file } = await shared.as('manual', (m) => m.remember('The door code is 4711', { store: 'episodic' }));
  const before = shared.read(file);
  const steps =
    '# Echo\n\n## Steps\n\n1. Ask\n   - action: recall text="door code"\n   - save as: found\n' +
    '2. Keep it\n   - action: remember text={{found.text}}\n';
  const { status } = await shared.as('manual', async (m) => {
    await m.append('memory/procedures/echo.md', steps);
    return m.procedures.run('Echo');
  });
  expect(status).toBe('succeeded');
  expect(shared.read(file)).toBe(before);
});

it('a proposal about somebody who was renamed follows them and makes no second file', async () => {
  const shared = await SharedHome.make();
  const { id } = await shared.as('manual', async (m) => {
    await m.graph.add({ name: 'Ada', type: 'person' });
    return m.graph.task('Ada', { text: 'Write the report' });
  });
  const { proposal = '' } = await shared.as('bot:eve', (m) => m.graph.task('Ada', { id, status: 'done' }));
  await shared.as('manual', async (m) => {
    await m.graph.rename('Ada', 'Eve');
    await m.approve({ ids: [proposal] });
  });
  expect(shared.read('memory/graph/entities/person--eve.md')).toContain('[x] Write the report');
  expect(fs.existsSync(shared.file('memory/graph/entities/person--ada.md'))).toBe(false);
});

it('a new file begins with the frontmatter it is given', async () => {
  const shared = await SharedHome.make();
  await shared.as('manual', (m) => m.append('memory/reference/new.md', '---\nname: Router\n---\n\n# Router\n'));
  expect(shared.read('memory/reference/new.md')).toMatch(/^---\nname: Router\n---\n/u);
});
