import type { Candidate } from '../model/knowledge.ts';
import { isTrustedAtLeast, type Scope, type Source } from '../model/provenance.ts';
import type { FactMetadata } from '../model/schemas/item.ts';
import { MINUTE_MS, localTime } from '../model/time.ts';
import type { EntityRef } from '../memory/stores/entities/entity-edit.ts';
import type { Entities } from '../memory/stores/entities/entities.ts';
import type { Core } from '../memory/stores/core.ts';
import type { Episodes } from '../memory/stores/episodes.ts';
import { newId, today, type Plan, type StoreParts } from '../memory/stores/plan.ts';
import type { Procedures } from '../memory/procedures/procedures.ts';
import type { EpisodeType } from '../model/schemas/time.ts';
import type { CoreBlockName } from '../workspace/formats/core.ts';
import { citationsOf, type Belief, type Effect } from './beliefs.ts';
import type { Finding } from './extractors.ts';
import { given } from '../model/records.ts';

/** Everything a statement can be put into. */
export interface Stores {
  readonly parts: StoreParts;
  readonly entities: Entities;
  readonly core: Core;
  readonly episodes: Episodes;
  readonly procedures: Procedures;
}

/** The plans that write a finding, and its place. */
export interface Placement {
  readonly plans: readonly Plan<unknown>[];
  readonly store: 'semantic' | 'episodic' | 'procedural' | 'core';
  readonly path: string;
  /** The item that says it now, only after the commit: the new one, or one that said so already. */
  readonly id: () => string;
  readonly action: 'added' | 'confirmed' | 'superseded' | 'retracted';
}

export interface Placing {
  readonly stores: Stores;
  readonly finding: Finding;
  /** In whose file; undefined where a name means two and nobody is guessed. */
  readonly entity: EntityRef | undefined;
  readonly source: Source;
}

const EPISODE_TYPES: Readonly<Record<Candidate['kind'], EpisodeType>> = {
  decision: 'decision',
  lesson: 'learning',
  person: 'fact',
  procedure: 'learning',
  fact: 'fact',
  preference: 'preference',
  task: 'task',
  correction: 'correction',
};

/** Plans the edits for an effect; the write path applies them together. */
export function placeFinding(placing: Placing, effect: Exclude<Effect, { type: 'skip' | 'propose' }>): Placement {
  switch (effect.type) {
    case 'add':
      return placeNew(placing, { related: effect.related.map(({ id }) => id) });
    case 'add-past':
      return placeNew(placing, { until: dayOf(placing, effect.before.sinceMs) });
    case 'reinforce':
      return confirm(placing, effect.belief);
    case 'supersede':
      return replace(placing, effect.beliefs);
    case 'retract':
      return retract(placing, effect.beliefs, effect.reason);
  }
}

interface Extra {
  readonly related?: readonly string[] | undefined;
  readonly until?: string | undefined;
  readonly supersedes?: readonly string[] | undefined;
  readonly scope?: Scope | undefined;
}

function placeNew(placing: Placing, extra: Extra, id = newId(placing.stores.parts)): Placement {
  const { candidate } = placing.finding;
  // Procedures are followed: what a tool, a page or a foreign file says is kept as what was said, not as what to do.
  if (candidate.kind === 'procedure' && isTrustedAtLeast(candidate.trust, 'agent')) return placeProcedure(placing);
  const { entity } = placing;
  if (entity === undefined) return placeEpisode(placing, id, extra);
  const meta = {
    ...metaOf(placing),
    ...given('related', listOf(extra.related)),
    ...given('supersedes', listOf(extra.supersedes)),
  };
  const plan = planItem(placing, entity, id, { ...meta, ...given('until', extra.until) });
  const core = extra.until === undefined ? placeInCore(placing, id, extra.supersedes ?? []) : [];
  return { plans: [plan, ...core], store: 'semantic', path: entity.path, id: () => plan.outcome().id, action: 'added' };
}

function planItem(placing: Placing, entity: EntityRef, id: string, meta: FactMetadata): Plan<{ readonly id: string }> {
  const { entities } = placing.stores;
  const { kind, statement, attribute, value, rationale, due, owner, saidMs, from } = placing.finding.candidate;
  if (kind === 'task') return entities.planTask(entity, { id, text: statement, due, owner, meta });
  if (kind === 'decision') {
    const { category: _, learned, ...decision } = meta;
    const date = dayOf(placing, saidMs);
    return entities.planDecision(entity, {
      id,
      text: statement,
      date,
      rationale,
      meta: learned === date ? decision : { ...decision, learned },
    });
  }
  const since = from ?? (attribute === undefined ? undefined : dayOf(placing, saidMs));
  return entities.planFact(entity, {
    id,
    text: statement,
    meta: { ...meta, ...given('from', since) },
    attribute,
    value,
  });
}

export function placeEpisode({ stores, finding, source }: Placing, id: string, { related, scope }: Extra): Placement {
  const { candidate } = finding;
  const plan = stores.episodes.planEntry({
    id,
    text: candidate.statement,
    type: EPISODE_TYPES[candidate.kind],
    timeMs: candidate.saidMs,
    meta: { ...sharedMeta(finding, source), ...given('learned', learnedLate(stores, candidate)) },
    related,
    scope,
  });
  return { plans: [plan], store: 'episodic', path: plan.path, id: () => id, action: 'added' };
}

/** Places a procedure: one file each; further knowledge of the same thing is added to its file. */
function placeProcedure(placing: Placing): Placement {
  const { stores, finding } = placing;
  const { statement, trigger, steps = [], tags, trust, saidMs } = finding.candidate;
  const learnedFrom = [citationsOf(finding.candidate)[0] ?? ''].filter((citation) => citation !== '');
  const name = trigger ?? statement;
  const known = stores.procedures.findCalled(name);
  const lines = steps.length === 0 ? [statement] : steps;
  // A procedure written by the user gets no additions in another's words.
  if (known !== undefined && trust !== 'user') return placeEpisode(placing, newId(stores.parts), {});
  if (known !== undefined) {
    const plans = [
      steps.length === 0 ? stores.procedures.planNotes(known, [statement]) : stores.procedures.planSteps(known, lines),
      stores.procedures.planLearnedFrom(known, learnedFrom),
    ];
    return { plans, store: 'procedural', path: known.path, id: () => known.path, action: 'added' };
  }
  const said = { learnedFrom, tags, trust, saidMs };
  const plan = stores.procedures.planAdd({ name, trigger: trigger ?? '', steps: lines, ...said });
  return { plans: [plan], store: 'procedural', path: plan.path, id: () => plan.path, action: 'added' };
}

function confirm(placing: Placing, belief: Belief): Placement {
  const { stores, finding } = placing;
  const evidence = citationsOf(finding.candidate);
  const date = dayOf(placing, finding.candidate.saidMs);
  const known = stores.entities.registry.findByPath(belief.path);
  const plans =
    belief.sort === 'fact' && known !== undefined
      ? [stores.entities.planReinforce(known, belief.id, { evidence, date })]
      : [];
  return { plans, store: 'semantic', path: belief.path, id: () => belief.id, action: 'confirmed' };
}

/** The new statement stands where it belongs; what it replaces is struck through, dated, and names it. */
function replace(placing: Placing, beliefs: readonly Belief[]): Placement {
  const ids = beliefs.map(({ id }) => id);
  const id = newId(placing.stores.parts);
  const placed = placeNew(placing, { supersedes: ids }, id);
  const { stores, finding } = placing;
  const { candidate } = finding;
  const until = candidate.from ?? dayOf(placing, candidate.saidMs);
  const ended = beliefs.flatMap((belief) => endBelief(placing, belief, { until, supersededBy: id }));
  const core = stores.core.planEnd(beliefs, { id, text: candidate.statement, importance: candidate.importance });
  return { ...placed, plans: [...placed.plans, ...ended, core], action: 'superseded' };
}

function retract(placing: Placing, beliefs: readonly Belief[], reason: string): Placement {
  const until = dayOf(placing, placing.finding.candidate.saidMs);
  const ended = beliefs.flatMap((belief) => endBelief(placing, belief, { until, why: reason }));
  const plans = [...ended, placing.stores.core.planEnd(beliefs)];
  const [first] = beliefs;
  return { plans, store: 'semantic', path: first?.path ?? '', id: () => first?.id ?? '', action: 'retracted' };
}

interface Ending {
  readonly until: string;
  readonly supersededBy?: string | undefined;
  readonly why?: string | undefined;
}

function endBelief({ stores }: Placing, belief: Belief, { until, supersededBy, why }: Ending): Plan<unknown>[] {
  const { entities } = stores;
  const entity = entities.registry.findByPath(belief.path);
  if (belief.sort === 'entry') return [stores.episodes.planEnd(belief.path, belief.id, { until, supersededBy })];
  // A procedure is a file of its own: the newer statement speaks for itself.
  if (entity === undefined) return [];
  if (belief.sort === 'fact') return [entities.planSupersede(entity, belief.id, { until, supersededBy })];
  if (belief.sort === 'decision') {
    const status = supersededBy === undefined ? 'reversed' : 'superseded';
    return [entities.planDecisionState(entity, belief.id, { status, date: until, why, supersededBy })];
  }
  return [entities.planTaskState(entity, belief.id, { status: 'dropped', date: until, why })];
}

const CORE_BLOCKS: Readonly<Record<Candidate['kind'], CoreBlockName>> = {
  preference: 'Persona',
  person: 'Identity',
  fact: 'Critical Facts',
  correction: 'Critical Facts',
  decision: 'Active Context',
  task: 'Active Context',
  lesson: 'Critical Facts',
  procedure: 'Critical Facts',
};

function placeInCore(placing: Placing, states: string, replaces: readonly string[]): Plan<unknown>[] {
  const { stores, finding, source } = placing;
  const { candidate } = finding;
  // Core memory is read before every answer: only what somebody asked to be remembered enters it unseen.
  if (!candidate.isCoreWorthy || candidate.trust !== 'user' || source !== 'user-explicit') return [];
  const { importance, trust } = candidate;
  const bullet = {
    block: candidate.coreBlock ?? CORE_BLOCKS[candidate.kind],
    text: candidate.statement,
    meta: { importance, trust },
    states,
    replaces,
  };
  return [stores.core.planBullet(bullet, { whenFull: 'move' })];
}

function metaOf(placing: Placing): FactMetadata {
  const { finding, source } = placing;
  const { kind } = finding.candidate;
  return { ...sharedMeta(finding, source), category: kind, learned: today(placing.stores.parts) };
}

/** The day on which it came to be known, where it was said on another: an import brings in what was said long ago. */
function learnedLate({ parts }: Stores, { saidMs }: Candidate): string | undefined {
  const learned = today(parts);
  return learned === localTime(saidMs, parts.timeZone).date ? undefined : learned;
}

function sharedMeta({ candidate, extractor }: Finding, source: Source): FactMetadata {
  const { trust, saidMs, importance, confidence, evidence, tags } = candidate;
  return {
    source,
    trust,
    time: wholeMinute(saidMs),
    importance: Math.round(importance * 100) / 100,
    confidence,
    ...(evidence.session === '' ? {} : { session: evidence.session, turn: evidence.turns[0] }),
    evidence: [...citationsOf(candidate)],
    extractor,
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
}

/** The time of a statement as transcripts note it: `isEarlierMinute` decides which of two is the later. */
export function wholeMinute(timeMs: number): string {
  return new Date(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS).toISOString();
}

function dayOf({ stores }: Placing, timeMs: number): string {
  return localTime(timeMs, stores.parts.timeZone).date;
}

/** An empty list is not worth a word in the file. */
function listOf(ids: readonly string[] | undefined): string[] | undefined {
  return ids === undefined || ids.length === 0 ? undefined : [...ids];
}
