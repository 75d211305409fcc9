import type { KnowledgeChange, LiveTurn } from '../../capture/live-turn.ts';
import { turnNumber } from '../../capture/live-turn.ts';
import { errorMessage } from '../../model/errors.ts';
import type { TranscriptFrontmatter } from '../../model/schemas/transcript.ts';
import { localTime } from '../../model/time.ts';
import type { AskOptions, HeardConversation } from '../../reasoner/port.ts';
import { extractKnowledge, type ExtractedItem } from '../../extract/extraction.ts';
import type { Chosen } from '../../extract/extractors.ts';
import { hearConversation } from '../../extract/heard.ts';
import { planJournal } from '../../memory/stores/journal.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import { sessionsOf } from '../session/open-sessions.ts';
import { processedTranscripts } from './find-pending.ts';
import { extractionOf } from './open-extraction.ts';

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
  readonly trigger: string;
  readonly ask?: AskOptions | undefined;
}

/** Turns before the new ones that are listened to again, so that "yes, do that" has something to refer to. */
const CONTEXT_TURNS = 12;

interface Heard {
  readonly turns: readonly (Turn | LiveTurn)[];
  readonly about: Partial<TranscriptFrontmatter>;
  /** What the user was called when the session began. */
  readonly user: string | undefined;
  readonly isOpen: boolean;
}

/** Processes what is new in one session; whoever calls holds the extraction lock. */
export async function extractSession(
  context: OperationContext,
  session: string,
  options: ExtractOptions,
): Promise<SessionExtraction> {
  const sessions = sessionsOf(context);
  const { turns, about, user, isOpen } = hearSession(context, session);
  const processed = options.again === true ? 0 : sessions.processedUpTo(session);
  const firstNew = turns.findIndex((turn) => turnNumber(turn) > processed);
  const last = turns.at(-1);
  const first = turns[firstNew];
  if (first === undefined || last === undefined) {
    return { session, from: null, to: null, items: [], journal: null, by: null, notes: [] };
  }
  const heardTurns = turns.slice(Math.max(0, firstNew - CONTEXT_TURNS));
  await context.entities.sync();
  const conversation = hearConversation(session, heardTurns, about, {
    timeZone: context.config.time_zone,
    user: context.entities.findUser()?.name ?? user,
  });
  const isImported = about.source === 'import';
  const attribution = { actor: context.actor, approval: 'auto', trigger: options.trigger, session } as const;
  const extraction = extractionOf(context);
  const extracted = await extractKnowledge(extraction, {
    conversation,
    fromTurn: first.id,
    chosen: options.chosen,
    attribution,
    source: isImported ? 'import' : 'auto',
    isDryRun: options.isDryRun,
    options: options.ask,
  });
  const diary = options.chosen.hasJournal
    ? await keepDiary(context, conversation, { first, options, attribution })
    : { path: null, notes: [] };
  if (options.isDryRun !== true) {
    if (isOpen) await noteChanges(context, session, extracted.items);
    await sessions.markProcessed(session, turnNumber(last));
    if (!isOpen) await processedTranscripts(context).add(sessions.findEarlier(session)?.paths ?? []);
  }
  return {
    session,
    from: first.id,
    to: last.id,
    items: extracted.items,
    journal: diary.path,
    by: extracted.by,
    notes: [...extracted.notes, ...diary.notes],
  };
}

/** Everything said in a session, whether it goes on or was ended. */
function hearSession(context: OperationContext, session: string): Heard {
  const sessions = sessionsOf(context);
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
  return { turns, about, user: live?.record?.user, isOpen };
}

interface DiaryInput {
  readonly first: Turn;
  readonly options: ExtractOptions;
  readonly attribution: Parameters<typeof extractKnowledge>[1]['attribution'];
}

/** Summaries are for reading, not for searching: a few lines a session. */
const DIARY_TOKENS = 300;

async function keepDiary(
  context: OperationContext,
  conversation: HeardConversation,
  { first, options, attribution }: DiaryInput,
): Promise<{ readonly path: string | null; readonly notes: readonly string[] }> {
  const { reasoner, stores, workspace } = extractionOf(context);
  const { output, notes } = await reasoner.ask('summarise', { conversation, maxTokens: DIARY_TOKENS }, options.ask);
  if (output.points.length === 0) return { path: null, notes };
  const saidMs = conversation.turns.find(({ id }) => id === first.id)?.timeMs ?? context.clock.now();
  const { date } = localTime(saidMs, context.config.time_zone);
  const plan = planJournal(stores.parts, { ...output, date, session: conversation.session });
  const path = plan.changes[0]?.path ?? null;
  if (options.isDryRun === true) return { path, notes };
  try {
    await workspace.commit({ ...attribution, summary: `diary of ${output.topic}`, changes: plan.changes });
    return { path, notes };
  } catch (error) {
    // A day's file that a person has to mend first must not make the session be processed for ever.
    return { path: null, notes: [...notes, `The diary was not written: ${errorMessage(error)}`] };
  }
}

async function noteChanges(context: OperationContext, session: string, items: readonly ExtractedItem[]): Promise<void> {
  const changes = items.flatMap(({ action, path, statement, mutation }): KnowledgeChange[] =>
    path === undefined || mutation === undefined ? [] : [{ path, action, summary: statement, mutation }],
  );
  if (changes.length === 0) return;
  await sessionsOf(context).exclusively(session, {}, (open) => open.appendChanges(changes, context.clock.now()));
}
