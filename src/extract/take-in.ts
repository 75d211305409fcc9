import { createHash } from 'node:crypto';
import type { Candidate } from '../model/knowledge.ts';
import { newItemId } from '../model/ids.ts';
import type { Scope, Source, Trust } from '../model/provenance.ts';
import { shorten } from '../model/text.ts';
import { readIgnoreRules } from '../memory/ignore-rules.ts';
import { bearerBeside } from '../reasoner/heuristic/entities/bearer.ts';
import type { Statement } from '../reasoner/port.ts';
import type { Change } from '../workspace/door/request.ts';
import {
  citationsOf,
  decideConfirmation,
  decideEffect,
  decideRetraction,
  type Effect,
  type Meeting,
} from './beliefs.ts';
import type { ExtractedItem, ExtractionParts, ReplacedItem, TakeInRequest } from './extraction.ts';
import type { Finding } from './extractors.ts';
import {
  findEnded,
  findKnown,
  imagine,
  mostAlike,
  THE_USER,
  type ImaginedBelief,
  type KnownBelief,
} from './known-beliefs.ts';
import { placeEpisode, placeFinding, type Placement, type Placing, type Stores } from './place.ts';
import { findNamed } from './retractions.ts';
import { findWhose } from './whose.ts';

/** The outcome of a statement, and, in a dry run, the belief it would create. */
export interface TakenIn {
  readonly item: ExtractedItem;
  readonly belief?: ImaginedBelief | undefined;
}

/** The effect of a statement on the present beliefs, before anything of it is written. */
export type StatementPlan =
  | { readonly kind: 'skip'; readonly item: ExtractedItem }
  | { readonly kind: 'propose'; readonly propose: () => Promise<ExtractedItem> }
  | StatementWrite;

export interface StatementWrite {
  readonly kind: 'write';
  readonly action: Placement['action'];
  readonly path: string;
  readonly summary: string;
  /** Nothing where what is said again is noted nowhere. */
  readonly changes: readonly Change[];
  /** The outcome; the mutation that wrote it, undefined where none did. */
  readonly itemOf: (mutation: string | undefined) => ExtractedItem;
  /** The belief it would create; undefined where it adds none. */
  readonly belief?: ImaginedBelief | undefined;
}

/** Compares one statement with what is known, and writes or proposes what follows from it. */
export async function takeInStatement(
  parts: ExtractionParts,
  request: TakeInRequest,
  finding: Finding,
): Promise<TakenIn> {
  const plan = await planStatement(parts, request, finding);
  if (plan.kind === 'skip') return { item: plan.item };
  if (plan.kind === 'propose') return { item: await plan.propose() };
  const { summary, changes } = plan;
  if (request.isDryRun === true) return { item: plan.itemOf(undefined), belief: plan.belief };
  if (changes.length === 0) return { item: plan.itemOf(undefined) };
  const { mutation } = await parts.workspace.commit({ ...request.attribution, summary, changes });
  return { item: plan.itemOf(mutation) };
}

/** Compares one statement with what is known, and plans what follows from it. */
export async function planStatement(
  parts: ExtractionParts,
  request: TakeInRequest,
  finding: Finding,
): Promise<StatementPlan> {
  const { candidate } = finding;
  const { stores } = parts;
  const skip = (outcome: Omit<Outcome, 'action'>): StatementPlan => ({
    kind: 'skip',
    item: itemOf(finding, { ...outcome, action: 'skipped' }),
  });
  const ignored = request.isAsked === true ? undefined : findIgnored(stores, candidate);
  if (ignored !== undefined) return skip({ reason: whyIgnored(ignored) });
  if (request.scope !== undefined && request.scope !== 'shared') {
    const planned = planWrite(request, placePrivately(stores, request.scope, finding, request.source));
    return { ...planned, belief: undefined };
  }
  const { user, project } = request.conversation;
  const whose = findWhose(stores.parts, stores.entities.registry, candidate, { user, project });
  const effect = await findEffect(parts, request, finding, whose.entity?.path);
  if (effect.type === 'skip') {
    const { reason: why, belief } = effect;
    return skip({ reason: why, id: belief?.id, path: belief?.path });
  }
  const placing: Placing = { stores, finding, entity: whose.entity, source: request.source };
  const placement = placeFinding(placing, effect.type === 'propose' ? asIfAllowed(effect) : effect);
  const needed = whose.entity !== undefined && placement.path === whose.entity.path ? whose.plans : [];
  const changes = [...needed, ...placement.plans].flatMap((plan) => plan.changes);
  const ownReason = effect.type === 'add' && candidate.retracts !== undefined ? UNMET_RETRACTION : undefined;
  const reason =
    'reason' in effect ? effect.reason : (ownReason ?? (whose.entity === undefined ? whose.reason : undefined));
  const deciding = { finding, placement, changes, reason, effect };
  if (effect.type === 'propose') return { kind: 'propose', propose: () => propose(parts, request, deciding) };
  return planWrite(request, deciding);
}

/** The user's rule that a statement falls under, by its own words or by those it was taken from. */
export function findIgnored({ parts, entities }: Stores, { statement, evidence }: Stated): string | undefined {
  const rules = readIgnoreRules(parts.root, (name) => entities.registry.namesOf(name));
  return rules.find(statement) ?? rules.find(evidence.quote);
}

type Stated = Pick<Candidate, 'statement' | 'evidence'>;

function whyIgnored(rule: string): string {
  return `the user wants nothing learned about "${rule}"`;
}

/**
 * Files a private statement as an entry of its scope's day: entities, core and procedures are shared, and comparing
 * it with them would let either tell of the other. The same statement of the same turn is not added twice.
 */
function placePrivately(stores: Stores, scope: Scope, finding: Finding, source: Source): Deciding {
  const { candidate } = finding;
  const cited = createHash('sha256')
    .update(`${citationsOf(candidate).join(' ')}\n${candidate.statement}`)
    .digest();
  const id = newItemId((length) => cited.subarray(0, length));
  const placement = placeEpisode({ stores, finding, source, entity: undefined }, id, { scope });
  const changes = placement.plans.flatMap((plan) => plan.changes);
  return { finding, placement, changes, reason: undefined, effect: { type: 'add', related: [] } };
}

/** Why words that take something back end nothing: it was never said, or in a conversation that comes in late. */
export const UNMET_RETRACTION = 'what it takes back is not known';

async function findEffect(
  parts: ExtractionParts,
  request: TakeInRequest,
  { candidate, isOnlyRetraction }: Finding,
  subjectFile: string | undefined,
): Promise<Effect> {
  const ends = (request.imagined ?? []).flatMap((imagined) => imagined.ends ?? []);
  const passedOver = new Set([...ends, ...(request.except ?? [])]);
  const found = await findKnown(parts.known, candidate, subjectFile, request.imagined);
  const known = found.filter(({ id, endedOn }) => endedOn === undefined && !passedOver.has(id));
  const named = candidate.retracts === undefined ? undefined : findNamed(candidate.retracts, known, candidate.saidMs);
  if (named !== undefined) return decideRetraction(candidate, named);
  if (isOnlyRetraction === true) return { type: 'skip', reason: UNMET_RETRACTION };
  const confirmation = decideConfirmation(candidate, known);
  if (confirmation !== undefined) return confirmation;
  const ended = findEnded(found, candidate, parts.known.timeZone);
  if (ended !== undefined) return { type: 'skip', reason: 'it no longer held later', belief: ended };
  return decideEffect(candidate, await meetKnown(parts, request, candidate, mostAlike(known, candidate)));
}

/** The outcome the proposal would have once it is approved. */
function asIfAllowed({
  would,
  beliefs,
  reason,
}: Extract<Effect, { type: 'propose' }>): Extract<Effect, { type: 'supersede' | 'retract' }> {
  return { type: would, beliefs, reason };
}

async function meetKnown(
  { reasoner }: ExtractionParts,
  { conversation, options = {} }: TakeInRequest,
  candidate: Candidate,
  known: readonly KnownBelief[],
): Promise<readonly Meeting[]> {
  const { evidence } = candidate;
  const { user } = conversation;
  const incoming = incomingOf(candidate);
  const meetings: Meeting[] = [];
  for (const belief of known) {
    const isOneConversation = belief.evidence.some((citation) => citation.startsWith(`${evidence.session}#`));
    const input = { known: belief.statement, incoming, similarity: belief.similarity, user, isOneConversation };
    const { output } = await reasoner.ask('resolve_contradiction', input, options);
    meetings.push({ belief, comparison: output });
  }
  return meetings;
}

function incomingOf({ kind, statement, saidMs, subject, attribute, value }: Candidate): Statement {
  // A part of a thing that has a page is told of there, and has properties of its own.
  const part = subject === undefined ? undefined : bearerBeside([subject.name], statement, attribute);
  const name = subject?.isUser === true ? THE_USER : (part ?? subject?.name);
  return { text: statement, saidMs, kind, subject: name, attribute, value };
}

interface Deciding {
  readonly finding: Finding;
  readonly placement: Placement;
  readonly changes: readonly Change[];
  readonly reason: string | undefined;
  readonly effect: Effect;
}

const VERBS: Readonly<Record<Placement['action'], string>> = {
  added: 'learned',
  confirmed: 'heard again',
  superseded: 'learned anew',
  retracted: 'took back',
};

function planWrite(
  { isDryRun, isAsked }: TakeInRequest,
  { finding, placement, changes, reason, effect }: Deciding,
): StatementWrite {
  const { action, path } = placement;
  const replaced = replacedBy(effect);
  const verb = isAsked === true && action === 'added' ? 'remembered' : VERBS[action];
  const isNew = effect.type === 'add' || effect.type === 'supersede';
  const ends = replaced.map(({ id }) => id);
  return {
    kind: 'write',
    action,
    path,
    summary: `${verb} "${shorten(finding.candidate.statement)}"`,
    changes,
    itemOf: (mutation) => {
      // A confirmed item has its id already; an item that a dry run only imagines has none.
      const id = isDryRun !== true || action === 'confirmed' ? placement.id() : undefined;
      return itemOf(finding, { action, path, reason, replaced, id, mutation });
    },
    belief: isDryRun === true && isNew ? imagine(finding.candidate, path, ends) : undefined,
  };
}

async function propose(
  parts: ExtractionParts,
  { attribution, isDryRun }: TakeInRequest,
  { finding, changes, reason, effect }: Deciding,
): Promise<ExtractedItem> {
  const { candidate } = finding;
  const replaced = replacedBy(effect);
  if (isDryRun === true) return itemOf(finding, { action: 'proposed', reason, replaced });
  const isRetraction = effect.type === 'propose' && effect.would === 'retract';
  const proposed = await parts.proposals.propose({
    kind: 'memory',
    title: shorten(isRetraction ? `take back: ${replaced[0]?.text ?? ''}` : candidate.statement),
    why: whyProposed(candidate, isRetraction, reason),
    evidence: [...citationsOf(candidate)],
    actor: attribution.actor,
    trust: candidate.trust,
    confidence: candidate.confidence,
    changes: carryOut(parts, changes),
    trigger: attribution.trigger,
    session: attribution.session,
  });
  return itemOf(finding, {
    action: proposed.outcome === 'applied' ? (isRetraction ? 'retracted' : 'superseded') : 'proposed',
    id: proposed.id,
    path: proposed.path,
    mutation: proposed.mutation,
    reason,
    replaced,
  });
}

function whyProposed({ trust, statement }: Candidate, isRetraction: boolean, reason: string | undefined): string {
  const what = isRetraction ? `"${statement}"` : (reason ?? 'It contradicts what is known');
  return `${what.replace(/[.\s]+$/u, '')}. It was said by ${inWords(trust)}, so a person decides.`;
}

function replacedBy(effect: Effect): readonly ReplacedItem[] {
  if (!('beliefs' in effect)) return [];
  return effect.beliefs.map(({ id, path, text }) => ({ id, path, text }));
}

/** The files as they would be: what a proposal shows as a diff. */
export function carryOut(
  { fs, stores }: ExtractionParts,
  changes: readonly Change[],
): { path: string; after: string | undefined }[] {
  const read = (path: string): string | undefined => fs.read(`${stores.parts.root}/${path}`)?.toString('utf8');
  const texts = new Map<string, string | undefined>();
  for (const change of changes) {
    if (!('edit' in change)) continue;
    texts.set(change.path, change.edit(texts.has(change.path) ? texts.get(change.path) : read(change.path)));
  }
  // Core memory is looked at for lines that state what ended, and mostly has none.
  return [...texts].flatMap(([path, after]) => (after === read(path) ? [] : [{ path, after }]));
}

export function inWords(trust: Trust): string {
  const names: Readonly<Record<Trust, string>> = {
    user: 'the user',
    agent: 'an agent',
    tool: 'a tool',
    import: 'an import',
    external: 'somebody outside',
  };
  return names[trust];
}

type Outcome = Pick<ExtractedItem, 'action'> &
  Partial<Pick<ExtractedItem, 'id' | 'path' | 'mutation' | 'reason' | 'replaced'>>;

export function itemOf({ candidate }: Finding, outcome: Outcome): ExtractedItem {
  const { kind, statement, confidence, importance, trust, evidence } = candidate;
  return {
    kind,
    statement,
    action: outcome.action,
    id: outcome.id,
    path: outcome.path,
    mutation: outcome.mutation,
    reason: outcome.reason,
    replaced: outcome.replaced ?? [],
    confidence,
    importance,
    trust,
    evidence: citationsOf(candidate),
    quote: evidence.quote,
  };
}
