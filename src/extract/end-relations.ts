import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { FactMetadata } from '../model/schemas/item.ts';
import { localTime } from '../model/time.ts';
import type { EntityRecord } from '../memory/stores/registry/entity-record.ts';
import { namesIn } from '../reasoner/heuristic/entities/entities.ts';
import type { HeardConversation } from '../reasoner/port.ts';
import type { ExtractionParts, TakeInRequest } from './extraction.ts';
import type { StatedRelations } from './take-in-relations.ts';

const SPEAKER = /(?<![\p{L}'])(?:i|i'm|i've|we|we're|we've|me|my|us|our|mine)(?!\p{L})/iu;

/**
 * Ends the edges that the user says are over. Only what is known is ended, between those whom the sentence names, so that
 * words which mean something else do no harm. Returns why some were not ended.
 */
export async function endRelations(
  { stores, workspace }: ExtractionParts,
  { attribution, conversation }: TakeInRequest,
  { endings = [], trust, saidMs, evidence }: StatedRelations,
): Promise<string[]> {
  if (trust !== 'user') return [];
  const { entities, parts } = stores;
  const day = localTime(saidMs, parts.timeZone).date;
  const troubles: string[] = [];
  for (const { relations, before, behind, until = day } of endings) {
    await entities.registry.sync();
    const known = entities.registry.known();
    const [some = [], others = []] = [before, behind].map((words) =>
      recordsOf(namedIn(words, conversation, known), stores, evidence.quote),
    );
    // "Vera and Tom split up" has both before the verb.
    for (const [from, to] of pairsOf(some, others.length > 0 ? others : some)) {
      const edge = entities
        .read(from)
        .relations.find(
          ({ isSuperseded, relation, target }) => !isSuperseded && relations.includes(relation) && target === to.id,
        );
      // Knowledge from after this statement is newer.
      if (edge?.id === undefined || saidDay(edge.meta) > day) continue;
      try {
        const plan = entities.planSupersede(from, edge.id, { until: until > day ? day : until });
        const summary = `learned that "${from.name} ${edge.relation} ${to.name}" is over`;
        await workspace.commit({ ...attribution, summary, changes: [...plan.changes] });
      } catch (error) {
        if (!isMnemeError(error)) throw error;
        troubles.push(`"${from.name} ${edge.relation} ${to.name}" could not be ended: ${errorMessage(error)}`);
      }
    }
  }
  return troubles;
}

/** The day on which an edge was said; the one it was learned on where that is all there is. */
export function saidDay({ time, learned }: FactMetadata): string {
  return time?.slice(0, 10) ?? learned ?? '';
}

const THE_USER = Symbol('user');

/** Known names in some words, and whether the speaker is among them. */
function namedIn(
  words: string,
  { user }: HeardConversation,
  known: NonNullable<HeardConversation['known']>,
): (string | typeof THE_USER)[] {
  const isNamed = namesIn(words);
  const names = known.filter(({ name }) => isNamed(name)).map(({ name }) => name);
  const isUser = SPEAKER.test(words) || (user !== undefined && isNamed(user));
  return isUser ? [THE_USER, ...names] : names;
}

function recordsOf(
  names: readonly (string | typeof THE_USER)[],
  { entities: { registry } }: ExtractionParts['stores'],
  context: string,
): EntityRecord[] {
  const found = names.flatMap((name) => {
    if (name === THE_USER) return registry.findUser() ?? [];
    const meant = registry.resolve(name, { context });
    return meant.kind === 'entity' && meant.entity.scope === 'shared' ? [meant.entity] : [];
  });
  return found.filter(({ path }, place) => found.findIndex((other) => other.path === path) === place);
}

function pairsOf(left: readonly EntityRecord[], right: readonly EntityRecord[]): [EntityRecord, EntityRecord][] {
  return left.flatMap((one) =>
    right
      .filter(({ path }) => path !== one.path)
      .flatMap((other): [EntityRecord, EntityRecord][] => [
        [one, other],
        [other, one],
      ]),
  );
}
