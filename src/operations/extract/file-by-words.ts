import { divideRequest, isForEver } from '../../judge/requests/command-words.ts';
import { type Candidate, type Certainty, type CoreBlock, type KnowledgeKind, realName } from '../../model/knowledge.ts';
import { must } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import type { Source, Trust } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { builtInLabel } from '../../extract/extractors.ts';
import type { ExtractedItem } from '../../extract/extraction.ts';
import { planStatement } from '../../extract/take-in.ts';
import type { HeardConversation, Route } from '../../reasoner/port.ts';
import type { Change, CommitResult } from '../../workspace/door/request.ts';
import { blockLineRanges } from '../../workspace/markdown/blocks.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { WriteStrategy } from '../../workspace/write-queue.ts';
import type { OperationContext } from '../context.ts';
import type { Remembered } from '../remember.ts';
import { scopeOfSession } from '../session/session-scope.ts';
import { visibleTo } from '../visible-to.ts';
import { HEARD_BEFORE } from './confirm-entry.ts';
import type { OpenExtraction } from './open-extraction.ts';
import { capitalise } from '../../model/text.ts';

export type Described = Omit<Remembered, 'redacted'>;

/** Everything that one memory writes, in one commit. */
export interface MemoryPlan {
  /** For the history. */
  readonly summary: string;
  /** Nothing where what is said again is noted nowhere. */
  readonly changes: readonly Change[];
  /** When it is written, whatever was asked for. */
  readonly strategy?: WriteStrategy | undefined;
  /** Whether the words themselves are the approval that a protected file needs. */
  readonly isApproved?: boolean | undefined;
  /** undefined where a file was changed since it was planned, so that something else has to be planned. */
  readonly describe: (result: CommitResult | undefined) => Described | undefined;
}

/** A memory that contradicts known facts waits as a proposal instead. */
export interface ProposedMemory {
  readonly propose: () => Promise<Described>;
}

interface Told {
  readonly text: string;
  readonly store?: string | undefined;
  readonly source: Source;
  readonly trust: Trust;
  readonly confidence?: Certainty | undefined;
  readonly importance?: number | undefined;
  readonly tags: readonly string[];
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly trigger?: string | undefined;
}

/** The way a request is filed: by its content, or verbatim, in its day or in the vault. */
export type Filing =
  | { readonly plan: MemoryPlan | ProposedMemory }
  | {
      readonly plan?: undefined;
      readonly store: 'episodic' | 'vault' | undefined;
      /** The changes written along with it. */
      readonly also: readonly Change[];
    };

/**
 * Plans where something that was asked to be remembered goes by what it says: on the page of whom or what it is about, where it
 * meets what is known, as a procedure, and, on the user's own word, in the block of core memory where a person would look for it.
 */
export async function planFiling(context: OperationContext, told: Told): Promise<Filing> {
  const extraction = await context.parts.extraction();
  const { registry } = extraction.stores.entities;
  await registry.sync();
  const conversation: HeardConversation = {
    session: told.session ?? '',
    // Undefined while nobody has said what the user is called: their file has a placeholder for a name.
    user: realName(registry.findUser()?.name),
    // A request in a project's conversation that names nothing else is about the project.
    project: told.session === undefined ? undefined : projectOf(context, told.session),
    timeZone: context.config.time_zone,
    turns: [{ id: 't1', role: 'user', text: told.text, timeMs: context.clock.now(), trust: told.trust }],
    known: registry.known(),
  };
  const { route, candidate } = await understand(extraction, conversation, told);
  const isUsers = told.trust === 'user' && told.source === 'user-explicit';
  const isForGood = route.store === 'vault' || isForEver({ content: '', asking: told.trigger ?? '' });
  // Only a person may store something that never fades; an agent's request is filed by its content.
  if (isForGood && isUsers && told.store === undefined)
    return { store: 'vault', also: alsoInCore(extraction, candidate) };
  const isOfItsDay = route.store === 'episodic' || isLong(told.text) || !/\S\s+\S/u.test(told.text);
  if (isOfItsDay && told.store === undefined) return { store: 'episodic', also: [] };
  const attribution = {
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
    trigger: told.trigger,
    session: told.session,
  } as const;
  const request = { conversation, attribution, source: told.source, isAsked: true };
  const planned = await planStatement(extraction, request, { candidate, extractor: builtInLabel(candidate.kind) });
  if (planned.kind === 'propose') {
    return { plan: { propose: async () => described(context, await planned.propose(), undefined) } };
  }
  const { action, path } = planned.kind === 'write' ? planned : planned.item;
  const isEntry = path?.includes('memory/episodes/') === true;
  // An entry of a day that says it is no belief: what is said again is noted there.
  if (path === undefined || (isEntry && action !== 'added')) return { store: undefined, also: [] };
  if (planned.kind === 'skip') {
    const { item } = planned;
    return { plan: { summary: '', changes: [], describe: () => described(context, item, undefined) } };
  }
  const { summary, changes, itemOf } = planned;
  const isInCore = isUsers && candidate.isCoreWorthy && (action === 'added' || action === 'superseded');
  const block = isInCore ? candidate.coreBlock : undefined;
  const describe: MemoryPlan['describe'] = (result) => described(context, itemOf(result?.mutation), block);
  return { plan: { summary, changes, strategy: 'immediate', describe } };
}

/** Describes what was filed, as the verb reports it. */
function described(
  context: OperationContext,
  { id, path, action, mutation, reason }: ExtractedItem,
  block: CoreBlock | undefined,
): Described {
  const place = must(path, 'the place of what was filed');
  const item = must(id, 'the id of what was filed');
  const isEntry = place.includes('memory/episodes/');
  const lines = action === 'proposed' ? undefined : linesOf(context, place, item);
  return {
    id: item,
    mutation: mutation ?? '',
    store: action === 'proposed' ? 'meta' : isEntry ? 'episodic' : place === item ? 'procedural' : 'semantic',
    path: place,
    startLine: lines?.startLine ?? 1,
    endLine: lines?.endLine ?? 1,
    commit: null,
    warnings: action === 'confirmed' ? [HEARD_BEFORE] : reason === undefined ? [] : [`${reason}: ${action}`],
    ...(block === undefined ? {} : { block }),
  };
}

function projectOf(context: OperationContext, session: string): string | undefined {
  // The topic of another scope's conversation must not show in the place where this is filed.
  if (!visibleTo(context).sees(scopeOfSession(context, session))) return undefined;
  const sessions = context.parts.sessions();
  const open = sessions.isOpen(session) ? sessions.peek(session).record?.project : undefined;
  return open ?? sessions.findEarlier(session)?.frontmatter.project;
}

/** Longer texts tell a story or hold a document: they are kept whole, with their day. */
const LONGEST_CHARS = 500;

function isLong(text: string): boolean {
  return text.length > LONGEST_CHARS || /\n\s*\n/u.test(text.trim());
}

/** Safety-critical facts are also put into core memory, wherever else the user asked to keep them. */
function alsoInCore({ stores }: OpenExtraction, { coreBlock, statement, importance }: Candidate): readonly Change[] {
  if (coreBlock !== 'Critical Facts') return [];
  const bullet = { block: coreBlock, text: statement, meta: { importance, trust: 'user' } } as const;
  return stores.core.planBullet(bullet, { whenFull: 'move' }).changes;
}

/** Words after the value that only say when: "now", "since May", "these days". */
const MAX_WORDS_AFTER = 3;

/** Whether a text ends with the property it states. What goes on ("and is allergic to latex") must not be swallowed. */
function saysNothingElse(text: string, value: string | undefined): boolean {
  const at = value === undefined ? -1 : text.toLowerCase().lastIndexOf(value.toLowerCase());
  if (value === undefined || at === -1) return false;
  const rest = text.slice(at + value.length).replace(/[.!\s]+$/u, '');
  return (
    !/[,;:.!?]|(?<!\p{L})(?:and|but|or|und|aber|y|pero|et|mais)(?!\p{L})/iu.test(rest) &&
    wordCount(rest) <= MAX_WORDS_AFTER
  );
}

function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length;
}

async function understand(
  { reasoner }: OpenExtraction,
  conversation: HeardConversation,
  told: Told,
): Promise<{ readonly route: Route; readonly candidate: Candidate }> {
  const { user, timeZone, known, session } = conversation;
  const timeMs = conversation.turns[0]?.timeMs ?? 0;
  const { output: route } = await reasoner.ask('route', { text: told.text, user, timeMs, timeZone, known });
  const { property, store, block, summary, kind = 'fact', ...rest } = route;
  const isWhole = property !== undefined && (told.store !== undefined || saysNothingElse(told.text, property.value));
  const candidate: Candidate = {
    ...rest,
    kind,
    statement: statementOf(told.text, summary, kind),
    evidence: { session, turns: told.turn === undefined ? [] : [told.turn], quote: told.text },
    trust: told.trust,
    saidMs: timeMs,
    subject:
      route.subject ?? property?.subject ?? rest.entities.find(({ isUser }) => isUser === true) ?? rest.entities[0],
    ...(isWhole ? { attribute: property.attribute, value: property.value } : {}),
    // A request to remember implies a high confidence and importance.
    confidence: told.confidence ?? 'high',
    importance: told.importance ?? 0.7,
    // Words that stand in the statement need not be tagged as well.
    tags: told.tags,
    isCoreWorthy: store === 'core' || block !== undefined,
    coreBlock: block,
  };
  return { route, candidate };
}

const FIRST_PERSON =
  /(?<!\p{L})(?:i|i'm|my|me|mine|we|our|us|ich|mein\p{L}*|mir|wir|unser\p{L}*|yo|mi|mis|je|j'|mon|ma|mes)(?!\p{L})/iu;

/**
 * Uses the summary for tasks, dated statements and the first person, because "I" and "Friday" mean nothing later.
 * Other statements are quoted.
 */
function statementOf(text: string, summary: string, kind: KnowledgeKind): string {
  const { content, asking } = divideRequest(text);
  const isDated = /\(\d{4}-\d\d/u.test(summary) && !/\(\d{4}-\d\d/u.test(content);
  return kind === 'task' || isDated || FIRST_PERSON.test(content)
    ? summary
    : asking === ''
      ? content
      : capitalise(content);
}

function linesOf(
  { workspace }: OperationContext,
  file: string,
  id: string,
): { readonly startLine: number; readonly endLine: number } | undefined {
  const text = nodeFileSystem.read(`${workspace.root}/${file}`)?.toString('utf8');
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  return blockLineRanges(document)[document.blocks.findIndex((block) => block.id === id)];
}
