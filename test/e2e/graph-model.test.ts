import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { findWikilinks } from '../../src/memory/graph/wikilinks.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../support/home.ts';

/*
 * Random operations on the graph against a model of sets: after each the files, the table and the links agree with it and
 * every link leads to a file; in the end a graph rebuilt from the files alone is the same.
 */

const NAMES = ['Ada', 'Bo', 'Čeda', 'Delta Works', '../../x', 'CON', 'Ada Lovelace', '🙂 Club', 'aux.md'];
const RELATIONS = ['knows', 'works-with', 'part-of', 'relates-to', 'depends-on', 'contains'];

type Step =
  | { readonly kind: 'add'; readonly name: number }
  | { readonly kind: 'fact'; readonly name: number }
  | { readonly kind: 'rename'; readonly name: number; readonly to: number }
  | { readonly kind: 'alias'; readonly name: number; readonly to: number }
  | {
      readonly kind: 'link' | 'unlink' | 'merge';
      readonly name: number;
      readonly to: number;
      readonly relation: number;
    };

const place = fc.nat(NAMES.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'fact' as const), name: place }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('rename' as const, 'alias' as const), name: place, to: place }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('link' as const, 'link' as const, 'unlink' as const, 'merge' as const),
      name: place,
      to: place,
      relation: fc.nat(RELATIONS.length - 1),
    }),
  },
);

interface Modelled {
  name: string;
  facts: number;
}

const INVERSES: Readonly<Record<string, string>> = { contains: 'part-of', 'required-by': 'depends-on' };
const SYMMETRIC = new Set(['knows', 'works-with', 'relates-to']);
const TRANSITIVE = new Set(['part-of', 'depends-on']);

/** Entities by a number of their own, and edges between those numbers as the ontology names them first. */
class Model {
  readonly entities = new Map<number, Modelled>();
  readonly edges = new Set<string>();
  #next = 0;

  add(name: string): number {
    this.#next += 1;
    this.entities.set(this.#next, { name, facts: 0 });
    return this.#next;
  }

  edge(from: number, relation: string, to: number): string {
    const name = INVERSES[relation] ?? relation;
    const isTurned = relation in INVERSES || (SYMMETRIC.has(name) && from > to);
    return isTurned ? `${to} ${name} ${from}` : `${from} ${name} ${to}`;
  }

  closesCircle(edge: string): boolean {
    const [from = '', relation = '', to = ''] = edge.split(' ');
    if (!TRANSITIVE.has(relation)) return false;
    const reached = new Set([to]);
    for (const at of reached) {
      for (const known of this.edges) {
        const [start, name, end = ''] = known.split(' ');
        if (start === at && name === relation) reached.add(end);
      }
    }
    return reached.has(from);
  }

  between(one: number, other: number): string[] {
    return [...this.edges].filter((edge) => {
      const [from, , to] = edge.split(' ').map(Number);
      return (from === one && to === other) || (from === other && to === one);
    });
  }

  merge(from: number, into: number): void {
    for (const edge of this.edges) {
      const [start = 0, relation = '', end = 0] = edge
        .split(' ')
        .map((word) => (/^\d+$/u.test(word) ? Number(word) : word));
      if (start !== from && end !== from) continue;
      this.edges.delete(edge);
      const [a, b] = [start === from ? into : start, end === from ? into : end] as [number, number];
      if (a !== b) this.edges.add(this.edge(a, String(relation), b));
    }
    const [gone, kept] = [this.entities.get(from), this.entities.get(into)];
    if (gone !== undefined && kept !== undefined) kept.facts += gone.facts;
    this.entities.delete(from);
  }
}

class Run {
  readonly home = path.join(makeTemporaryFolder('mneme-model-'), 'home');
  readonly model = new Model();
  /** The id of each entity of the model, as it is now. */
  readonly ids = new Map<number, string>();
  #m: Mneme | undefined;
  #facts = 0;

  get m(): Mneme {
    if (this.#m === undefined) throw new Error('the home is not open');
    return this.#m;
  }

  async open(): Promise<void> {
    if (this.#m === undefined && !fs.existsSync(this.home)) {
      await initHome({ home: this.home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
    }
    this.#m = await openMneme({ home: this.home, actor: 'manual', mode: 'brief' });
  }

  async close(): Promise<void> {
    await this.#m?.close();
    this.#m = undefined;
  }

  /** The entity of the model that stands at this place, counted round. */
  #at(index: number): number | undefined {
    const known = [...this.model.entities.keys()];
    return known[index % Math.max(1, known.length)];
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'add') return this.#add(step.name);
    const own = this.#at(step.name);
    if (own === undefined) return;
    if (step.kind === 'fact') return this.#fact(own);
    if (step.kind === 'alias') return void (await this.m.graph.alias(this.#id(own), `Alias ${step.to}`));
    if (step.kind === 'rename') return this.#rename(own, step.to);
    const other = this.#at(step.to);
    if (other === undefined || other === own) return;
    if (step.kind === 'merge') return this.#merge(own, other);
    const relation = RELATIONS[step.relation] ?? 'knows';
    return step.kind === 'link' ? this.#link(own, relation, other) : this.#unlink(own, other);
  }

  #id(entity: number): string {
    return this.ids.get(entity) ?? '';
  }

  async #add(name: number): Promise<void> {
    const words = NAMES[name] ?? '';
    const { entity } = await this.m.graph.add({ name: words, type: 'project', distinct: true });
    this.ids.set(this.model.add(words), entity.id);
  }

  async #fact(own: number): Promise<void> {
    this.#facts += 1;
    await this.m.graph.fact(this.#id(own), `Fact number ${this.#facts}, see [[${this.#id(own)}]].`);
    const modelled = this.model.entities.get(own);
    if (modelled !== undefined) modelled.facts += 1;
  }

  async #rename(own: number, to: number): Promise<void> {
    const name = `${NAMES[to] ?? ''} anew`;
    const { entity } = await this.m.graph.rename(this.#id(own), name);
    this.ids.set(own, entity.id);
    const modelled = this.model.entities.get(own);
    if (modelled !== undefined) modelled.name = name;
  }

  async #link(own: number, relation: string, other: number): Promise<void> {
    const edge = this.model.edge(own, relation, other);
    const given = this.m.graph.link(this.#id(own), relation, this.#id(other), { loose: true });
    if (this.model.closesCircle(edge)) {
      await this.#mustFail(given, 'refused');
      return;
    }
    // People know people: between projects such a word is kept as the general one.
    const { relation: written } = await given;
    this.model.edges.add(this.model.edge(own, written, other));
  }

  async #unlink(own: number, other: number): Promise<void> {
    const known = this.model.between(own, other);
    const given = this.m.graph.unlink(this.#id(own), this.#id(other));
    if (known.length === 0) {
      await this.#mustFail(given, 'not-found');
      return;
    }
    await given;
    for (const edge of known) this.model.edges.delete(edge);
  }

  async #mustFail(given: Promise<unknown>, code: string): Promise<void> {
    const outcome = await given.then(
      () => 'done',
      (error: unknown) => (isMnemeError(error) ? error.code : String(error)),
    );
    if (outcome !== code) throw new Error(`expected ${code}, got ${outcome}`);
  }

  async #merge(from: number, into: number): Promise<void> {
    const { proposal } = await this.m.graph.merge(this.#id(from), this.#id(into));
    await this.m.internals.proposals.approve(proposal, { actor: 'manual' });
    this.model.merge(from, into);
    this.ids.delete(from);
  }

  /** The graph as it answers, in the model's words. */
  async seen(): Promise<{ readonly entities: string[]; readonly edges: string[] }> {
    const numbers = new Map([...this.ids].map(([number, id]) => [id, number]));
    const { entities } = await this.m.graph.list();
    const shown = await Promise.all(entities.map(({ id }) => this.m.graph.show(id)));
    const edges = new Set<string>();
    for (const { entity, relations: links } of shown) {
      for (const { relation, other } of links) {
        edges.add(this.model.edge(numbers.get(entity.id) ?? -1, relation ?? '', numbers.get(other.id) ?? -1));
      }
    }
    return {
      entities: shown.map(({ entity, facts }) => `${numbers.get(entity.id)} ${entity.name} ${facts.length}`).sort(),
      edges: [...edges].sort(),
    };
  }

  expected(): { readonly entities: string[]; readonly edges: string[] } {
    return {
      entities: [...this.model.entities].map(([number, { name, facts }]) => `${number} ${name} ${facts}`).sort(),
      edges: [...this.model.edges].sort(),
    };
  }

  /** Links of the workspace that lead to no file, by Obsidian's rules. */
  brokenLinks(): string[] {
    const root = path.join(this.home, 'workspace');
    const files = fs
      .readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('proposals'));
    const names = new Set(files.map((file) => path.basename(file, '.md').toLowerCase()));
    return files.flatMap((file) =>
      findWikilinks(fs.readFileSync(path.join(root, file), 'utf8'))
        .filter(({ target }) => target !== '' && !names.has(target.toLowerCase()))
        .map(({ target }) => `${file}: ${target}`),
    );
  }
}

const runs: Run[] = [];
afterAll(async () => {
  for (const run of runs) await run.close();
});

// SPEC GRAPH-1
test('files, table and links agree with a simple model after every operation, and so does a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const run = new Run();
      runs.push(run);
      await run.open();
      for (const each of [{ kind: 'add', name: 0 } as const, { kind: 'add', name: 1 } as const, ...steps]) {
        await run.take(each);
        expect(await run.seen()).toEqual(run.expected());
        expect(run.brokenLinks()).toEqual([]);
      }
      const { text: before } = await run.m.graph.export({ format: 'json-ld' });
      await run.close();
      fs.rmSync(path.join(run.home, 'state', 'entities.db'), { force: true });
      await run.open();
      const { text: after } = await run.m.graph.export({ format: 'json-ld' });
      expect(after).toBe(before);
      await run.close();
    }),
    { numRuns: 12 },
  );
}, 240_000);
