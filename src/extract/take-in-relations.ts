import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Candidate, EntityMention, RelationMention } from '../model/knowledge.ts';
import type { FactMetadata } from '../model/schemas/item.ts';
import { localTime } from '../model/time.ts';
import { planAdd } from '../memory/stores/entities/add.ts';
import type { EntityRecord } from '../memory/stores/registry/entity-record.ts';
import { today, type Plan } from '../memory/stores/plan.ts';
import { namesIn } from '../reasoner/heuristic/entities/entities.ts';
import type { HeardConversation, HeardTurn } from '../reasoner/port.ts';
import type { Change } from '../workspace/door/request.ts';
import type { EndedRelation } from '../reasoner/heuristic/entities/relation-endings.ts';
import { findOthersRelations, findRelations, INVERSES } from '../reasoner/heuristic/entities/relations.ts';
import { citationsOf } from './beliefs.ts';
import type { ExtractionParts, TakeInRequest } from './extraction.ts';
import { builtInLabel } from './extractors.ts';
import { wholeMinute, type Stores } from './place.ts';
import { wishOf } from './retractions.ts';
import { carryOut, findIgnored, inWords } from './take-in.ts';
import { findUser } from './whose.ts';

/** Relations, and who stated them when and where. */
export type StatedRelations = Pick<Candidate, 'relations' | 'trust' | 'saidMs' | 'evidence'> & {
  /** Relations that have ended, as the same turn says. */
  readonly endings?: readonly EndedRelation[];
};

/** One at a time: a new home, employer or spouse ends the last one, which stays, struck through and dated. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['lives-in', 'works-for', 'married-to']);
/** Beside every edge. Relations are found with the people that have them. */
export const RELATIONS_EXTRACTOR = builtInLabel('person');

/** The relations that turns state, from a turn on, the user's first: others mostly repeat them. What is to be forgotten is not stated. */
export async function findStated(
  conversation: TakeInRequest['conversation'],
  fromTurn: string | undefined,
): Promise<StatedRelations[]> {
  const { session, turns } = conversation;
  const start = fromTurn === undefined ? 0 : turns.findIndex(({ id }) => id === fromTurn);
  const fresh = new Set(turns.slice(Math.max(0, start)));
  const isFresh = (turn: HeardTurn): boolean => fresh.has(turn);
  const found = await findRelations(conversation, isFresh);
  const own = found.map(({ turn: { id, trust, timeMs, text }, relations, endings }) => {
    const stated = wishOf(text) === 'forget' ? [] : relations;
    return { relations: stated, endings, trust, saidMs: timeMs, evidence: { session, turns: [id], quote: text } };
  });
  const others = await findOthersRelations(conversation, isFresh);
  return [
    ...own,
    ...others.map(({ turn: { id, timeMs }, trust, text, relations }) => {
      return { relations, trust, saidMs: timeMs, evidence: { session, turns: [id], quote: text } };
    }),
  ];
}

/**
 * Ends what a turn says is over, and writes relations as edges between the files of both ends, which are made where there are none; others' words
 * are proposed. Returns why some were not written. What a private conversation tells has no place in the shared graph.
 */
export async function takeInRelations(
  parts: ExtractionParts,
  request: TakeInRequest,
  stated: StatedRelations,
): Promise<string[]> {
  const { stores, workspace } = parts;
  const { attribution, conversation, source, scope, isDryRun } = request;
  if (isDryRun === true || (scope !== undefined && scope !== 'shared')) return [];
  const troubles = await endRelations(parts, request, stated);
  for (const mention of stated.relations) {
    const words = `${mention.subject.name} ${mention.relation} ${mention.object.name}`;
    if (findIgnored(stores, { statement: words, evidence: stated.evidence }) !== undefined) continue;
    try {
      // The ends of the last relation may be files now.
      await stores.entities.registry.sync();
      const [from, to] = [mention.subject, mention.object].map((end) =>
        findEnd(stores, end, { context: stated.evidence.quote, user: conversation.user }),
      );
      if (from === undefined || to === undefined || from.entity.path === to.entity.path) continue;
      const edge = planEdge(stores, { from: from.entity, to: to.entity, mention, stated, source });
      if (edge.length === 0) continue;
      const changes = [...from.plans, ...to.plans, ...edge].flatMap((plan) => plan.changes);
      if (stated.trust === 'user') {
        await workspace.commit({ ...attribution, summary: `learned "${words}"`, changes });
      } else if (from.plans.length === 0 || to.plans.length === 0) {
        await proposeEdge(parts, attribution, { words, stated, changes });
      }
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      troubles.push(`"${words}" could not be kept: ${errorMessage(error)}`);
    }
  }
  return troubles;
}

interface OthersEdge {
  readonly words: string;
  readonly stated: StatedRelations;
  readonly changes: readonly Change[];
}

/** An agent, a tool or a pasted text may be wrong, so that a person decides; what the memory knows neither end of is passed over. */
async function proposeEdge(
  parts: ExtractionParts,
  { actor, trigger, session }: TakeInRequest['attribution'],
  { words, stated, changes }: OthersEdge,
): Promise<void> {
  const wanted = carryOut(parts, changes);
  if (wanted.length === 0) return;
  await parts.proposals.propose({
    kind: 'memory',
    title: words,
    why: `It was stated by ${inWords(stated.trust)}, so a person decides.`,
    evidence: [...citationsOf(stated)],
    actor,
    trust: stated.trust,
    changes: wanted,
    trigger,
    session,
  });
}

interface End {
  readonly entity: EntityRecord;
  readonly plans: readonly Plan<unknown>[];
}

/** The file of an end; undefined where the name means two. */
function findEnd(
  { parts, entities: { registry } }: Stores,
  end: EntityMention,
  { context, user }: { readonly context: string; readonly user: string | undefined },
): End | undefined {
  if (end.isUser === true) return findUser(parts, registry, user);
  const { name, type } = end;
  const found = registry.resolve(name, { type, context });
  if (found.kind === 'entity') return { entity: found.entity, plans: [] };
  // The type is often a guess: one thing of exactly this name is meant, whatever its file says it is.
  const [only, ...more] = registry.sharingName(name).filter((record) => record.scope === 'shared');
  if (only !== undefined) return more.length === 0 ? { entity: only, plans: [] } : undefined;
  if (found.kind === 'candidates' && type === 'person') return undefined;
  const plan = planAdd(parts, registry, { name, type });
  return { entity: plan.entity, plans: [plan] };
}

function isSameTurn(one: FactMetadata, other: FactMetadata): boolean {
  return one.session !== undefined && one.session === other.session && one.turn === other.turn;
}

interface NewEdge {
  readonly from: EntityRecord;
  readonly to: EntityRecord;
  readonly mention: RelationMention;
  readonly stated: StatedRelations;
  readonly source: TakeInRequest['source'];
}

/** The edge, and the end of the one it takes the place of; nothing where something newer is known. */
function planEdge({ parts, entities }: Stores, { from, to, mention, stated, source }: NewEdge): Plan<unknown>[] {
  const { subject, relation } = mention;
  const saidOn = localTime(stated.saidMs, parts.timeZone).date;
  const meta: FactMetadata = {
    source,
    trust: stated.trust,
    time: wholeMinute(stated.saidMs),
    learned: today(parts),
    ...(stated.evidence.session === '' ? {} : { session: stated.evidence.session, turn: stated.evidence.turns[0] }),
    evidence: [...citationsOf(stated)],
    extractor: RELATIONS_EXTRACTOR,
    ...(mention.said === undefined ? {} : { said: [mention.said] }),
  };
  const isOnly = ONE_AT_A_TIME.has(relation);
  // Where they live is dated: at an earlier time they may have lived elsewhere.
  const edge = entities.planRelation(from, { relation, to, meta: isOnly ? { ...meta, from: saidOn } : meta });
  const [own, others] = [from, to].map((record) =>
    entities.registry.findByPath(record.path) === undefined ? [] : entities.read(record).relations,
  );
  const alike = (own ?? []).filter((known) => known.relation === edge.relation);
  // It ended after this was said, or was learned from these words: a conversation that comes late or again does not bring it back.
  if (
    alike.some(
      ({ isSuperseded, target, meta: known }) =>
        isSuperseded && target === to.id && ((known.until ?? '') > saidOn || isSameTurn(known, meta)),
    )
  )
    return [];
  // Nothing is part of its own part, a symmetric relation is read from both ends, and who reports to Ada is managed by her.
  const mirrored = new Set([edge.relation, INVERSES.get(edge.relation)]);
  if (others?.some((known) => !known.isSuperseded && mirrored.has(known.relation) && known.target === from.id))
    return [];
  if (!isOnly) return [edge];
  const isOneOfSeveral = stated.relations.some(
    (other) => other !== mention && other.relation === relation && other.subject.name === subject.name,
  );
  const rivals = alike.filter(({ isSuperseded, target }) => !isSuperseded && target !== to.id && !isOneOfSeveral);
  if (rivals.some((rival) => saidDay(rival.meta) > saidOn)) return [];
  if (stated.trust !== 'user') return [edge];
  return [
    edge,
    ...rivals.flatMap(({ id }) => (id === undefined ? [] : [entities.planSupersede(from, id, { until: saidOn })])),
  ];
}

const SPEAKER = /(?<![\p{L}'])(?:i|i'm|i've|we|we're|we've|me|my|us|our|mine)(?!\p{L})/iu;

/**
 * Ends the edges that the user says are over. Only what is known is ended, between those whom the sentence names, so that
 * words which mean something else do no harm. Returns why some were not ended.
 */
async function endRelations(
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
function saidDay({ time, learned }: FactMetadata): string {
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
