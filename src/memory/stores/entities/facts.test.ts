import { describe, expect, test } from 'vitest';
import { must } from '../../../model/errors.ts';
import { StoreHome } from '../testing/store-home.ts';
import type { EntityRef } from './entity-edit.ts';

function withVera(): { readonly home: StoreHome; readonly vera: EntityRef } {
  const home = new StoreHome();
  const plan = home.entities.planAdd({ type: 'person', name: 'Vera' });
  home.apply(plan);
  home.nowMs += 3_600_000;
  return { home, vera: plan.entity };
}

describe('facts', () => {
  test('"I moved to Berlin" after "I live in Munich": one holds, one is struck, both are dated', () => {
    const { home, vera } = withVera();
    const { id: munich } = home.apply(
      home.entities.planFact(vera, {
        text: 'Lives in Munich.',
        attribute: 'residence',
        value: 'Munich',
        meta: { from: '2019' },
      }),
    );
    home.nowMs += 86_400_000;
    const outcome = home.apply(
      home.entities.planSupersede(vera, munich, {
        replacement: { text: 'Lives in Berlin.', attribute: 'residence', value: 'Berlin', meta: { from: '2026-11' } },
      }),
    );
    const berlin = must(outcome.replacement, 'the new fact').id;
    const text = home.read(vera.path);
    expect(text).toContain(
      `- ~~Lives in Munich.~~ (until 2026-11) <!-- from:2019 learned:2026-11-15 superseded_by:${berlin} attribute:residence value:Munich --> ^${munich}\n` +
        `- Lives in Berlin. <!-- from:2026-11 learned:2026-11-16 supersedes:[${munich}] attribute:residence value:Berlin --> ^${berlin}\n`,
    );
    expect(text).toContain('updated: 2026-11-16T13:00:00Z');
    const textsAt = (moment: object): string[] => home.entities.currentFacts(vera, moment).map((fact) => fact.text);
    expect(textsAt({})).toEqual(['Lives in Berlin.']);
    expect(textsAt({ at: '2024-05-01' })).toEqual(['Lives in Munich.']);
    expect(textsAt({ at: '2018-12-31' })).toEqual([]);
    expect(textsAt({ at: '2026-11-20', knownAt: '2026-11-15' })).toEqual(['Lives in Munich.']);
    expect(textsAt({ at: '2026-11-20', knownAt: '2026-11-16' })).toEqual(['Lives in Berlin.']);
    expect(textsAt({ at: '2026-11-20', knownAt: '2026-11-14' })).toEqual([]);
  });

  test('the same words again count as verified, unless they rest on the same evidence', () => {
    const { home, vera } = withVera();
    const fact = (evidence: string) => ({ text: 'Likes tea.', meta: { evidence: [evidence] } });
    const first = home.apply(home.entities.planFact(vera, fact('ses_1#t1')));
    expect(home.apply(home.entities.planFact(vera, fact('ses_1#t1')))).toEqual({ id: first.id, outcome: 'present' });
    const again = { ...fact('ses_2#t4'), text: ' likes  TEA ' };
    expect(home.apply(home.entities.planFact(vera, again))).toEqual({ id: first.id, outcome: 'reinforced' });
    home.apply(home.entities.planReinforce(vera, first.id, { date: '2026-12-01' }));
    expect(home.entity(vera.path).facts).toMatchObject([
      { text: 'Likes tea.', meta: { verified: 2, last_verified: '2026-12-01', evidence: ['ses_1#t1', 'ses_2#t4'] } },
    ]);
  });

  test('superseding twice is superseding once; by something else it is a conflict', () => {
    const { home, vera } = withVera();
    const { id } = home.apply(home.entities.planFact(vera, { text: 'Uses Vim.' }));
    const emacs = { replacement: { text: 'Uses Emacs.' } };
    const [one, two] = [home.entities.planSupersede(vera, id, emacs), home.entities.planSupersede(vera, id, emacs)];
    const other = home.entities.planSupersede(vera, id, { replacement: { text: 'Uses Helix.' } });
    const done = home.apply(one);
    expect(home.apply(two)).toEqual({ superseded: id, replacement: { id: done.replacement?.id, outcome: 'present' } });
    expect(() => home.apply(other)).toThrow(/replaced by something else/u);
    expect(home.entity(vera.path).facts.map(({ text }) => text)).toEqual(['Uses Vim.', 'Uses Emacs.']);
  });

  test('what replaces a fact may stand there already', () => {
    const { home, vera } = withVera();
    const { id } = home.apply(home.entities.planFact(vera, { text: 'Works at Ost.' }));
    const { id: west } = home.apply(home.entities.planFact(vera, { text: 'Works at West.' }));
    home.apply(home.entities.planSupersede(vera, id, { replacement: { text: 'Works at West.' } }));
    expect(home.entity(vera.path).facts).toMatchObject([
      { isSuperseded: true, meta: { superseded_by: west } },
      { id: west, isSuperseded: false, meta: { supersedes: [id], verified: 1 } },
    ]);
    const itself = home.entities.planSupersede(vera, west, { replacement: { text: 'works at west' } });
    expect(() => home.apply(itself)).toThrow(/says the same/u);
  });

  test('an older log does not end a fact that began later', () => {
    const { home, vera } = withVera();
    const { id } = home.apply(home.entities.planFact(vera, { text: 'Lives in Graz.', meta: { from: '2025-03' } }));
    const late = home.entities.planSupersede(vera, id, {
      until: '2021-01-01',
      replacement: { text: 'Lives in Linz.' },
    });
    expect(() => home.apply(late)).toThrow(/holds since 2025-03/u);
    const { id: undated } = home.apply(home.entities.planFact(vera, { text: 'Has a cat.' }));
    const dog = { text: 'Has a dog.', meta: { learned: '2024-05-01' } };
    const imported = home.entities.planSupersede(vera, undated, { replacement: dog });
    expect(() => home.apply(imported)).toThrow(
      /A fact of 2024-05-01 cannot replace .* which was learned on 2026-11-15/u,
    );
    home.apply(home.entities.planSupersede(vera, undated));
    home.apply(home.entities.planFact(vera, { text: 'Lives in Linz.', meta: { from: '2021', until: '2025-03' } }));
    expect(home.read(vera.path)).toContain('- ~~Lives in Linz.~~ (until 2025-03)');
    const then = home.entities.currentFacts(vera, { at: '2022-01-01' });
    expect(then.map(({ text }) => text)).toEqual(['Has a cat.', 'Lives in Linz.']);
  });

  test('a person’s bullet without an anchor is found by the id it goes by, and keeps its form', () => {
    const { home } = withVera();
    const file = 'memory/graph/entities/person--bo.md';
    home.write(file, '# Bo\n\nBo is fine.\n\n## Facts\n* Plays the *harp*\n* Lives in Rome\n\n## My notes\n- keep\n');
    const bo = must(home.registry.findByPath(file), 'Bo');
    const harp = must(home.entities.read(bo).facts[0]?.id, 'an id');
    home.apply(home.entities.planSupersede(bo, harp, { until: '2026-01' }));
    expect(home.read(file)).toBe(
      `# Bo\n\nBo is fine.\n\n## Facts\n* ~~Plays the *harp*~~ (until 2026-01) ^${harp}\n* Lives in Rome\n\n## My notes\n- keep\n`,
    );
  });

  test('an id that is gone, a file that is gone', () => {
    const { home, vera } = withVera();
    const gone = { ...vera, path: 'memory/graph/entities/person--gone.md' };
    expect(() => home.apply(home.entities.planReinforce(vera, '7k2m9x0q4t1za'))).toThrow(/no item/u);
    expect(() => home.apply(home.entities.planFact(gone, { text: 'x' }))).toThrow(/no file/u);
    expect(() => home.entities.planFact(vera, { text: ' ~~ ~~ ' })).toThrow(/needs words/u);
  });
});

describe('tasks and decisions', () => {
  test('a task is set once, ticked, dropped, and set again when it was closed', () => {
    const { home, vera } = withVera();
    const task = { text: 'Call the bank', due: '2026-12-01', owner: 'Vera' };
    const { id } = home.apply(home.entities.planTask(vera, task));
    expect(home.apply(home.entities.planTask(vera, task))).toEqual({ id, outcome: 'present' });
    const done = { status: 'done', why: 'they called back' } as const;
    expect(home.apply(home.entities.planTaskState(vera, id, done))).toEqual({ outcome: 'changed' });
    expect(home.apply(home.entities.planTaskState(vera, id, done))).toEqual({ outcome: 'present' });
    expect(home.read(vera.path)).toContain(
      `- [x] Call the bank <!-- due:2026-12-01 outcome:"they called back" owner:Vera closed:2026-11-15 --> ^${id}`,
    );
    expect(home.apply(home.entities.planTask(vera, task)).outcome).toBe('added');
    home.apply(home.entities.planTaskState(vera, id, { status: 'open' }));
    expect(home.entity(vera.path).tasks).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    expect(home.read(vera.path)).not.toContain('closed:');
  });

  test('tasks go under a person’s own heading', () => {
    const { home } = withVera();
    const file = 'memory/graph/entities/project--x.md';
    home.write(file, '# X\n\n## Tasks:\n\n- [ ] Mine\n');
    home.apply(home.entities.planTask(must(home.registry.findByPath(file), 'X'), { text: 'Ours' }));
    expect(home.entity(file).tasks.map(({ text }) => text)).toEqual(['Mine', 'Ours']);
    expect(home.read(file).match(/^## /gmu)).toHaveLength(1);
  });

  test('a decision that is reversed says so where a person reads it', () => {
    const { home, vera } = withVera();
    const { id } = home.apply(
      home.entities.planDecision(vera, { text: 'Use Postgres.', date: '2026-10-01', rationale: 'known well' }),
    );
    const reversal = { status: 'reversed', date: '2026-11-15', why: 'SQLite is enough' } as const;
    home.apply(home.entities.planDecisionState(vera, id, reversal));
    expect(home.read(vera.path)).toContain(
      [
        `- 2026-10-01: Use Postgres. <!-- status:reversed until:2026-11-15 --> ^${id}`,
        '  - Rationale: known well',
        '  - Reversed: 2026-11-15 — SQLite is enough',
        '',
      ].join('\n'),
    );
    expect(home.entity(vera.path).decisions).toMatchObject([
      { text: 'Use Postgres.', rationale: 'known well', ended: '2026-11-15 — SQLite is enough' },
    ]);
    expect(home.apply(home.entities.planDecisionState(vera, id, reversal))).toEqual({ outcome: 'present' });
    expect(home.apply(home.entities.planDecision(vera, { text: 'use postgres' })).outcome).toBe('added');
  });
});

describe('relations', () => {
  test.each([
    ['works-for', 'organization', 'works-for', undefined],
    ['Works at', 'organization', 'works-for', '"works-at" is written as works-for.'],
    ['work-for', 'organization', 'works-for', '"work-for" is written as works-for.'],
    ['works-fro', 'organization', 'works-for', '"works-fro" is written as works-for.'],
    ['developing', 'project', 'develops', '"developing" is written as develops.'],
    ['wife-of', 'person', 'married-to', '"wife-of" is written as married-to.'],
    ['partner-of', 'person', 'family-of', '"partner-of" is written as family-of.'],
    ['married-to', 'tool', 'relates-to', '"married-to" leads to person, not to tool. It is kept as relates-to.'],
    [
      'owes-money-to',
      'person',
      'relates-to',
      'relations.md has no word for "owes-money-to"; it is kept as relates-to.',
    ],
  ])('%s → %s is %s', (said, type, written, note) => {
    const { home, vera } = withVera();
    const to = { id: `${type}--other`, type };
    const plan = home.entities.planRelation(vera, { relation: said, to });
    const { id } = home.apply(plan);
    expect(plan.notes).toEqual(note === undefined ? [] : [`Vera ${said} ${to.id}: ${note}`]);
    expect(home.entity(vera.path).relations).toMatchObject([{ id, relation: written, target: to.id }]);
    expect(home.apply(home.entities.planRelation(vera, { relation: said, to }))).toEqual({ id, outcome: 'present' });
    home.apply(home.entities.planSupersede(vera, id, { until: '2026-11-15' }));
    expect(home.entity(vera.path).relations).toMatchObject([{ id, isSuperseded: true, target: to.id }]);
  });

  test('a person’s own vocabulary counts as soon as it is written', () => {
    const { home, vera } = withVera();
    const owes = { relation: 'owes-money-to', to: { id: 'person--bo', type: 'person' } };
    expect(home.entities.planRelation(vera, owes).relation).toBe('relates-to');
    home.write('memory/graph/relations.md', '# Relations\n\n- `owes-money-to` — person → person\n');
    expect(home.entities.planRelation(vera, owes).relation).toBe('owes-money-to');
    const { entity: ada } = home.entities.planAdd({ type: 'person', name: 'Ada', scope: 'project:apollo' });
    const trains = { relation: 'trains', to: { id: 'person--bo', type: 'person' } };
    home.write('memory/scopes/project--apollo/memory/graph/relations.md', '- `trains` — person → person\n');
    expect(home.entities.planRelation(ada, trains).relation).toBe('trains');
    expect(home.entities.planRelation(vera, trains).relation).toBe('relates-to');
  });
});
