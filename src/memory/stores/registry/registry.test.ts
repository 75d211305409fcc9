import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOME_LAYOUT } from '../../../workspace/formats/layout.ts';
import { StoreHome } from '../testing/store-home.ts';
import { EntityRegistry } from './registry.ts';
import type { Resolution } from './resolve.ts';

const ENTITIES = 'memory/graph/entities';

function writeEntity(home: StoreHome, id: string, name: string, more = '', body = ''): void {
  const type = id.slice(0, id.indexOf('--'));
  home.write(`${ENTITIES}/${id}.md`, `---\nid: ${id}\ntype: ${type}\nname: ${name}\n${more}---\n\n# ${name}\n${body}`);
}

function tell(resolution: Resolution): string {
  if (resolution.kind === 'entity') return resolution.entity.id;
  if (resolution.kind === 'none') return 'none';
  return resolution.candidates.map(({ id }) => id).join(' | ');
}

function town(): StoreHome {
  const home = new StoreHome();
  writeEntity(home, 'person--jonas-weber', 'Jonas Weber', 'properties: {role: accountant}\n');
  writeEntity(
    home,
    'person--jonas-keller',
    'Jonas Keller',
    '',
    '\n## Facts\n\n- Plumber in Graz. <!-- category:work -->\n- Likes coffee.\n- ~~Baker.~~ <!-- category:work -->\n',
  );
  writeEntity(home, 'person--vera-kowalski', 'Vera Kowalski', 'aliases: [Verena, "the boss"]\ntags: [user]\n');
  writeEntity(home, 'project--atlas', 'Atlas', 'status: active\n');
  writeEntity(home, 'place--mercury', 'Mercury');
  writeEntity(home, 'tool--mercury-cli', 'Mercury CLI', 'aliases: [mercury]\n');
  writeEntity(home, 'person--tim', 'Tim');
  writeEntity(home, 'person--old-tim', 'Timothy', 'aliases: [Timmy]\nstatus: merged\nmerged_into: person--tim\n');
  return home;
}

describe('whom a name means', () => {
  const home = town();

  test.each([
    ['Vera Kowalski', {}, 'person--vera-kowalski'],
    ["Vera's", {}, 'person--vera-kowalski'],
    ['KOWALSKI', {}, 'person--vera-kowalski'],
    ['verena', {}, 'person--vera-kowalski'],
    ['The Boss', {}, 'person--vera-kowalski'],
    ['Frau Kowalski', {}, 'person--vera-kowalski'],
    ['person--vera-kowalski', {}, 'person--vera-kowalski'],
    ['[[person--vera-kowalski|V]]', {}, 'person--vera-kowalski'],
    ['Jonas', {}, 'person--jonas-keller | person--jonas-weber'],
    ['Jonas Weber', {}, 'person--jonas-weber'],
    ['Weber', {}, 'person--jonas-weber'],
    ['Jonas', { context: 'Jonas, our accountant, sent the invoice' }, 'person--jonas-weber'],
    ['Jonas', { context: 'the plumber Jonas came by' }, 'person--jonas-keller'],
    ['Jonas', { context: 'had coffee with Jonas' }, 'person--jonas-keller | person--jonas-weber'],
    ['Jonas', { context: 'Jonas the baker' }, 'person--jonas-keller | person--jonas-weber'],
    ['Jonas', { context: 'an accountant and a plumber' }, 'person--jonas-keller | person--jonas-weber'],
    ['Atlas', { type: 'tool' }, 'project--atlas'],
    ['Atlas', { type: 'person' }, 'project--atlas'],
    ['Mercury', { type: 'place' }, 'place--mercury'],
    ['Mercury', { type: 'service' }, 'tool--mercury-cli'],
    ['Mercury', {}, 'place--mercury | tool--mercury-cli'],
    ['Timmy', {}, 'person--tim'],
    ['Tim Brandt', {}, 'person--tim'],
    ['Nobody', {}, 'none'],
    ['', {}, 'none'],
    ['../../etc/passwd', {}, 'none'],
  ])('%s %j is %s', (name, options, expected) => {
    expect(tell(home.registry.resolve(name, options))).toBe(expected);
  });

  test('what is uncertain is never handed back as certain', () => {
    const kinds = ['Jonas', 'Mercury', 'Tim Brandt'].map((name) => home.registry.resolve(name).kind);
    expect(kinds).toEqual(['candidates', 'candidates', 'candidates']);
    expect(home.registry.resolve('Atlas', { type: 'person' }).kind).toBe('candidates');
  });

  test('one of a single word and one of two share the word; an alias settles it', () => {
    const both = new StoreHome();
    writeEntity(both, 'person--jonas', 'Jonas');
    writeEntity(both, 'person--jonas-weber', 'Jonas Weber');
    expect(tell(both.registry.resolve('Jonas'))).toBe('person--jonas-weber | person--jonas');
    writeEntity(both, 'person--jonas', 'Jonas Keller');
    writeEntity(both, 'person--jonas-weber', 'Jonas Weber', 'aliases: [Jonas]\n');
    expect(tell(both.registry.resolve('Jonas'))).toBe('person--jonas-weber');
  });

  test('the private entities of a scope exist only there', () => {
    const scoped = new StoreHome();
    const file = 'memory/scopes/project--apollo/memory/graph/entities/person--ada.md';
    scoped.write(file, '---\nname: Ada\n---\n');
    expect(scoped.registry.resolve('Ada').kind).toBe('none');
    expect(scoped.registry.resolve('Ada', { scope: 'project:apollo' })).toMatchObject({ entity: { path: file } });
    expect(scoped.registry.known()).toEqual([]);
  });

  test('known names: aliases and unambiguous parts too, the user marked', () => {
    const known = home.registry.known();
    expect(known).toContainEqual({ name: 'Vera', type: 'person', isUser: true });
    expect(known).toContainEqual({ name: 'Verena', type: 'person', isUser: true });
    expect(known).toContainEqual({ name: 'Weber', type: 'person' });
    expect(known.map(({ name }) => name)).not.toContain('Jonas');
    expect(home.registry.findUser()?.id).toBe('person--vera-kowalski');
  });
});

describe('in step with the files', () => {
  const open = (home: StoreHome, journalEnd?: () => string): EntityRegistry =>
    new EntityRegistry({
      root: home.root,
      state: home.state,
      layout: HOME_LAYOUT,
      clock: { now: () => Date.now() + 10_000 },
      journalEnd,
    });

  test('files made, changed and removed behind its back are noticed by their stamps', async () => {
    const home = town();
    const registry = open(home);
    await registry.sync();
    const file = path.join(home.root, ENTITIES, 'project--atlas.md');
    fs.writeFileSync(file, '---\nname: Atlas Mark Two\n---\n');
    fs.rmSync(path.join(home.root, ENTITIES, 'person--tim.md'));
    fs.writeFileSync(path.join(home.root, ENTITIES, 'tool--new.md'), '# Newcomer\n');
    await registry.sync();
    expect(tell(registry.resolve('atlas mark two'))).toBe('project--atlas');
    expect(registry.findById('person--tim')).toBeUndefined();
    expect(tell(registry.resolve('newcomer'))).toBe('tool--new');
  });

  test('an acknowledged mutation is known to other processes at once', async () => {
    const home = town();
    const other = open(home);
    await other.sync();
    expect(other.known().map(({ name }) => name)).not.toContain('Zora');
    writeEntity(home, 'person--zora', 'Zora');
    expect(tell(other.resolve('Zora'))).toBe('person--zora');
    expect(other.known().map(({ name }) => name)).toContain('Zora');
  });

  test('with the journal at the noted end nothing is looked through; a gap in it is', async () => {
    const home = town();
    let end = '1:100';
    const registry = open(home, () => end);
    await registry.sync();
    fs.writeFileSync(path.join(home.root, ENTITIES, 'tool--unseen.md'), '# Unseen\n');
    await registry.sync();
    expect(registry.resolve('Unseen').kind).toBe('none');
    registry.takeOver({ acknowledged: [], span: { from: '1:100', to: '1:200' }, selfCommitted: [] });
    end = '1:200';
    await registry.sync();
    expect(registry.resolve('Unseen').kind).toBe('none');
    end = '1:300';
    await registry.sync();
    expect(registry.resolve('Unseen').kind).toBe('entity');
  });

  test('deleted or damaged, it is made anew', async () => {
    const home = town();
    const registry = open(home);
    await registry.sync();
    registry.close();
    fs.writeFileSync(path.join(home.state, 'entities.db'), 'not a database at all'.repeat(100));
    await registry.sync();
    expect(tell(registry.resolve('Atlas'))).toBe('project--atlas');
    fs.rmSync(home.state, { recursive: true });
    await registry.sync();
    expect(tell(registry.resolve('Atlas'))).toBe('project--atlas');
  });

  test('a broken file is known by its name, with what is wrong', () => {
    const home = new StoreHome();
    home.write(`${ENTITIES}/person--eva.md`, '---\nname: [Eva\n---\n\n# Eva Braun-Holz\n');
    expect(home.registry.findById('person--eva')).toMatchObject({ name: 'Eva Braun-Holz', type: 'person' });
    expect(home.registry.findById('person--eva')?.damage).toContain('broken YAML');
    home.write(`${ENTITIES}/person--ida.md`, '---\nname: Ida\n\n# Ida\n');
    expect(home.registry.findById('person--ida')?.damage).toContain('never closed');
  });
});
