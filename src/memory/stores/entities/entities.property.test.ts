import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMnemeError, must } from '../../../model/errors.ts';
import { checkFile } from '../../../workspace/formats/findings.ts';
import { StoreHome } from '../testing/store-home.ts';
import { currentFacts } from './current-facts.ts';
import type { EntityRef } from './entity-edit.ts';

/** Random sequences of plans against a plain model: nothing is lost, no id twice, and reading again shows it all. */

const names = fc.constantFrom('Ada', 'Bo', 'Čeda', '🙂', '../x', 'CON', 'Facts', 'Ada Lovelace');
const texts = fc.oneof(
  fc.constantFrom(
    'Likes tea',
    'Lives in Rome',
    '# heading',
    '- dash',
    '[ ] box',
    '<!-- pinned -->',
    'a ^b',
    '`x',
    '1. one',
  ),
  fc.string({ minLength: 1, maxLength: 30 }),
);

type Step =
  | { readonly kind: 'fact' | 'task' | 'decision'; readonly name: string; readonly text: string }
  | { readonly kind: 'supersede' | 'reinforce' | 'close' | 'reverse'; readonly at: number; readonly text: string }
  | { readonly kind: 'relation'; readonly name: string; readonly to: string }
  | { readonly kind: 'note'; readonly name: string };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('fact' as const, 'task' as const, 'decision' as const), name: names, text: texts }),
  fc.record({
    kind: fc.constantFrom('supersede' as const, 'reinforce' as const, 'close' as const, 'reverse' as const),
    at: fc.nat(20),
    text: texts,
  }),
  fc.record({ kind: fc.constant('relation' as const), name: names, to: names }),
  fc.record({ kind: fc.constant('note' as const), name: names }),
);

interface ModelItem {
  readonly kind: 'facts' | 'tasks' | 'decisions' | 'relations';
  readonly path: string;
  readonly text: string;
  isOver: boolean;
}

class Model {
  readonly home = new StoreHome();
  readonly items = new Map<string, ModelItem>();
  readonly #notes = new Map<string, string>();
  readonly #problems: string[] = [];

  entity(name: string): EntityRef {
    const plan = this.home.entities.planAdd({ type: 'person', name });
    this.home.apply(plan);
    return plan.entity;
  }

  run(step: Step): void {
    this.home.nowMs += 1000;
    if (step.kind === 'note') this.#addNote(step.name);
    else if (step.kind === 'relation') this.#addRelation(step.name, step.to);
    else if ('name' in step) this.#state(step);
    else this.#change(step);
  }

  #state({ kind, name, text }: Extract<Step, { kind: 'fact' | 'task' | 'decision' }>): void {
    const { entities } = this.home;
    const entity = this.entity(name);
    const plan = {
      fact: () => entities.planFact(entity, { text }),
      task: () => entities.planTask(entity, { text }),
      decision: () => entities.planDecision(entity, { text }),
    }[kind];
    const isEmpty = (kind === 'fact' ? text.replaceAll(/~~+/gu, '') : text).trim() === '';
    if (isEmpty) return;
    const { id, outcome } = this.home.apply<{ readonly id: string; readonly outcome: string }>(plan());
    if (outcome === 'added') this.items.set(id, { kind: `${kind}s`, path: entity.path, text, isOver: false });
    if (this.items.get(id)?.path !== entity.path) this.#problems.push(`${id} stands in another file`);
  }

  #addRelation(name: string, to: string): void {
    const [from, target] = [this.entity(name), this.entity(to)];
    const { id, outcome } = this.home.apply(this.home.entities.planRelation(from, { relation: 'knows', to: target }));
    if (outcome === 'added') this.items.set(id, { kind: 'relations', path: from.path, text: target.id, isOver: false });
  }

  #change({ kind, at, text }: Extract<Step, { at: number }>): void {
    const wanted = { supersede: 'facts', reinforce: 'facts', close: 'tasks', reverse: 'decisions' }[kind];
    const open = [...this.items].filter(([, item]) => item.kind === wanted && !item.isOver);
    const [id, item] = open[at % Math.max(1, open.length)] ?? [];
    if (id === undefined || item === undefined) return;
    const entity = must(this.home.registry.findByPath(item.path), item.path);
    const { entities } = this.home;
    if (kind === 'reinforce') this.home.apply(entities.planReinforce(entity, id));
    else if (kind === 'close') this.home.apply(entities.planTaskState(entity, id, { status: 'done' }));
    else if (kind === 'reverse')
      this.home.apply(entities.planDecisionState(entity, id, { status: 'reversed', why: text }));
    else if (!this.#supersede(entity, id, text)) return;
    item.isOver = kind !== 'reinforce';
  }

  #supersede(entity: EntityRef, id: string, text: string): boolean {
    try {
      const { replacement } = this.home.apply(this.home.entities.planSupersede(entity, id, { replacement: { text } }));
      const next = must(replacement, 'what replaces it');
      if (next.outcome === 'added') this.items.set(next.id, { kind: 'facts', path: entity.path, text, isOver: false });
      return true;
    } catch (error) {
      // The same words, or none at all.
      if (isMnemeError(error, 'usage')) return false;
      throw error;
    }
  }

  /** A person writes into the file, wherever they like. */
  #addNote(name: string): void {
    const { path } = this.entity(name);
    const note = `Note ${this.#notes.size} of a person.`;
    this.home.write(path, `${this.home.read(path)}\n## Mine ${this.#notes.size}\n\n${note}\n`);
    this.#notes.set(note, path);
  }

  /** Describes the differences between files and model. */
  findProblems(): string[] {
    const seen = new Set<string>();
    const problems = [...this.#problems];
    for (const file of this.home.files('memory/graph/entities')) {
      const path = `memory/graph/entities/${file}`;
      problems.push(...checkFile(path, this.home.read(path)).map(({ message }) => message));
      const entity = this.home.entity(path);
      for (const kind of ['facts', 'tasks', 'decisions', 'relations'] as const) {
        for (const { id = 'no id' } of entity[kind]) {
          const known = this.items.get(id);
          if (seen.has(id) || known?.kind !== kind || known.path !== path) problems.push(`${id} in ${path}`);
          seen.add(id);
        }
      }
      const open = [...this.items].filter(([, item]) => item.kind === 'facts' && item.path === path && !item.isOver);
      const current = new Set(currentFacts(entity.facts, { at: '2026-11-16' }).map(({ id }) => id));
      const wanted = new Set<string | undefined>(open.map(([id]) => id));
      if (current.symmetricDifference(wanted).size > 0) problems.push(`what holds in ${path}`);
    }
    problems.push(...[...this.items.keys()].filter((id) => !seen.has(id)).map((id) => `${id} is lost`));
    for (const [note, path] of this.#notes) if (!this.home.read(path).includes(`\n${note}\n`)) problems.push(note);
    return problems;
  }
}

// SPEC LEARN-5
test('whatever is planned in whatever order', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 25 }), (sequence) => {
      const model = new Model();
      for (const step of sequence) model.run(step);
      expect(model.findProblems()).toEqual([]);
      model.home.registry.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);
