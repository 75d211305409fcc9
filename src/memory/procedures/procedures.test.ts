import { describe, expect, test } from 'vitest';
import { must } from '../../model/errors.ts';
import { checkFile } from '../../workspace/formats/findings.ts';
import { StoreHome } from '../stores/testing/store-home.ts';

const DEPLOY = {
  name: 'Deploy the shop',
  trigger: 'When the user asks to deploy the shop',
  steps: ['Run the tests', 'Push a tag'],
  notes: ['Never on Fridays'],
  learnedFrom: ['ses_1#t4'],
};

describe('procedures', () => {
  test('a new one is a file', () => {
    const home = new StoreHome();
    const plan = home.procedures.planAdd(DEPLOY);
    expect(home.apply(plan)).toEqual({ added: 2 });
    expect(plan.path).toBe('memory/procedures/deploy-the-shop.md');
    expect(checkFile(plan.path, home.read(plan.path))).toEqual([]);
    expect(home.procedures.all()).toMatchObject([
      {
        path: plan.path,
        procedure: {
          name: 'Deploy the shop',
          steps: [{ description: 'Run the tests' }, { description: 'Push a tag' }],
          notes: [{ text: 'Never on Fridays' }],
          learnedFrom: [{ text: 'ses_1#t4' }],
        },
      },
    ]);
  });

  test('one from an old log is as old as its words, and never from the future', () => {
    const home = new StoreHome();
    const old = home.procedures.planAdd({ ...DEPLOY, saidMs: Date.UTC(2020, 2, 7, 9) });
    home.apply(old);
    expect(home.read(old.path)).toContain('updated: 2020-03-07T09:00:00Z\n');
    expect(home.read(old.path)).not.toContain('learned: 2020');
    const odd = home.procedures.planAdd({ ...DEPLOY, name: 'Close the shop', saidMs: Date.UTC(2999, 0, 1) });
    home.apply(odd);
    expect(home.read(odd.path)).not.toContain('2999');
  });

  test('steps, notes and sources are added once; a person’s lines keep every byte', () => {
    const home = new StoreHome();
    const file = 'memory/procedures/bake.md';
    const mine =
      '# Bake\n\nMy grandmother’s way.\n\n## Procedure\n\n1) Knead\n   - long\n2) Wait\n\n## Family\n- secret\n';
    home.write(file, mine);
    const bake = must(home.procedures.all()[0], 'bake');
    expect(home.apply(home.procedures.planSteps(bake, ['knead', 'Bake at 230°']))).toEqual({ added: 1 });
    home.apply(home.procedures.planNotes(bake, ['Smells great', 'smells great.']));
    home.apply(home.procedures.planLearnedFrom(bake, ['ses_2']));
    const text = home.read(file);
    expect(text).toContain('1) Knead\n   - long\n2) Wait\n3. Bake at 230°\n\n## Family\n- secret\n');
    expect(text.startsWith('# Bake\n\nMy grandmother’s way.\n\n')).toBe(true);
    expect(must(home.procedures.all()[0], 'bake').procedure).toMatchObject({
      steps: [{ description: 'Knead' }, { description: 'Wait' }, { description: 'Bake at 230°' }],
      notes: [{ text: 'Smells great' }],
      learnedFrom: [{ text: 'ses_2' }],
    });
  });

  test('two who learn the same at once make one file; another of that file name gets its own', () => {
    const home = new StoreHome();
    const [one, two] = [home.procedures.planAdd(DEPLOY), home.procedures.planAdd({ ...DEPLOY, steps: ['Tell Ada'] })];
    home.apply(one);
    expect(home.apply(two)).toEqual({ added: 1 });
    expect(home.procedures.all()[0]?.procedure.steps).toHaveLength(3);
    home.apply(home.procedures.planAdd({ ...DEPLOY, name: 'Deploy: the shop!', steps: ['x'] }));
    home.apply(home.procedures.planAdd({ ...DEPLOY, name: 'Deploy+the+shop', steps: ['x'] }));
    expect(home.files('memory/procedures')).toEqual(['deploy-the-shop-2.md', 'deploy-the-shop.md']);
  });

  test('a broken file is reported and left', () => {
    const home = new StoreHome();
    const broken = '---\nname: [x\n---\n# Deploy the shop\n';
    home.write('memory/procedures/deploy-the-shop.md', broken);
    expect(() => home.procedures.planAdd(DEPLOY)).toThrow(/broken YAML/u);
    expect(home.read('memory/procedures/deploy-the-shop.md')).toBe(broken);
  });

  test.each(['../../x', 'CON', '🙂', 'x'.repeat(300), '\u202Eabc'])('a name such as %j stays inside', (name) => {
    const home = new StoreHome();
    const plan = home.procedures.planAdd({ ...DEPLOY, name });
    home.apply(plan);
    expect(plan.path).toMatch(/^memory\/procedures\/[^/\\]+\.md$/u);
    expect(home.apply(home.procedures.planAdd({ ...DEPLOY, name }))).toEqual({ added: 0 });
    expect(home.files('memory/procedures')).toHaveLength(1);
  });

  test('a procedure is found by the same words only', () => {
    const home = new StoreHome();
    home.apply(home.procedures.planAdd(DEPLOY));
    expect(home.procedures.findCalled('deploy shop')?.procedure.name).toBe('Deploy the shop');
    for (const name of ['Deploy the blog', 'How to deploy the shop', 'Deploying the shop']) {
      expect(home.procedures.findCalled(name)).toBeUndefined();
    }
  });

  test.each([
    ['Turn the pump on', 'Turn the pump off'],
    ['Grade A', 'Grade A-'],
  ])('%s and %s get a file each', (one, other) => {
    const home = new StoreHome();
    for (const name of [one, other]) home.apply(home.procedures.planAdd({ ...DEPLOY, name }));
    expect(home.files('memory/procedures')).toHaveLength(2);
  });
});
