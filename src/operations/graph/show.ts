import { z } from 'zod';
import type { Entity } from '../../workspace/formats/entity.ts';
import type { Scope } from '../../model/provenance.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { findContradictions, type Contradiction } from '../../memory/graph/contradictions.ts';
import { edgeHolds, relationFromHere } from '../../memory/graph/triples.ts';
import { type Moment, currentFacts, wasKnown } from '../../memory/stores/entities/current-facts.ts';
import { resolveMetadata } from '../../workspace/formats/defaults.ts';
import { proposalsAgainst, type ContradictingProposal } from '../proposals/find.ts';
import { defineVerb } from '../verb.ts';
import {
  entityField,
  momentOf,
  momentShape,
  nameOf,
  scopeField,
  type EntityName,
  type OpenGraph,
} from './open-graph.ts';
import { fitRelation } from '../../memory/stores/entities/relation-words.ts';
import { oneLine } from '../../model/text.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { isVisible } from './walk.ts';

/** A fact or relation that held before; a relation is a phrase ("works for Halden"). */
interface Former {
  readonly text: string;
  readonly from: string | null;
  readonly until: string | null;
}

/** Where something was last said of an entity. */
interface Mention {
  readonly session: string;
  readonly turn: string;
  readonly date: string;
  /** The statement learned from that turn. */
  readonly text: string;
}

const MAX_MENTIONS = 5;

/** Facts and relations that no longer hold, the latest end first. */
function formerOf(entity: Entity, ended: readonly ShownRelation[], moment: Moment): Former[] {
  const holding = new Set(currentFacts(entity.facts, moment));
  const facts = entity.facts
    .filter((fact) => !holding.has(fact) && wasKnown(fact, moment) && (fact.meta.from ?? '') <= moment.at)
    .map(({ text, meta }) => ({ text, from: meta.from ?? null, until: meta.until ?? null }));
  const relations = ended.map(({ relation, written, other, since, until }) => {
    const words = (relation ?? written).replaceAll('-', ' ');
    return { text: relation === null ? `${other.name} ${words}` : `${words} ${other.name}`, from: since, until };
  });
  return [...facts, ...relations].toSorted((one, other) => (other.until ?? '').localeCompare(one.until ?? ''));
}

/** The latest turns that facts, tasks, decisions and relations were learned from, each once. */
function mentionsOf(entity: Entity, moment: Moment): Mention[] {
  const items = [
    ...entity.facts,
    ...entity.tasks,
    ...entity.decisions,
    ...entity.relations.map(({ relation, target, meta }) => ({
      text: `${relation.replaceAll('-', ' ')} ${target}`,
      meta,
    })),
  ];
  const found = items
    .filter((item) => wasKnown(item, moment))
    .flatMap(({ text, meta }) => {
      const { session, turn, time, learned } = meta as FactMetadata;
      const date = (time ?? learned)?.slice(0, 10);
      return session === undefined || turn === undefined || date === undefined ? [] : [{ session, turn, date, text }];
    })
    .toSorted((one, other) => other.date.localeCompare(one.date));
  const isFirst = ({ session, turn }: Mention, place: number): boolean =>
    found.findIndex((other) => other.session === session && other.turn === turn) === place;
  return found.filter(isFirst).slice(0, MAX_MENTIONS);
}

const input = z.strictObject({
  entity: entityField,
  ...momentShape,
  all: z.boolean().default(false).describe('Also what no longer holds.'),
  scope: scopeField,
});

export type GraphShowInput = z.input<typeof input>;

export interface ShownFact {
  readonly id: string | null;
  readonly text: string;
  /** The words as they were given, where they were kept and the text still says the same. */
  readonly said?: string | undefined;
  readonly holds: boolean;
  readonly category: string | null;
  readonly attribute: string | null;
  readonly value: string | null;
  readonly from: string | null;
  readonly until: string | null;
  readonly learned: string | null;
  readonly confidence: number | string | null;
  readonly source: string;
  readonly trust: string;
  readonly verified: number;
  readonly premises: readonly string[];
  /** Proposals that wait and say otherwise. */
  readonly contradictedBy: readonly ContradictingProposal[];
}

export interface ShownRelation {
  readonly id: string;
  /** As it reads from this entity; null where the ontology has no word for that direction. */
  readonly relation: string | null;
  /** As it is written at the other end, for edges that lead here. */
  readonly written: string;
  /** The words it was stated in, where they differ from the written one and still stand for it. */
  readonly said?: readonly string[] | undefined;
  readonly direction: 'out' | 'in';
  readonly other: EntityName;
  readonly holds: boolean;
  readonly since: string | null;
  readonly until: string | null;
  readonly isInferred: boolean;
}

export interface ShownEntity {
  readonly entity: EntityName;
  readonly aliases: readonly string[];
  readonly status: string | null;
  readonly scope: string;
  readonly created: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly summary: string;
  readonly facts: readonly ShownFact[];
  /** Facts and relations that held before. */
  readonly formerly: readonly Former[];
  /** Where something was last said of it. */
  readonly mentions: readonly Mention[];
  readonly relations: readonly ShownRelation[];
  readonly tasks: readonly {
    readonly id: string | null;
    readonly text: string;
    readonly status: string;
    readonly due: string | null;
  }[];
  readonly decisions: readonly {
    readonly id: string | null;
    readonly text: string;
    readonly date: string | null;
    readonly rationale: string | null;
    readonly status: string;
  }[];
  readonly questions: readonly { readonly id: string | null; readonly text: string }[];
  /** Problems for a person to fix. */
  readonly findings: readonly Contradiction[];
}

export const graphShow = defineVerb({
  name: 'graph show',
  summary: 'Show an entity like a contact card: now, formerly, open tasks, relations, last mentions.',
  examples: ['mneme graph show Vera', 'mneme graph show Vera --at 2025-06'],
  input,
  args: ['entity'],
  effect: 'read',
  async run(context, given): Promise<ShownEntity> {
    const open = await context.parts.graph();
    const record = open.graph.get(given.entity, { scope: given.scope });
    const moment = momentOf(context, given);
    const entity = open.entities.read(record);
    const relations = relationsOf(open, record, moment, given.scope);
    return {
      entity: nameOf(record),
      aliases: record.aliases,
      status: record.status ?? null,
      scope: record.scope,
      created: record.created ?? null,
      properties: record.properties,
      summary: entity.summary,
      facts: factsOf(entity, moment, given.all, proposalsAgainst(context, given.scope)),
      formerly: formerOf(
        entity,
        relations.filter(({ holds }) => !holds),
        moment,
      ),
      mentions: mentionsOf(entity, moment),
      relations: relations.filter(({ holds }) => holds || given.all),
      ...itemsOf(entity, moment),
      findings: findContradictions(open.graph, moment, record),
    };
  },
  cli: { options: { at: { value: 'date' }, knownAt: { value: 'date' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render-answers.ts')).renderEntity(view, output),
});

function factsOf(
  entity: Entity,
  moment: Moment,
  withEnded: boolean,
  against: ReadonlyMap<string, readonly ContradictingProposal[]>,
): ShownFact[] {
  const holding = new Set(currentFacts(entity.facts, moment));
  return entity.facts
    .filter((fact) => holding.has(fact) || (withEnded && wasKnown(fact, moment)))
    .map((fact) => {
      const meta: FactMetadata = fact.meta;
      const { source, trust } = resolveMetadata(meta, entity.defaults);
      const said = meta.said?.[0];
      return {
        id: fact.id ?? null,
        text: fact.text,
        said: said !== undefined && oneLine(said) === fact.text ? said : undefined,
        holds: holding.has(fact),
        category: meta.category ?? null,
        attribute: meta.attribute ?? null,
        value: meta.value ?? null,
        from: meta.from ?? null,
        until: meta.until ?? null,
        learned: meta.learned ?? null,
        confidence: meta.confidence ?? null,
        source,
        trust,
        verified: meta.verified ?? 0,
        premises: meta.premises ?? [],
        contradictedBy: against.get(fact.id ?? '') ?? [],
      };
    });
}

function relationsOf({ graph }: OpenGraph, record: EntityRecord, moment: Moment, scope: Scope): ShownRelation[] {
  const { network } = graph;
  return network.links(record.path).flatMap((link) => {
    const other = network.record(link.other);
    const holds = edgeHolds(network, link.edge, moment);
    if (other === undefined || !isVisible({ network }, scope, link)) return [];
    const { edge, direction } = link;
    const [start, end] = direction === 'out' ? [record, other] : [other, record];
    const ontology = graph.ontologyFor(edge.path);
    // A person may have written another relation since.
    const said = edge.said.filter(
      (word) => fitRelation(ontology, word, start.type, end.type).relation === edge.relation,
    );
    return [
      {
        id: edge.id,
        relation: relationFromHere(ontology, link) ?? null,
        written: edge.relation,
        said: said.length === 0 ? undefined : said,
        direction,
        other: nameOf(other),
        holds,
        since: edge.meta.from ?? null,
        until: edge.meta.until ?? null,
        isInferred: edge.source === 'inferred',
      },
    ];
  });
}

function itemsOf(entity: Entity, moment: Moment): Pick<ShownEntity, 'tasks' | 'decisions' | 'questions'> {
  const known = <T extends Entity['tasks' | 'decisions' | 'questions'][number]>(items: readonly T[]): T[] =>
    items.filter((item) => wasKnown(item, moment));
  return {
    tasks: known(entity.tasks).map(({ id, text, status, meta }) => ({
      id: id ?? null,
      text,
      status,
      due: meta.due ?? null,
    })),
    decisions: known(entity.decisions).map(({ id, text, date, rationale, meta }) => ({
      id: id ?? null,
      text,
      date: date ?? null,
      rationale: rationale ?? null,
      status: meta.status ?? 'active',
    })),
    questions: known(entity.questions).map(({ id, text }) => ({ id: id ?? null, text })),
  };
}
