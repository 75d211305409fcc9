import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { itemText } from '../../workspace/formats/item.ts';
import type { Ontology } from '../../workspace/formats/relations.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import type { Edge } from './statements.ts';
import type { Triple } from './triples.ts';

/** "- `works-for` + `part-of` → `works-for`": who works for a part works for the whole. */
export interface Rule {
  readonly first: string;
  readonly second: string;
  readonly gives: string;
}

const BULLET = /^`([^`]+)`\s*\+\s*`([^`]+)`\s*(?:→|->|=>|⇒)\s*`([^`]+)`(?:\s*[:—–-][\s\S]*)?$/u;

/** The rules a person wrote into `relations.md`, wherever they stand. */
export function parseRules(document: MarkdownDocument): Rule[] {
  return document.blocks.flatMap((block) => {
    const match = block.kind === 'item' ? BULLET.exec(itemText(block).trim()) : null;
    const [, first = '', second = '', gives = ''] = match ?? [];
    return match === null ? [] : [{ first, second, gives }];
  });
}

/** Something that follows from what is known and is not written anywhere. */
export interface Inference {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  /** The edges it follows from, in order. */
  readonly premises: readonly Edge[];
  /** Why, in the words of the ontology. */
  readonly rule: string;
  /** Never the user's: nobody said it. */
  readonly trust: Trust;
}

/** The depth to which conclusions are drawn from conclusions. */
const MAX_ROUNDS = 4;

export interface InferenceLimits {
  readonly max: number;
  /** Only what starts from or leads to this entity. */
  readonly about?: string | undefined;
}

interface Known {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly premises: readonly Edge[];
}

/**
 * Draws conclusions from the triples: a transitive relation reaches on, and a rule joins two. Relations read from the other
 * end or symmetric ones say nothing new; they are read both ways everywhere.
 */
export function inferFrom(
  triples: Iterable<Triple>,
  ontology: Ontology,
  rules: readonly Rule[],
  { max, about }: InferenceLimits,
): { readonly inferences: readonly Inference[]; readonly isCut: boolean } {
  const steps = stepsOf(ontology, rules);
  const facts = new KnownTriples(ontology);
  for (const { from, relation, to, edge } of triples) {
    if (steps.has(relation)) facts.add({ from, relation, to, premises: [edge] });
    else facts.note(from, relation, to);
  }
  const inferences: Inference[] = [];
  let fresh: readonly Known[] = facts.all();
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round += 1) {
    const next: Known[] = [];
    for (const known of fresh) {
      for (const [second, { gives, rule }] of steps.get(known.relation) ?? []) {
        for (const onward of facts.stated(known.to, second)) {
          const found = {
            from: known.from,
            relation: gives,
            to: onward.to,
            premises: [...known.premises, ...onward.premises],
          };
          if (found.from === found.to || facts.has(found)) continue;
          facts.add(found, true);
          next.push(found);
          if (about !== undefined && found.from !== about && found.to !== about) continue;
          if (inferences.length >= max) return { inferences, isCut: true };
          inferences.push({
            ...found,
            rule,
            trust: lowestTrust(['agent', ...found.premises.map(({ trust }) => trust)]),
          });
        }
      }
    }
    fresh = next;
  }
  return { inferences, isCut: false };
}

type Steps = ReadonlyMap<string, ReadonlyMap<string, { readonly gives: string; readonly rule: string }>>;

function stepsOf({ relations }: Ontology, rules: readonly Rule[]): Steps {
  const steps = new Map<string, Map<string, { gives: string; rule: string }>>();
  const add = (first: string, second: string, gives: string, rule: string): void => {
    const known = steps.get(first) ?? new Map<string, { gives: string; rule: string }>();
    steps.set(first, known.set(second, { gives, rule }));
  };
  for (const { name, isTransitive } of relations.values()) {
    if (isTransitive) add(name, name, name, `${name} reaches on`);
  }
  for (const { first, second, gives } of rules) add(first, second, gives, `${first} + ${second} → ${gives}`);
  for (const rule of rules) if (!steps.has(rule.second)) steps.set(rule.second, new Map());
  return steps;
}

class KnownTriples {
  readonly #ontology: Ontology;
  readonly #keys = new Set<string>();
  readonly #stated = new Map<string, Known[]>();

  constructor(ontology: Ontology) {
    this.#ontology = ontology;
  }

  add(known: Known, isInferred = false): void {
    this.note(known.from, known.relation, known.to);
    if (isInferred) return;
    const key = `${known.from}\n${known.relation}`;
    const list = this.#stated.get(key);
    if (list === undefined) this.#stated.set(key, [known]);
    else list.push(known);
  }

  note(from: string, relation: string, to: string): void {
    this.#keys.add(`${from}\n${relation}\n${to}`);
  }

  has({ from, relation, to }: Known): boolean {
    if (this.#keys.has(`${from}\n${relation}\n${to}`)) return true;
    return (
      this.#ontology.relations.get(relation)?.isSymmetric === true && this.#keys.has(`${to}\n${relation}\n${from}`)
    );
  }

  all(): Known[] {
    return [...this.#stated.values()].flat();
  }

  stated(from: string, relation: string): readonly Known[] {
    return this.#stated.get(`${from}\n${relation}`) ?? [];
  }
}
