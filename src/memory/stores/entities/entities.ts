import { MnemeError } from '../../../model/errors.ts';
import type { Entity } from '../../../workspace/formats/entity.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { today, type Plan, type StoreParts } from '../plan.ts';
import { MAX_ENTITY_BYTES, readHeadText, readText, stampOf } from '../registry/entity-files.ts';
import type { EntityRegistry } from '../registry/registry.ts';
import { planAdd, planAlias, type EntityPlan, type NewEntity } from './add.ts';
import { currentFacts, type Moment } from './current-facts.ts';
import { type EntityRef, parseEntityWithIds } from './entity-edit.ts';
import {
  planFact,
  planReinforce,
  planSupersede,
  type FactStated,
  type FactSuperseded,
  type NewFact,
  type Reinforcement,
  type Supersession,
} from './facts.ts';
import { Ontologies, planRelation, type NewRelation, type RelationPlan } from './relations.ts';
import {
  planDecision,
  planDecisionState,
  planTask,
  planTaskState,
  type DecisionChange,
  type ItemStated,
  type NewDecision,
  type NewTask,
  type StateChanged,
  type TaskChange,
} from './tasks.ts';

/** The semantic store: one file an entity. Plans changes to them, and never writes. */
export class Entities {
  readonly registry: EntityRegistry;
  readonly #parts: StoreParts;
  readonly #ontologies: Ontologies;

  constructor(parts: StoreParts, registry: EntityRegistry) {
    this.#parts = parts;
    this.registry = registry;
    this.#ontologies = new Ontologies(parts.root);
  }

  /** The whole file, every bullet with its id, or the beginning of one that is too large; throws when it is gone. */
  read(entity: Pick<EntityRef, 'path' | 'name'>): Entity {
    const { root } = this.#parts;
    const isTooLarge = (stampOf(root, entity.path)?.size ?? 0) > MAX_ENTITY_BYTES;
    const text = isTooLarge ? readHeadText(root, entity.path) : readText(root, entity.path);
    if (text === undefined) {
      throw new MnemeError('not-found', `${entity.name} has no file ${entity.path} any more.`);
    }
    return parseEntityWithIds(parseDocument(text), entity.path);
  }

  /** The facts that held at a time, as they were known at a time; the current ones when neither is given. */
  currentFacts(entity: Pick<EntityRef, 'path' | 'name'>, moment: Partial<Moment> = {}): Entity['facts'] {
    return currentFacts(this.read(entity).facts, { at: today(this.#parts), ...moment });
  }

  planAdd(entity: NewEntity): EntityPlan {
    return planAdd(this.#parts, this.registry, entity);
  }

  planAlias(entity: EntityRef, alias: string): Plan {
    return planAlias(this.#parts, this.registry, entity, alias);
  }

  planFact(entity: EntityRef, fact: NewFact): Plan<FactStated> {
    return planFact(this.#parts, entity, fact);
  }

  planSupersede(entity: EntityRef, id: string, supersession: Supersession = {}): Plan<FactSuperseded> {
    return planSupersede(this.#parts, entity, id, supersession);
  }

  planReinforce(entity: EntityRef, id: string, confirmed: Reinforcement = {}): Plan<FactStated> {
    return planReinforce(this.#parts, entity, id, confirmed);
  }

  planTask(entity: EntityRef, task: NewTask): Plan<ItemStated> {
    return planTask(this.#parts, entity, task);
  }

  planTaskState(entity: EntityRef, id: string, change: TaskChange): Plan<StateChanged> {
    return planTaskState(this.#parts, entity, id, change);
  }

  planDecision(entity: EntityRef, decision: NewDecision): Plan<ItemStated> {
    return planDecision(this.#parts, entity, decision);
  }

  planDecisionState(entity: EntityRef, id: string, change: DecisionChange): Plan<StateChanged> {
    return planDecisionState(this.#parts, entity, id, change);
  }

  planRelation(from: EntityRef, relation: NewRelation): RelationPlan {
    return planRelation(this.#parts, this.#ontologies.for(from), from, relation);
  }
}
