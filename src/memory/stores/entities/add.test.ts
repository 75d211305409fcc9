import { describe, expect, test } from 'vitest';
import { checkFile } from '../../../workspace/formats/findings.ts';
import { parseWorkspacePath } from '../../../workspace/safety/paths.ts';
import { StoreHome } from '../testing/store-home.ts';

const ENTITIES = 'memory/graph/entities';

describe('a new entity', () => {
  test('gets a file with id, type, name and times, and no summary', () => {
    const home = new StoreHome();
    const plan = home.entities.planAdd({
      type: 'Person',
      name: ' Vera  Kowalski ',
      aliases: ['Vera', 'vera kowalski'],
    });
    expect(home.apply(plan)).toEqual({ outcome: 'added' });
    expect(home.read(`${ENTITIES}/person--vera-kowalski.md`)).toBe(
      [
        '---',
        'id: person--vera-kowalski',
        'type: person',
        'name: Vera Kowalski',
        'aliases: [Vera]',
        'created: 2026-11-15T12:00:00Z',
        'updated: 2026-11-15T12:00:00Z',
        '---',
        '',
        '# Vera Kowalski',
        '',
      ].join('\n'),
    );
    expect(home.registry.resolve('Vera')).toMatchObject({ entity: plan.entity });
  });

  test.each([
    '../../x',
    '..',
    'CON',
    'nul.md',
    '🙂🙃',
    '❤️',
    'a/b\\c:d*e',
    '\u202Eevil\u202C name',
    'شركة الأمل',
    'x'.repeat(300),
    '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
    'line\nbreak --- # | [[x]] <!-- y -->',
    'name: "quoted" {a: b}',
    '\uD800 lonely',
    'Facts',
    '.git',
    'null',
    '12',
  ])('a name such as %j stays inside and can be found again', (name) => {
    const home = new StoreHome();
    const plan = home.entities.planAdd({ type: 'person', name });
    expect(home.apply(plan)).toEqual({ outcome: 'added' });
    const { path } = plan.entity;
    expect(parseWorkspacePath(path)).toBe(path);
    expect(path.startsWith(`${ENTITIES}/person--`)).toBe(true);
    expect(checkFile(path, home.read(path))).toEqual([]);
    expect(home.registry.resolve(name)).toMatchObject({ kind: 'entity', entity: { path } });
    expect(home.apply(home.entities.planAdd({ type: 'person', name }))).toEqual({ outcome: 'present' });
    home.apply(home.entities.planFact(plan.entity, { text: 'Is here.' }));
    expect(home.entity(path).facts).toMatchObject([{ text: 'Is here.' }]);
    expect(home.files(ENTITIES)).toHaveLength(1);
  });

  test.each(['', '  \n ', '\u202E', 'x'.repeat(301)])('%j is no name', (name) => {
    expect(() => new StoreHome().entities.planAdd({ type: 'person', name })).toThrow(/name/u);
  });

  test('a hostile type stays a folder-less part of the name', () => {
    const home = new StoreHome();
    const { path } = home.entities.planAdd({ type: '../../etc', name: 'x' }).entity;
    expect(path).toBe(`${ENTITIES}/etc--x.md`);
  });

  test('that is there is filled in, never overwritten', () => {
    const home = new StoreHome();
    const file = `${ENTITIES}/project--atlas.md`;
    const mine =
      '---\r\n# mine\r\ntype: project\r\nname: Atlas\r\nproperties: {stack: [go]}\r\nupdated: 2020-01-01\r\n---\r\n\r\n## Summary\r\n\r\nMy words.\r\n';
    home.write(file, mine);
    const outcome = home.apply(
      home.entities.planAdd({
        type: 'project',
        name: 'atlas',
        aliases: ['The Map'],
        status: 'active',
        properties: { stack: ['rust'], deadline: '2027-01-01' },
        summary: 'Machine words.',
      }),
    );
    expect(outcome).toEqual({ outcome: 'merged' });
    expect(home.read(file)).toBe(
      '---\r\n# mine\r\ntype: project\r\nname: Atlas\r\nproperties: {stack: [go], deadline: 2027-01-01}\r\nupdated: 2026-11-15T12:00:00Z\r\naliases:\r\n  - The Map\r\nstatus: active\r\n---\r\n\r\n## Summary\r\n\r\nMy words.\r\n',
    );
  });

  test('two who plan the same before either writes make one file', () => {
    const home = new StoreHome();
    const first = home.entities.planAdd({ type: 'person', name: 'Ada', aliases: ['A'] });
    const second = home.entities.planAdd({ type: 'person', name: 'ADA', aliases: ['Countess'] });
    expect(home.apply(first)).toEqual({ outcome: 'added' });
    expect(home.apply(second)).toEqual({ outcome: 'merged' });
    expect(home.files(ENTITIES)).toEqual(['person--ada.md']);
    expect(home.entity(`${ENTITIES}/person--ada.md`).frontmatter.aliases).toEqual(['A', 'Countess']);
  });

  test('who has a file under another name is not given a second one', () => {
    const home = new StoreHome();
    const file = `${ENTITIES}/person--my-sister.md`;
    home.write(file, '---\nname: Lena\naliases: [Leni]\n---\n');
    expect(home.entities.planAdd({ type: 'person', name: 'Leni' }).entity.path).toBe(file);
    expect(home.entities.planAdd({ type: 'tool', name: 'Leni' }).entity.path).toBe(`${ENTITIES}/tool--leni.md`);
  });

  test('somebody else with the same name gets a file of their own, and never the one made meanwhile', () => {
    const home = new StoreHome();
    home.apply(home.entities.planAdd({ type: 'person', name: 'Jonas' }));
    const one = home.entities.planAdd({ type: 'person', name: 'Jonas', isDistinct: true });
    const two = home.entities.planAdd({ type: 'person', name: 'Jonas', isDistinct: true });
    home.apply(one);
    expect(() => home.apply(two)).toThrow(/made meanwhile/u);
    expect(home.files(ENTITIES)).toEqual(['person--jonas-2.md', 'person--jonas.md']);
    expect(home.registry.resolve('Jonas')).toMatchObject({ kind: 'candidates' });
  });

  test('a broken file is reported and stays as it is, whether it was known before or not', () => {
    const home = new StoreHome();
    const file = `${ENTITIES}/person--eva.md`;
    const broken = '---\nname: [Eva\n---\n\n# Eva\n';
    const early = home.entities.planAdd({ type: 'person', name: 'Eva', aliases: ['E'] });
    const fact = home.entities.planFact(early.entity, { text: 'Sings.' });
    home.write(file, broken);
    expect(() => home.apply(early)).toThrow(/left as it is/u);
    expect(() => home.apply(fact)).toThrow(/left as it is/u);
    expect(() => home.entities.planAdd({ type: 'person', name: 'Eva' })).toThrow(/broken YAML/u);
    const known = home.registry.findByPath(file);
    expect(() => home.entities.planFact(known ?? early.entity, { text: 'Sings.' })).toThrow(/broken YAML/u);
    expect(home.read(file)).toBe(broken);
  });

  test('an alias that somebody else has is kept and told', () => {
    const home = new StoreHome();
    home.apply(home.entities.planAdd({ type: 'person', name: 'Max Moor' }));
    const anna = home.entities.planAdd({ type: 'person', name: 'Anna' });
    home.apply(anna);
    const plan = home.entities.planAlias(anna.entity, 'max moor');
    home.apply(plan);
    expect(plan.notes).toEqual(['Max Moor (person--max-moor) is called "max moor" too.']);
    expect(home.entity(anna.entity.path).frontmatter.aliases).toEqual(['max moor']);
    const before = home.read(anna.entity.path);
    home.nowMs += 60_000;
    home.apply(home.entities.planAlias(anna.entity, 'MAX MOOR'));
    home.apply(home.entities.planAlias(anna.entity, 'anna'));
    expect(home.read(anna.entity.path)).toBe(before);
  });
});
