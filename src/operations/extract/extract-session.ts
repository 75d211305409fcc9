import type { KnowledgeChange, LiveTurn } from '../../capture/live-turn.ts';
import { turnNumber } from '../../capture/live-turn.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { TranscriptFrontmatter } from '../../model/schemas/frontmatter.ts';
import { localTime } from '../../model/time.ts';
import type { AskOptions, HeardConversation, Purpose, Purposes, Reasoner } from '../../reasoner/port.ts';
import { actorOf, extractKnowledge, type ExtractedItem } from '../../extract/extraction.ts';
import type { Chosen } from '../../extract/extractors.ts';
import { hearConversation } from '../../extract/heard.ts';
import { realName } from '../../model/knowledge.ts';
import { isTrustedAtLeast, lowestTrust } from '../../model/provenance.ts';
import type { IgnoreRules } from '../../memory/ignore-rules.ts';
import { planJournal } from '../../memory/stores/journal.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import { noteLearned } from '../chain/note-memories.ts';
import type { OperationContext } from '../context.ts';
import { ignoreRulesOf } from '../may-learn.ts';
import { reinforceFromSession } from '../decay/reinforce.ts';
import { runOperation } from '../operation.ts';
import { fulfilWishes, wishesOf } from '../session/fulfil-wishes.ts';
import { scopeOfSession } from '../session/session-scope.ts';
import { findSpeakers, refusalOf, strangerIn, type Speakers } from '../session/speaker.ts';
import { processedTranscripts } from './waiting.ts';

export interface SessionExtraction {
  readonly session: string;
  /** The first and last turn that were looked at; null when nothing was new. */
  readonly from: string | null;
  readonly to: string | null;
  readonly items: readonly ExtractedItem[];
  /** The day's file that tells of the session. */
  readonly journal: string | null;
  readonly by: string | null;
  readonly notes: readonly string[];
}

export interface ExtractOptions {
  readonly chosen: Chosen;
  readonly isDryRun?: boolean | undefined;
  /** Look at all turns, whatever was processed before. */
  readonly again?: boolean | undefined;
  /** Not every extractor looks: what the others would find is still to be learned. */
  readonly isPartial?: boolean | undefined;
  readonly trigger: string;
  /** Whether a window is about to be compacted: sets what is judged, and what is stored beside what was kept. */
  readonly isFlush?: boolean | undefined;
  /** It happens by itself, so `capture` says what is kept. */
  readonly isUnasked?: boolean | undefined;
  readonly ask?: AskOptions | undefined;
}

/** Turns before the new ones that are listened to again, so that "yes, do that" has something to refer to. */
const CONTEXT_TURNS = 12;

export interface HeardSession {
  readonly turns: readonly (Turn | LiveTurn)[];
  readonly about: Partial<TranscriptFrontmatter>;
  /** The user's name when the session began. */
  readonly user: string | undefined;
  readonly isOpen: boolean;
  /** Whether its turns come from another program's log. */
  readonly isFollowed: boolean;
}

/** Processes what is new in one session; whoever calls holds the extraction lock. */
export async function extractSession(
  context: OperationContext,
  session: string,
  options: ExtractOptions,
): Promise<SessionExtraction> {
  const sessions = context.parts.sessions();
  if (sessions.isPrivate(session)) {
    // Parts written before it became private must not wait for ever.
    if (options.isDryRun !== true) await processedTranscripts(context).add(sessions.findEarlier(session)?.paths ?? []);
    const notes = [`${session} is private: nothing is learned from it.`];
    return { session, from: null, to: null, items: [], journal: null, by: null, notes };
  }
  const { turns, about, isOpen, isFollowed } = hearSession(context, session);
  const processed = options.again === true ? 0 : sessions.processedUpTo(session);
  const firstNew = turns.findIndex((turn) => turnNumber(turn) > processed);
  const last = turns.at(-1);
  const first = turns[firstNew];
  const wishes = options.isDryRun === true ? [] : await fulfilLeft(context, session, turns);
  if (first === undefined || last === undefined) {
    // A crash may have come between the two notes of what was processed.
    if (options.isDryRun !== true && !isOpen)
      await processedTranscripts(context).add(sessions.findEarlier(session)?.paths ?? []);
    return { session, from: null, to: null, items: [], journal: null, by: null, notes: wishes };
  }
  const heardTurns = turns.slice(Math.max(0, firstNew - CONTEXT_TURNS));
  const speakers = await findSpeakers(context, session);
  if (options.isDryRun !== true && scopeOfSession(context, session) === 'shared')
    wishes.push(...(await nameUser(context, speakers)));
  const conversation = hearConversation(session, heardTurns, about, {
    timeZone: context.config.time_zone,
    user: speakers.owner,
    aliases: speakers.aliases,
  });
  wishes.push(...strangersIn(speakers, turns.slice(firstNew)));
  const isImported = about.source === 'import';
  const scope = scopeOfSession(context, session);
  const attribution = { actor: context.actor, approval: 'auto', trigger: options.trigger, session } as const;
  const opened = await context.parts.extraction();
  const extraction = options.isFlush === true ? { ...opened, reasoner: flushing(opened.reasoner) } : opened;
  const extracted = await extractKnowledge(extraction, {
    conversation,
    fromTurn: first.id,
    ...keptOf(context, options),
    attribution,
    source: options.isFlush === true ? 'flush' : isImported ? 'import' : 'auto',
    scope,
    isDryRun: options.isDryRun,
    options: options.ask,
  });
  // The day's diary is everybody's.
  const diary =
    options.chosen.hasJournal && scope === 'shared'
      ? await keepDiary(context, conversation, { first, options, attribution, topic: about.topic })
      : { path: null, notes: [] };
  const troubles: string[] = [];
  if (options.isDryRun !== true) {
    // A log that is being captured has its own count of turns; one of ours in between would be taken for one of its own.
    if (isOpen && !isFollowed) await noteChanges(context, session, extracted.items);
    noteLearned(context, extracted.items, scope);
    const isWhole = options.isPartial !== true && extracted.items.every(({ action }) => action !== 'failed');
    // Known facts are reinforced once all of the session was learned, not on each run.
    if (isWhole) troubles.push(...(await reinforceFromSession(context, conversation, first.id, extracted.items)));
    if (options.isPartial !== true) await sessions.markProcessed(session, upTo(extracted.items, turnNumber(last)));
    if (isWhole && !isOpen) await processedTranscripts(context).add(sessions.findEarlier(session)?.paths ?? []);
    if (extracted.items.some(({ action }) => action === 'failed')) {
      troubles.push(`${session} is looked at again by the next \`mneme learn extract\`.`);
    }
  }
  return {
    session,
    from: first.id,
    to: last.id,
    items: extracted.items,
    journal: diary.path,
    by: extracted.by,
    notes: [...wishes, ...extracted.notes, ...diary.notes, ...troubles],
  };
}

/** Applies `capture` to the knowledge that no user asked to keep. */
function keptOf(
  { config: { capture } }: OperationContext,
  { chosen, isUnasked = false }: ExtractOptions,
): { readonly chosen: Chosen; readonly minImportance: number } {
  if (!isUnasked) return { chosen, minImportance: 0 };
  const kept = capture.auto ? chosen : { ...chosen, kinds: [], plugins: [] };
  return { chosen: kept, minImportance: capture.auto_min_importance };
}

/** Up to the turn before the first statement that could not be written: from there it is tried again. */
function upTo(items: readonly ExtractedItem[], last: number): number {
  const failed = items
    .filter(({ action }) => action === 'failed')
    .flatMap(({ evidence }) => evidence.map((citation) => Number(citation.slice(citation.lastIndexOf('#') + 2))));
  return Math.min(last, ...failed.map((turn) => turn - 1));
}

/** The user's file was made before anybody said what they are called: from now on it says so. */
async function nameUser(context: OperationContext, { sessionUser }: Speakers): Promise<string[]> {
  const known = context.entities.findUser();
  if (known === undefined || sessionUser === undefined || realName(known.name) !== undefined) return [];
  const others = context.entities.sharingName(sessionUser).filter(({ type }) => type === 'person');
  if (others.length > 0) {
    const [other] = others;
    return [
      `${other?.path} is called ${sessionUser} too; if that is the user: mneme graph merge ${known.id} ${other?.id}`,
    ];
  }
  try {
    const { graphRename } = await import('../graph/rename.ts');
    await runOperation(graphRename, context, {
      entity: known.id,
      name: sessionUser,
      nameOnly: true,
      dropOldName: true,
    });
    await context.entities.sync();
    return [];
  } catch (error) {
    // The name can wait; what was said must not.
    if (!isMnemeError(error)) throw error;
    return [`That the user is called ${sessionUser} was not noted: ${errorMessage(error)}`];
  }
}

/** Told once for each: what they say of themselves is nothing the user stated. */
function strangersIn(speakers: Speakers, turns: readonly Turn[]): string[] {
  const isTheirs = speakers.sessionUser !== undefined && strangerIn(speakers, { role: 'user' }) !== undefined;
  const strangers = new Set(turns.flatMap((turn) => strangerIn(speakers, turn) ?? []));
  return isTheirs ? [...strangers].map((stranger) => refusalOf(speakers, stranger)) : [];
}

/** The same judgement, asked for by its own name: it has its own prompt, model and line in the costs. */
function flushing(reasoner: Reasoner): Reasoner {
  return {
    name: reasoner.name,
    // Both purposes take and give the same.
    ask: <P extends Purpose>(purpose: P, input: Purposes[P]['input'], options?: AskOptions) =>
      reasoner.ask(purpose === 'extract' ? ('flush' as P) : purpose, input, options),
  };
}

/** A hook may have had no time for what the user asked of the memory; here there is. */
async function fulfilLeft(context: OperationContext, session: string, turns: readonly Turn[]): Promise<string[]> {
  if (wishesOf(context).find(session) === undefined) return [];
  const failed = (await fulfilWishes(context, session, turns)).filter(({ noted }) => noted.hasFailed === true);
  return failed.map(({ noted: { kind, turn }, reason = '' }) => {
    return `What ${session}#${turn} asks (${kind}) could not be done: ${reason}`.trim();
  });
}

/** Everything said in a session, whether it goes on or was ended. */
export function hearSession(context: OperationContext, session: string): HeardSession {
  const sessions = context.parts.sessions();
  const isOpen = sessions.isOpen(session);
  const earlier = sessions.findEarlier(session);
  const live = isOpen ? sessions.peek(session) : undefined;
  const said = (earlier?.said ?? []).filter((turn) => live?.turns.some(({ id }) => id === turn.id) !== true);
  const about: Partial<TranscriptFrontmatter> = {
    ...earlier?.frontmatter,
    ...(live?.record?.project === undefined ? {} : { project: live.record.project }),
  };
  // A turn that tells what was learned would be learned from in turn.
  const turns = [...said, ...(live?.turns ?? [])].filter(({ tag }) => tag !== 'memory');
  return { turns, about, user: live?.record?.user, isOpen, isFollowed: live?.record?.origin !== undefined };
}

interface DiaryInput {
  readonly first: Turn;
  /** The topic given for the session, or the user's first words. */
  readonly topic: string | undefined;
  readonly options: ExtractOptions;
  readonly attribution: Parameters<typeof extractKnowledge>[1]['attribution'];
  /** The reasoner for summaries; the home's own when not given. */
  readonly reasoner?: Reasoner | undefined;
}

/** Summaries are for reading, not for searching: a few lines a session. */
const DIARY_TOKENS = 300;

export async function keepDiary(
  context: OperationContext,
  conversation: HeardConversation,
  { first, options, attribution, topic, reasoner: given }: DiaryInput,
): Promise<{ readonly path: string | null; readonly notes: readonly string[] }> {
  const { reasoner: own, stores, workspace } = await context.parts.extraction();
  const reasoner = given ?? own;
  const trust = lowestTrust(
    conversation.turns.filter(({ role }) => role === 'user' || role === 'agent').map((turn) => turn.trust),
  );
  // Words of a tool or a pasted text would get the trust of the speakers.
  const spoken = conversation.turns.filter((turn) => isTrustedAtLeast(turn.trust, trust));
  const told = await reasoner.ask(
    'summarise',
    { conversation: { ...conversation, turns: spoken }, maxTokens: DIARY_TOKENS },
    options.ask,
  );
  const { notes } = told;
  // Without a model the words of the user are a better heading than the most frequent ones.
  const summary = told.by.startsWith('heuristic') ? { ...told.output, topic: topic ?? told.output.topic } : told.output;
  const output = withoutIgnored(summary, await ignoreRulesOf(context));
  const { points, decisions, errors, next } = output;
  if (points.length + decisions.length + errors.length + next.length === 0) return { path: null, notes };
  const saidMs = conversation.turns.find(({ id }) => id === first.id)?.timeMs ?? context.clock.now();
  const { date } = localTime(saidMs, context.config.time_zone);
  const plan = planJournal(stores.parts, {
    ...output,
    date,
    session: conversation.session,
    trust,
  });
  const path = plan.changes[0]?.path ?? null;
  if (options.isDryRun === true) return { path, notes };
  try {
    await workspace.commit({
      ...attribution,
      actor: actorOf('journal'),
      summary: `diary of ${output.topic}`,
      changes: plan.changes,
    });
    return { path, notes };
  } catch (error) {
    // A day's file that a person has to mend first must not make the session be processed for ever.
    return { path: null, notes: [...notes, `The diary was not written: ${errorMessage(error)}`] };
  }
}

/** The diary tells nothing of what the user wants nothing learned about. */
function withoutIgnored(told: Purposes['summarise']['output'], rules: IgnoreRules): Purposes['summarise']['output'] {
  const wanted = (points: readonly string[]): string[] => points.filter((point) => rules.find(point) === undefined);
  return {
    ...told,
    topic: rules.find(told.topic) === undefined ? told.topic : 'Conversation',
    points: wanted(told.points),
    decisions: wanted(told.decisions),
    errors: wanted(told.errors),
    next: wanted(told.next),
  };
}

async function noteChanges(context: OperationContext, session: string, items: readonly ExtractedItem[]): Promise<void> {
  const changes = items.flatMap(({ action, path, statement, mutation }): KnowledgeChange[] =>
    path === undefined || mutation === undefined ? [] : [{ path, action, summary: statement, mutation }],
  );
  if (changes.length === 0) return;
  await context.parts.sessions().exclusively(session, {}, (open) => open.appendChanges(changes, context.clock.now()));
}
