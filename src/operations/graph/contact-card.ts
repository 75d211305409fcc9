import type { FactMetadata } from '../../model/schemas/item.ts';
import { currentFacts, wasKnown, type Moment } from '../../memory/stores/entities/current-facts.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import type { ShownRelation } from './show.ts';

/** A fact or relation that held before; a relation is a phrase ("works for Halden"). */
export interface Former {
  readonly text: string;
  readonly from: string | null;
  readonly until: string | null;
}

/** Where something was last said of an entity. */
export interface Mention {
  readonly session: string;
  readonly turn: string;
  readonly date: string;
  /** The statement learned from that turn. */
  readonly text: string;
}

const MAX_MENTIONS = 5;

/** Facts and relations that no longer hold, the latest end first. */
export function formerOf(entity: Entity, ended: readonly ShownRelation[], moment: Moment): Former[] {
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
export function mentionsOf(entity: Entity, moment: Moment): Mention[] {
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
