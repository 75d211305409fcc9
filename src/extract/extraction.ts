import type { Config } from '../model/config/schema.ts';
import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Certainty, KnowledgeKind } from '../model/knowledge.ts';
import { parseActor, type Actor, type Attribution } from '../model/mutation.ts';
import type { Scope, Source, Trust } from '../model/provenance.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { AskOptions, HeardConversation, Reasoner } from '../reasoner/port.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findAll, type Chosen, type Finding, type Findings } from './extractors.ts';
import type { ImaginedBelief, KnownParts } from './known-beliefs.ts';
import type { Placement, Stores } from './place.ts';
import { findRetractions, wishOf, withRetractions } from './retractions.ts';
import { itemOf, takeInStatement } from './take-in.ts';
import { findStated, RELATIONS_EXTRACTOR, takeInRelations } from './take-in-relations.ts';

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
  /** The extractors' findings, where they ran before. */
  readonly found?: Findings | undefined;
  /** The actor that requested it, for the history. */
  readonly attribution: Attribution;
  readonly source: Source;
  /** The private scope the conversation belongs to: what is learned from it stays there. */
  readonly scope?: Scope | undefined;
  /** Decide everything, write nothing. */
  readonly isDryRun?: boolean | undefined;
  /** Statements below this importance are not kept. */
  readonly minImportance?: number | undefined;
  readonly options?: AskOptions | undefined;
}

export type TakeInRequest = Omit<ExtractionRequest, 'chosen' | 'found' | 'fromTurn'> & {
  /** In a dry run: what would be known by now, although nothing was written. */
  readonly imagined?: readonly ImaginedBelief[] | undefined;
  /** Ids of what the statement itself was taken from: meeting that again says nothing. */
  readonly except?: readonly string[] | undefined;
  /** True for a request to remember it; the history says so. */
  readonly isAsked?: boolean | undefined;
};

/** One statement and what became of it. */
export interface ExtractedItem {
  readonly kind: KnowledgeKind;
  readonly statement: string;
  /** `failed`: it could not be written, and is tried again. */
  readonly action: Placement['action'] | 'proposed' | 'skipped' | 'failed';
  /** The item in the memory, or the proposal; undefined where nothing was written. */
  readonly id: string | undefined;
  readonly path: string | undefined;
  readonly mutation: string | undefined;
  /** Why it was skipped, proposed or replaces something. */
  readonly reason: string | undefined;
  /** Items that no longer hold because of it, or would not. */
  readonly replaced: readonly ReplacedItem[];
  readonly confidence: Certainty;
  readonly importance: number;
  readonly trust: Trust;
  readonly evidence: readonly string[];
  readonly quote: string;
}

export interface ReplacedItem {
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

export interface Extracted {
  readonly items: readonly ExtractedItem[];
  /** The name of the reasoner. */
  readonly by: string;
  readonly notes: readonly string[];
}

/** Candidates of low certainty are dropped. */
const MIN_CONFIDENCE = 0.5;
const CONFIDENCE: Readonly<Record<Certainty, number>> = { high: 0.9, medium: 0.7, low: 0.4 };

/** True for a request handled when it was made. In an imported log, no agent received it. */
function isActedOn(quote: string, source: Source): boolean {
  const wish = wishOf(quote);
  return source === 'import' ? wish === 'forget' : wish !== undefined;
}

/**
 * Turns a conversation into knowledge: extractors find candidates, each is compared with what is known, and what it does
 * to that is written as a mutation of its own, so that each can be looked at and taken back alone.
 */
export async function extractKnowledge(parts: ExtractionParts, request: ExtractionRequest): Promise<Extracted> {
  const { registry } = parts.stores.entities;
  await registry.sync();
  const { conversation, chosen, fromTurn, options = {} } = request;
  const heard = { ...conversation, known: registry.known() };
  const { findings, by, notes } =
    request.found ?? (await findAll(chosen, { conversation: heard, fromTurn, reasoner: parts.reasoner, options }));
  const sure = withRetractions(findings, findRetractions(heard, fromTurn)).filter(
    ({ candidate }) =>
      CONFIDENCE[candidate.confidence] >= MIN_CONFIDENCE &&
      candidate.importance >= (request.minImportance ?? 0) &&
      !isActedOn(candidate.evidence.quote, request.source),
  );
  const items: ExtractedItem[] = [];
  const imagined: ImaginedBelief[] = [];
  const troubles: string[] = [];
  for (const finding of sure) {
    options.signal?.throwIfAborted();
    try {
      const attribution = { ...request.attribution, actor: actorOf(finding.extractor) };
      const { item, belief } = await takeInStatement(parts, { ...request, attribution, imagined }, finding);
      items.push(item);
      if (isHeld(item))
        troubles.push(...(await takeInRelations(parts, { ...request, attribution }, finding.candidate)));
      if (belief !== undefined) imagined.push(belief);
    } catch (error) {
      // One statement that cannot be written (a file a person has to mend first) must not cost the others.
      if (!isMnemeError(error)) throw error;
      troubles.push(`"${finding.candidate.statement}" could not be kept: ${errorMessage(error)}`);
      items.push(itemOf(finding, { action: 'failed', reason: errorMessage(error) }));
    }
  }
  if (chosen.kinds.includes('person') && request.isDryRun !== true)
    troubles.push(...(await relate(parts, request, heard)));
  return { items, by, notes: [...notes, ...troubles] };
}

/** Writes the relations that the user's turns state. Without its model a memory still keeps the statements. */
async function relate(
  parts: ExtractionParts,
  request: ExtractionRequest,
  conversation: HeardConversation,
): Promise<string[]> {
  const attribution = { ...request.attribution, actor: actorOf(RELATIONS_EXTRACTOR) };
  try {
    const troubles: string[] = [];
    for (const stated of await findStated(conversation, request.fromTurn))
      troubles.push(...(await takeInRelations(parts, { ...request, attribution }, stated)));
    return troubles;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return [`Relations were not read: ${errorMessage(error)}`];
  }
}

/** `bot:extract:decisions@1`: the history tells which extractor found it, whoever had it run. */
export function actorOf(extractor: string): Actor {
  return parseActor(`bot:extract:${extractor.replaceAll(/[^\w.@-]+/gu, '-')}`);
}

/** Compares one statement with what is known, and writes or proposes what follows from it. */
export async function takeIn(parts: ExtractionParts, request: TakeInRequest, finding: Finding): Promise<ExtractedItem> {
  return (await takeInStatement(parts, request, finding)).item;
}

/** Whether what a statement says holds; what waits for a person, was skipped or is taken back gives no relation. */
function isHeld({ action }: ExtractedItem): boolean {
  return action === 'added' || action === 'confirmed' || action === 'superseded';
}
