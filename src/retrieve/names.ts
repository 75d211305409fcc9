import type { IndexedEntity } from '../search-index/passage.ts';
import { createAliasTable, createSpeakerTable, type AliasTable, type SpeakerTable } from './understand/names.ts';
import type { FoundEntity } from './understand/understanding.ts';

/** Everybody and everything a question may name. */
export interface KnownNames {
  readonly speakers: SpeakerTable;
  readonly aliases: AliasTable;
  /** Entities tied to an entity, in either direction. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
}

/** Roles, not people: a question that says "user" does not name anybody. */
const ROLES = new Set(['user', 'agent', 'assistant', 'system', 'tool']);

export function createKnownNames(speakers: readonly string[], entities: readonly IndexedEntity[]): KnownNames {
  const neighbours = new Map<string, string[]>();
  const tie = (from: string, to: string): void => {
    const known = neighbours.get(from);
    if (known === undefined) neighbours.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  };
  for (const { id, edges } of entities) {
    for (const { to } of edges) {
      tie(id, to);
      tie(to, id);
    }
  }
  return {
    speakers: createSpeakerTable(speakers.filter((name) => !ROLES.has(name.toLowerCase()))),
    aliases: createAliasTable(entities),
    neighbours,
  };
}

/** The distance of each entity from those the question names: entity → facts → one hop → two hops, capped. */
export function entityDistances(
  found: readonly FoundEntity[],
  { neighbours }: KnownNames,
  { graphDepth, graphNeighbours }: { readonly graphDepth: number; readonly graphNeighbours: number },
): Map<string, number> {
  const distances = new Map(found.map(({ id }) => [id, 0]));
  let frontier = found.map(({ id }) => id);
  for (let distance = 1; distance <= graphDepth; distance += 1) {
    const next: string[] = [];
    for (const id of frontier) {
      for (const neighbour of (neighbours.get(id) ?? []).slice(0, graphNeighbours)) {
        if (distances.has(neighbour)) continue;
        distances.set(neighbour, distance);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return distances;
}
