import type { Config } from '../model/config/schema.ts';
import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Candidate, Certainty, KnowledgeKind } from '../model/knowledge.ts';
import type { Attribution } from '../model/mutation.ts';
import type { Source, Trust } from '../model/provenance.ts';
import { shorten } from '../model/shorten.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { AskOptions, HeardConversation, Reasoner } from '../reasoner/port.ts';
import type { Change } from '../workspace/door/request.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { citationsOf, decideEffect, type Effect, type Meeting } from './beliefs.ts';
import { findAll, type Chosen, type Finding } from './extractors.ts';
import { findKnown, THE_USER, type KnownParts } from './known-beliefs.ts';
import { placeFinding, type Placement, type Placing, type Stores } from './place.ts';
import { findWhose } from './whose.ts';

export interface ExtractionParts {
  readonly workspace: Workspace;
  readonly proposals: Proposals;
  readonly stores: Stores;
  readonly known: KnownParts;
  readonly reasoner: Reasoner;
  readonly fs: FileSystem;
  readonly config: Config;
}

export interface ExtractionRequest {
  readonly conversation: HeardConversation;
  /** Turns before this one are context only. */
  readonly fromTurn?: string | undefined;
  readonly chosen: Chosen;
  /** Who asked for it, as the history will tell. */
  readonly attribution: Attribution;
  readonly source: Source;
  /** Decide everything, write nothing. */
  readonly isDryRun?: boolean | undefined;
  readonly options?: AskOptions | undefined;
}

export type TakeInRequest = Omit<ExtractionRequest, 'chosen' | 'fromTurn'>;

/** One statement and what became of it. */
export interface ExtractedItem {
  readonly kind: KnowledgeKind;
  readonly statement: string;
  readonly action: Placement['action'] | 'proposed' | 'skipped';
  /** The item in the memory, or the proposal; undefined where nothing was written. */
  readonly id: string | undefined;
  readonly path: string | undefined;
  readonly mutation: string | undefined;
  /** Why it was skipped, proposed or replaces something. */
  readonly reason: string | undefined;
  readonly confidence: Certainty;
  readonly importance: number;
  readonly trust: Trust;
  readonly evidence: readonly string[];
  readonly quote: string;
}

export interface Extracted {
  readonly items: readonly ExtractedItem[];
  /** Who judged. */
  readonly by: string;
  readonly notes: readonly string[];
}

const CONFIDENCE: Readonly<Record<Certainty, number>> = { high: 0.9, medium: 0.7, low: 0.4 };

/**
 * Turns a conversation into knowledge: extractors find candidates, each is compared with what is known, and what it does
 * to that is written as a mutation of its own, so that each can be looked at and taken back alone.
 */
export async function extractKnowledge(parts: ExtractionParts, request: ExtractionRequest): Promise<Extracted> {
  const { registry } = parts.stores.entities;
  await registry.sync();
  const { conversation, chosen, fromTurn, options = {} } = request;
  const heard = { ...conversation, known: registry.known() };
  const { findings, by, notes } = await findAll(chosen, {
    conversation: heard,
    fromTurn,
    reasoner: parts.reasoner,
    options,
  });
  const sure = findings.filter(
    ({ candidate }) => CONFIDENCE[candidate.confidence] >= parts.config.extract.min_confidence,
  );
  const items: ExtractedItem[] = [];
  const troubles: string[] = [];
  for (const finding of sure) {
    options.signal?.throwIfAborted();
    try {
      items.push(await takeIn(parts, request, finding));
    } catch (error) {
      // One statement that cannot be written (a file a person has to mend first) must not cost the others.
      if (!isMnemeError(error)) throw error;
      troubles.push(`"${finding.candidate.statement}" could not be kept: ${errorMessage(error)}`);
      items.push(itemOf(finding, { action: 'skipped', reason: errorMessage(error) }));
    }
  }
  return { items, by, notes: [...notes, ...troubles] };
}

/** Compares one statement with what is known, and writes or proposes what follows from it. */
export async function takeIn(parts: ExtractionParts, request: TakeInRequest, finding: Finding): Promise<ExtractedItem> {
  const { candidate } = finding;
  const { stores } = parts;
  const { user, project } = request.conversation;
  const whose = findWhose(stores.parts, stores.entities.registry, candidate, { user, project });
  const meetings = await meetKnown(parts, candidate, whose.entity?.path, request.options);
  const effect = decideEffect(candidate, meetings);
  if (effect.type === 'skip') return itemOf(finding, { action: 'skipped', reason: effect.reason });
  const placing: Placing = { stores, finding, entity: whose.entity, source: request.source };
  const placement = placeFinding(placing, effect.type === 'propose' ? asIfAllowed(effect) : effect);
  const needed = whose.entity !== undefined && placement.path === whose.entity.path ? whose.plans : [];
  const changes = [...needed, ...placement.plans].flatMap((plan) => plan.changes);
  const reason = 'reason' in effect ? effect.reason : whose.entity === undefined ? whose.reason : undefined;
  if (effect.type === 'propose') return propose(parts, request, { finding, placement, changes, reason });
  return write(parts, request, { finding, placement, changes, reason });
}

/** What the proposal would do once somebody agrees. */
function asIfAllowed(effect: Extract<Effect, { type: 'propose' }>): Extract<Effect, { type: 'supersede' }> {
  return { type: 'supersede', beliefs: effect.beliefs, reason: effect.reason };
}

async function meetKnown(
  { known, reasoner }: ExtractionParts,
  candidate: Candidate,
  subjectFile: string | undefined,
  options: AskOptions = {},
): Promise<readonly Meeting[]> {
  const { kind, statement, saidMs, subject, attribute, value, retracts } = candidate;
  const incoming = {
    text: retracts ?? statement,
    saidMs,
    kind,
    subject: subject?.isUser === true ? THE_USER : subject?.name,
    attribute,
    value,
  };
  const meetings: Meeting[] = [];
  for (const belief of await findKnown(known, candidate, subjectFile)) {
    const { statement: said, similarity } = belief;
    const { output } = await reasoner.ask('resolve_contradiction', { known: said, incoming, similarity }, options);
    meetings.push({ belief, comparison: output });
  }
  return meetings;
}

interface Deciding {
  readonly finding: Finding;
  readonly placement: Placement;
  readonly changes: readonly Change[];
  readonly reason: string | undefined;
}

const VERBS: Readonly<Record<Placement['action'], string>> = {
  added: 'learned',
  confirmed: 'heard again',
  superseded: 'learned anew',
  retracted: 'took back',
};

async function write(
  { workspace }: ExtractionParts,
  { attribution, isDryRun }: TakeInRequest,
  { finding, placement, changes, reason }: Deciding,
): Promise<ExtractedItem> {
  const { action, path } = placement;
  if (isDryRun === true || changes.length === 0) {
    return itemOf(finding, { action, path, reason, id: isDryRun === true ? undefined : placement.id() });
  }
  const summary = `${VERBS[action]} "${shorten(finding.candidate.statement)}"`;
  const result = await workspace.commit({ ...attribution, summary, changes });
  return itemOf(finding, { action, path, reason, id: placement.id(), mutation: result.mutation });
}

async function propose(
  parts: ExtractionParts,
  { attribution, isDryRun }: TakeInRequest,
  { finding, changes, reason }: Deciding,
): Promise<ExtractedItem> {
  const { candidate } = finding;
  if (isDryRun === true) return itemOf(finding, { action: 'proposed', reason });
  const proposed = await parts.proposals.propose({
    kind: 'memory',
    title: shorten(candidate.statement),
    why: `${reason ?? 'It contradicts what is known'}. It was said by ${inWords(candidate.trust)}, so a person decides.`,
    evidence: [...citationsOf(candidate)],
    actor: attribution.actor,
    trust: candidate.trust,
    confidence: candidate.confidence,
    changes: carryOut(parts, changes),
    trigger: attribution.trigger,
    session: attribution.session,
  });
  return itemOf(finding, {
    action: proposed.outcome === 'applied' ? 'superseded' : 'proposed',
    id: proposed.id,
    path: proposed.path,
    mutation: proposed.mutation,
    reason,
  });
}

/** The files as they would be: what a proposal shows as a diff. */
function carryOut(
  { fs, stores }: ExtractionParts,
  changes: readonly Change[],
): { path: string; after: string | undefined }[] {
  const texts = new Map<string, string | undefined>();
  for (const change of changes) {
    if (!('edit' in change)) continue;
    const current = texts.has(change.path)
      ? texts.get(change.path)
      : fs.read(`${stores.parts.root}/${change.path}`)?.toString('utf8');
    texts.set(change.path, change.edit(current));
  }
  return [...texts].map(([path, after]) => ({ path, after }));
}

function inWords(trust: Trust): string {
  const names: Readonly<Record<Trust, string>> = {
    user: 'the user',
    agent: 'an agent',
    tool: 'a tool',
    import: 'an import',
    external: 'somebody outside',
  };
  return names[trust];
}

type Outcome = Pick<ExtractedItem, 'action'> & Partial<Pick<ExtractedItem, 'id' | 'path' | 'mutation' | 'reason'>>;

function itemOf({ candidate }: Finding, outcome: Outcome): ExtractedItem {
  const { kind, statement, confidence, importance, trust, evidence } = candidate;
  return {
    kind,
    statement,
    action: outcome.action,
    id: outcome.id,
    path: outcome.path,
    mutation: outcome.mutation,
    reason: outcome.reason,
    confidence,
    importance,
    trust,
    evidence: citationsOf(candidate),
    quote: evidence.quote,
  };
}
