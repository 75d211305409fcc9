import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeHome, openWorkspace, readWorkspaceFile, writeWorkspaceFile } from '../../../test/support/home.ts';
import { systemClock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/random.ts';
import type { CommitResult } from '../../workspace/door/request.ts';
import { HOME_LAYOUT } from '../../workspace/formats/layout.ts';
import { parseEntity } from '../../workspace/formats/entity.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { createPolicy } from '../../workspace/policy.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { Core } from './core.ts';
import { Entities } from './entities/entities.ts';
import { Episodes } from './episodes.ts';
import type { Plan } from './plan.ts';
import { EntityRegistry } from './registry/registry.ts';
import { defaultConfig } from '../../model/config/schema.ts';

/** The stores on the real write path, with its validators. */
async function openStores(home: string) {
  const workspace = await openWorkspace(home);
  onTestFinished(async () => {
    await workspace.close();
  });
  workspace.registries.validators.push(createPolicy(HOME_LAYOUT));
  const registry = new EntityRegistry({
    root: workspace.root,
    state: workspace.paths.state,
    layout: HOME_LAYOUT,
    clock: systemClock,
    journalEnd: () => workspace.journalEnd,
  });
  workspace.registries.indexers.push((written) => registry.takeOver(written));
  await registry.sync();
  const parts = { root: workspace.root, clock: systemClock, random: systemRandom, timeZone: 'UTC' };
  const episodes = new Episodes(parts);
  return {
    workspace,
    registry,
    entities: new Entities(parts, registry),
    core: new Core(parts, episodes, defaultConfig().core),
  };
}

function commit(workspace: Workspace, ...plans: readonly Plan<unknown>[]): Promise<CommitResult> {
  const changes = plans.flatMap((plan) => plan.changes);
  return workspace.commit({ actor: 'bot:main', approval: 'auto', summary: 'test', changes });
}

const VERA = 'memory/graph/entities/person--vera.md';

describe('stores on the real write path', () => {
  test('an entity and what is said of it are one mutation, known to the registry when it is acknowledged', async () => {
    const { workspace, registry, entities } = await openStores(await makeHome());
    const vera = entities.planAdd({ type: 'person', name: 'Vera' });
    const graz = entities.planAdd({ type: 'place', name: 'Graz' });
    const fact = entities.planFact(vera.entity, { text: 'Lives in Graz.' });
    const relation = entities.planRelation(vera.entity, { relation: 'lives in', to: graz.entity });
    const result = await commit(workspace, vera, graz, fact, relation);
    expect(result.indexError).toBeUndefined();
    expect(result.warnings).toEqual([]);
    expect(result.files.map(({ path, action }) => [path, action])).toEqual([
      [VERA, 'CREATE'],
      ['memory/graph/entities/place--graz.md', 'CREATE'],
    ]);
    expect(registry.resolve('vera’s')).toMatchObject({ entity: { path: VERA } });
    expect(entities.read(vera.entity)).toMatchObject({
      facts: [{ id: fact.outcome().id, text: 'Lives in Graz.' }],
      relations: [{ relation: 'lives-in', target: 'place--graz' }],
    });
    const again = await commit(workspace, entities.planAdd({ type: 'person', name: 'Vera' }));
    expect(again.mutation).toBeUndefined();
  });

  test('core memory with nothing to move touches no other file', async () => {
    const { workspace, core } = await openStores(await makeHome());
    const plan = core.planBullet({ block: 'Persona', text: 'Prefers tea.' }, { whenFull: 'move' });
    const result = await commit(workspace, plan);
    expect(result.files.map(({ path }) => path)).toEqual(['MEMORY.md']);
    expect(plan.outcome()).toMatchObject({ outcome: 'added', moved: [] });
  });

  test('a broken file refuses the whole group and stays as it is', async () => {
    const home = await makeHome();
    const broken = '---\nname: [Vera\n---\n';
    const { workspace, entities } = await openStores(home);
    const vera = entities.planAdd({ type: 'person', name: 'Vera' });
    const bo = entities.planAdd({ type: 'person', name: 'Bo' });
    writeWorkspaceFile(home, VERA, broken);
    await expect(commit(workspace, bo, vera)).rejects.toThrow(/left as it is/u);
    expect(readWorkspaceFile(home, VERA)).toBe(broken);
    expect(fs.readdirSync(`${workspace.root}/memory/graph/entities`)).toEqual(['person--vera.md']);
  });

  test('two processes that add the same entity and facts at once make one file with everything in it', async () => {
    const home = await makeHome();
    const url = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const script = (who: string): string => `
      const { openWorkspace } = await import(${url('../../../test/support/home.ts')});
      const { EntityRegistry } = await import(${url('./registry/registry.ts')});
      const { Entities } = await import(${url('./entities/entities.ts')});
      const { HOME_LAYOUT } = await import(${url('../../workspace/formats/layout.ts')});
      const { systemClock } = await import(${url('../../platform/clock.ts')});
      const { systemRandom } = await import(${url('../../platform/random.ts')});
      const workspace = await openWorkspace(${JSON.stringify(home)});
      const { root, paths } = workspace;
      const registry = new EntityRegistry({ root, state: paths.state, layout: HOME_LAYOUT, clock: systemClock });
      workspace.registries.indexers.push((written) => registry.takeOver(written));
      const entities = new Entities({ root, clock: systemClock, random: systemRandom, timeZone: 'UTC' }, registry);
      process.stdout.write('ready');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      for (let round = 0; round < 10; round += 1) {
        const add = entities.planAdd({ type: 'person', name: 'Vera ' + round, aliases: ['${who}' + round] });
        const own = entities.planFact(add.entity, { text: '${who} says ' + round });
        const same = entities.planFact(add.entity, { text: 'Both say so.' });
        const changes = [add, own, same].flatMap((plan) => plan.changes);
        await workspace.commit({ actor: 'bot:main', approval: 'auto', summary: 'x', changes });
      }
      await workspace.close();
      process.exit(0);`;
    const processes = ['ann', 'bob'].map((who) =>
      spawn(process.execPath, ['--input-type=module', '-e', script(who)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(processes.map((child) => once(child.stdout, 'data')));
    for (const child of processes) child.stdin.write('go');
    const codes = await Promise.all(processes.map((child) => once(child, 'exit')));
    expect(codes.map(([code]) => code as number)).toEqual([0, 0]);
    const { registry } = await openStores(home);
    expect(registry.all()).toHaveLength(10);
    for (const record of registry.all()) {
      const round = record.name.slice('Vera '.length);
      expect(record.aliases.toSorted()).toEqual([`ann${round}`, `bob${round}`]);
      const { facts } = parseEntity(parseDocument(readWorkspaceFile(home, record.path)), record.path);
      expect(facts.map(({ text }) => text).toSorted()).toEqual(
        ['Both say so.', `ann says ${round}`, `bob says ${round}`].toSorted(),
      );
      expect(facts.find(({ text }) => text === 'Both say so.')?.meta.verified).toBe(1);
    }
  }, 60_000);
});
