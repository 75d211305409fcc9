import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../../../../test/support/home.ts';
import { Mneme } from '../../../mneme.ts';
import type { Access } from '../access.ts';
import { compatTools } from './server-memory.ts';

interface Graph {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
  readonly relations: readonly { readonly from: string; readonly to: string; readonly relationType: string }[];
}

const access: Access = { mode: 'full', actor: 'bot:main' };
let mneme: Mneme;

beforeAll(async () => {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  const person = await Mneme.open({ home, actor: 'manual' });
  await person.graph.add({ name: 'Mara', type: 'person' });
  await person.graph.fact('Mara', 'Mara keeps bees');
  await person.close();
  mneme = await Mneme.open({ home });
});
afterAll(() => mneme.close());

/** The text as a client that knows only the other server reads it. */
async function run(name: string, args: Record<string, unknown>): Promise<string> {
  const tool = compatTools('server-memory', 'full').find((one) => one.name === name);
  const context = { ...mneme.internals, actor: access.actor };
  const result = await tool?.run({ access, context, conceal: (text) => text }, args);
  const [first] = result?.content ?? [];
  return first?.type === 'text' ? first.text : '';
}

const graph = async (name: string, args: Record<string, unknown> = {}): Promise<Graph> =>
  JSON.parse(await run(name, args)) as Graph;

// SPEC TRUST-6
describe('the tools of server-memory', () => {
  it('keep and give back entities, observations and relations', async () => {
    const zoe = { name: 'Zoe', entityType: 'person', observations: ['Likes tea', 'Lives in Bern'] };
    const orbit = { name: 'Orbit', entityType: 'project', observations: [] };
    expect(JSON.parse(await run('create_entities', { entities: [zoe, orbit] }))).toEqual([zoe, orbit]);
    expect(JSON.parse(await run('create_entities', { entities: [zoe] }))).toEqual([]);
    const added = { entityName: 'Orbit', contents: ['Is written in Rust'] };
    expect(JSON.parse(await run('add_observations', { observations: [added] }))).toEqual([
      { entityName: 'Orbit', addedObservations: ['Is written in Rust'] },
    ]);
    expect(JSON.parse(await run('add_observations', { observations: [added] }))).toEqual([
      { entityName: 'Orbit', addedObservations: [] },
    ]);
    const relations = [
      { from: 'Zoe', to: 'Orbit', relationType: 'develops' },
      { from: 'Zoe', to: 'Mara', relationType: 'sings_with' },
    ];
    expect(JSON.parse(await run('create_relations', { relations }))).toEqual(relations);
    const whole = await graph('read_graph');
    expect(whole.entities.find(({ name }) => name === 'Zoe')).toEqual(zoe);
    expect(whole.relations).toEqual(expect.arrayContaining(relations));
  });

  it('find by name, by words and by meaning', async () => {
    expect((await graph('search_nodes', { query: 'rust' })).entities[0]?.name).toBe('Orbit');
    const opened = await graph('open_nodes', { names: ['Zoe', 'Orbit', 'Nobody'] });
    expect(opened.entities.map(({ name }) => name)).toEqual(['Zoe', 'Orbit']);
    expect(opened.relations).toEqual([
      { from: 'Zoe', to: 'Orbit', relationType: 'develops' },
      { from: 'Zoe', to: 'Mara', relationType: 'sings_with' },
    ]);
  });

  it('show what leads to an entity that was not asked for, once', async () => {
    expect((await graph('open_nodes', { names: ['Orbit'] })).relations).toEqual([
      { from: 'Zoe', to: 'Orbit', relationType: 'develops' },
    ]);
  });

  it('add nothing of a call that names an entity nobody knows', async () => {
    const observations = [
      { entityName: 'Orbit', contents: ['Never written'] },
      { entityName: 'Nobody', contents: ['x'] },
    ];
    await expect(run('add_observations', { observations })).rejects.toThrow(/Nobody and nothing/u);
    const { entities } = await graph('open_nodes', { names: ['Orbit'] });
    expect(entities[0]?.observations).toEqual(['Is written in Rust']);
  });

  it('delete relations, also those that are kept in words, and observations', async () => {
    const relations = [
      { from: 'Zoe', to: 'Orbit', relationType: 'develops' },
      { from: 'Zoe', to: 'Mara', relationType: 'sings_with' },
    ];
    expect(await run('delete_relations', { relations })).toBe('Relations deleted successfully');
    const deletions = [{ entityName: 'Zoe', observations: ['Likes tea', 'Never said'] }];
    expect(await run('delete_observations', { deletions })).toBe('Observations deleted successfully');
    const { entities, relations: left } = await graph('open_nodes', { names: ['Zoe', 'Orbit', 'Mara'] });
    expect(entities[0]?.observations).toEqual(['Lives in Bern']);
    expect(left).toEqual([]);
  });

  it('delete entities, but only propose it for what the user said', async () => {
    expect(await run('delete_entities', { entityNames: ['Zoe', 'Nobody'] })).toBe('Entities deleted successfully');
    const answer = await run('delete_entities', { entityNames: ['Mara'] });
    expect(answer).toMatch(/^Entities deleted, except: "Mara" waits for the user as \w+/u);
    expect((await graph('read_graph')).entities.map(({ name }) => name).toSorted()).toEqual(['Mara', 'Orbit']);
  });
});
