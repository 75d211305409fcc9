import type { Source, Trust } from '../../model/provenance.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { resolveMetadata } from '../../workspace/formats/defaults.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import type { Dated } from '../stores/entities/current-facts.ts';

/** The graph's data about a fact or an edge beside its own words. */
interface Statement extends Dated {
  /** Its anchor, or the id that a bullet without one goes by. */
  readonly id: string;
  /** The file it stands in. */
  readonly path: string;
  readonly line: number;
  readonly source: Source;
  readonly trust: Trust;
  /** For what was concluded: the ids it was concluded from. */
  readonly premises: readonly string[];
}

/** An edge as it stands in the file of the entity it starts from. */
export interface Edge extends Statement {
  /** As it is written there, in the ontology's words or a person's. */
  readonly relation: string;
  /** The id, or the file's name, that the link gives. */
  readonly target: string;
  /** The words it was stated in, where the ontology has another. */
  readonly said: readonly string[];
}

export interface GraphFact extends Statement {
  readonly text: string;
  readonly attribute: string | undefined;
  readonly value: string | undefined;
  readonly category: string | undefined;
  readonly verified: number;
  readonly lastVerified: string | undefined;
}

/** The facts and edges of one entity's file. */
export interface Statements {
  readonly facts: readonly GraphFact[];
  readonly edges: readonly Edge[];
}

/** As the rows keep them: the parsed entity must carry an id for every bullet. */
export function statementsOf(path: string, entity: Entity): Statements {
  const shared = (item: Shared): Statement => {
    const { source, trust } = resolveMetadata(item.meta, entity.defaults);
    const { from, until, learned, superseded_by } = item.meta;
    return {
      id: item.id ?? '',
      path,
      line: item.startLine,
      isSuperseded: item.isSuperseded,
      meta: { from, until, learned, superseded_by },
      source,
      trust,
      premises: item.meta.premises ?? [],
    };
  };
  return {
    edges: entity.relations.map((item) =>
      Object.assign(shared(item), { relation: item.relation, target: item.target, said: item.meta.said ?? [] }),
    ),
    facts: entity.facts.map((item) => {
      const { attribute, value, category, verified = 0, last_verified: lastVerified } = item.meta;
      return Object.assign(shared(item), { text: item.text, attribute, value, category, verified, lastVerified });
    }),
  };
}

interface Shared {
  readonly id: string | undefined;
  readonly meta: FactMetadata;
  readonly isSuperseded: boolean;
  readonly startLine: number;
}
