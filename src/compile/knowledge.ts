import type { Config } from '../model/config/schema.ts';
import type { Scope } from '../model/provenance.ts';
import type { Group } from '../retrieve/fit.ts';
import { toHits } from '../retrieve/hits.ts';
import type { Ranked } from '../retrieve/rank.ts';
import type { Asking, SearchRequest, SearchResult } from '../retrieve/search.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { extractTerms } from '../search-index/text/terms.ts';
import { NO_FEEDBACK, saidIn, type PromptFeedback } from './feedback.ts';
import { turnOf, type Later, type LaterWords } from './later.ts';
import { LONG_TURN, type Piece, hitPiece } from './piece.ts';
import { createDays } from './quote.ts';
import { openReadChange } from './relevance/changes.ts';
import { withAnswers, type AskedBefore } from './relevance/answers.ts';
import { considerMemories, firstLook, JUDGED, type Consideration, type ConsiderRequest } from './relevance/consider.ts';
import { createMeasure, gatherEvidence, type MeasurePassage, type MessageEvidence } from './relevance/evidence.ts';
import { openHelps, openRetold } from './relevance/helps.ts';
import { showChance } from '../model/text.ts';
import { isTelling } from './relevance/vocabulary.ts';
import { repeats } from '../model/repeated.ts';
import { NOTHING_TOLD, type Told } from './told-store.ts';
import type { World } from './world.ts';
import { SNIPPET_CHARS } from '../retrieve/settings.ts';
import { isTurn } from '../search-index/port.ts';

/** Whether anything remembered belongs to a message, and why. */
export interface Decision extends Omit<Consideration, 'memories' | 'unread' | 'leastChance'> {
  readonly threshold: number;
  readonly isRelevant: boolean;
  readonly evidence: MessageEvidence | null;
  /** In words. */
  readonly reason: string;
}

export interface Knowledge {
  /** The best first. */
  readonly pieces: readonly Piece[];
  readonly decision: Decision;
  readonly mode: SearchResult['mode'] | null;
  /** Ids of the models that the message was compared by; undefined: nothing was searched. */
  readonly models?: readonly string[] | undefined;
  readonly notes: readonly string[];
}

export interface KnowledgeRequest {
  readonly message: string;
  /** Of the active topics: they join the question, and not what is judged. */
  readonly keywords?: readonly string[] | undefined;
  readonly tokens: number;
  readonly scopes: readonly Scope[];
  /** True when context was requested; pushed context needs more certainty. */
  readonly isAsked: boolean;
  readonly models?: SearchRequest['models'];
  /** The conversation going on: what it says is in the window already. */
  readonly session: string | undefined;
  /** Its earlier injected context, and the time since when its own turns are in the window. */
  readonly told?: Told | undefined;
  /** Says how far what was found is trusted where it is told. */
  readonly attribute?: ((groups: readonly Group[]) => Promise<readonly Group[]>) | undefined;
  /** Reads passages beside those that were found. */
  readonly read?: AskedBefore['read'] | undefined;
  /** The user's feedback on memories. */
  readonly feedback?: PromptFeedback | undefined;
  /** Only to look. */
  readonly isDry?: boolean | undefined;
  /** Answered from these documents instead: the past. */
  readonly at?: SearchRequest['at'];
}

export interface KnowledgeSources {
  readonly search: Asking;
  readonly config: Config;
  /** The number of passages in memory. */
  readonly size: () => Promise<number>;
  /** Finds the owner of a memory. */
  readonly ownerOf: ConsiderRequest['ownerOf'];
  readonly isInProject: boolean;
  readonly nowMs: number;
  /** Files of the procedures that the message calls for: they are injected beside what is found. */
  readonly calledFor: readonly string[];
  readonly listProcedures: World['listProcedures'];
  /** The user's later words about changes. */
  readonly readLater: () => Promise<LaterWords>;
}

/**
 * A hit stays out of what was asked for when it shares less with the message than this part of what the best one shares, and
 * means less by this much as well; or when it shares no word and hardly means the same.
 */
const INFORMATION_SHARE = 0.1;
const SIMILARITY_LOSS = 0.1;
const LEAST_CHANCE = 0.002;
/** A manual says something near to any question on every page: a page without a shared word is half as likely as the best hit. */
const MANUAL_SHARE = 0.5;

/** The search counts what it finds with a heading each, and some of it is told already. */
const SPARE = 1.15;
/** A prompt has room for hundreds of hits: looking at three times as many as fit finds all there is (measured). */
const TOKENS_PER_HIT = 30;

/** Pushed context is short: an agent reads it beside everything else. */
const PUSHED_CHARACTERS = 1450;
/** Candidates for what is pushed; further down nothing was ever needed. */
const PUSHED_LIMIT = 60;

/** Pairs of a memory and later words that are read; each takes about 20 ms. */
const READ_FOR_PROMPT = 5;

/** The number of hits listed when nothing is relevant: enough to see the nearest ones. */
const MAX_LISTED = 10;

/** P3: what is remembered about the message, or the reasons why nothing is. */
export async function findKnowledge(request: KnowledgeRequest, sources: KnowledgeSources): Promise<Knowledge> {
  const { message, isAsked, session, told = NOTHING_TOLD, feedback = NO_FEEDBACK } = request;
  const threshold = sources.config.context.min_relevance;
  if (!isAsked && !extractTerms(message).some(isTelling)) {
    const reason = 'the prompt has no word that could tell one memory from another, so memory was not searched';
    const decision = { value: 0, parts: [], threshold, isRelevant: false, evidence: null, reason };
    return { pieces: [], decision, mode: null, notes: [] };
  }
  const result = await sources.search.ask(searchFor(request, sources.config));
  const size = await sources.size();
  const measure = createMeasure(message, result.answer, size);
  const isInWindow = (passage: StoredPassage): boolean =>
    session !== undefined &&
    passage.session === session &&
    (told.sinceMs === undefined || (passage.timeMs ?? Infinity) >= told.sinceMs);
  const here = result.answer.ranked.filter(({ passage }) => isInWindow(passage));
  const whyNot = (passage: StoredPassage): string | undefined =>
    feedback.whyWrong(saidIn(passage)) ?? (isAsked ? undefined : feedback.whyUnhelpful(saidIn(passage), message));
  const others = result.answer.ranked.filter(({ passage }) => !isInWindow(passage));
  const ruledOut = others.filter(({ passage }) => whyNot(passage) !== undefined);
  const elsewhere = others.filter(({ passage }) => whyNot(passage) === undefined);
  const ranked = isAsked ? elsewhere : withoutReplaced(elsewhere);
  const evidence = gatherEvidence(message, { ...result.answer, ranked }, measure, size);
  const searched = { mode: result.mode, models: result.answer.models };
  const found = { result, ranked, here, ruledOut, whyNot, measure, evidence, threshold };
  const chosen = isAsked ? chooseAsked(found) : await choosePushed(request, sources, found);
  const groups = (await request.attribute?.(chosen.groups)) ?? chosen.groups;
  const dayOf = createDays(sources.config.time_zone);
  const hits = toHits({ ...result.answer, groups }, SNIPPET_CHARS);
  const later = isAsked || !chosen.decision.isRelevant ? [] : await findLater(groups, chosen.refused, sources);
  const whyTold = isAsked ? () => undefined : createWhyTold(groups, chosen.refused, sources);
  const pieces = hits.map((hit, at) =>
    hitPiece(hit, groups[at], {
      at,
      measure,
      refused: chosen.refused[at] ?? whyReplaced(groups[at], later[at]) ?? whyTold(groups[at]),
      chance: chosen.chances[at],
      later: later[at],
      dayOf,
      isInWindow,
      told,
      isAsked,
    }),
  );
  const notes = [...result.notes, ...chosen.notes];
  return {
    pieces: chosen.decision.isRelevant ? pieces : pieces.slice(0, MAX_LISTED),
    decision: chosen.decision,
    ...searched,
    notes,
  };
}

function searchFor(request: KnowledgeRequest, config: Config): SearchRequest {
  const { message, keywords = [], tokens, scopes, isAsked, session } = request;
  // Hits from this session itself take up places and are then dropped.
  const wanted = Math.ceil((session === undefined ? tokens : tokens * 2) * SPARE);
  return {
    text: [message, keywords.join(' ')].filter((part) => part !== '').join('\n'),
    filter: { scopes },
    limit: isAsked ? config.search.max_results : PUSHED_LIMIT,
    tokens: isAsked ? Math.max(1, wanted) : undefined,
    tokensPerCandidate: TOKENS_PER_HIT,
    isWanted: isAsked ? isNoTopic : isPushable,
    isUnlisted: request.isDry,
    models: request.models,
    at: request.at,
  };
}

/** Topics come in when they are active, as what they are; one that was refused or rests must not come in by its words. */
function isNoTopic({ document }: StoredPassage): boolean {
  return document.store !== 'topic';
}

/** In a transcript trusted as a whole, the speaker tells the source where no name does. */
const ANSWERING: ReadonlySet<string> = new Set(['agent', 'system', 'tool']);

/** True for the user's words and what was learned from them: agent answers, tool results and journals add nothing. */
export function isPushable(passage: StoredPassage): boolean {
  const { document, trust, speaker = '', type, text } = passage;
  const isOthersTurn = isTurn(passage) && (ANSWERING.has(trust) || ANSWERING.has(speaker));
  // Of a procedure's page, the steps; the rest says where it was learned and when it is called for.
  const isBeside = document.store === 'procedural' && type !== 'step';
  // Of a turn, the words: "lives-in [[place--vienna]]" says less than the statement it was read from.
  const isEdge = type === 'relation' && passage.turn !== undefined;
  return (
    isNoTopic(passage) && document.store !== 'journal' && !isOthersTurn && !isBeside && !isEdge && !NOTE.test(text)
  );
}

/** When a decision was replaced and why it was made: notes about a memory, and none. */
const NOTE = /^(?:\S+#t\d+$|Superseded: \S+$|Rationale: )/u;

/** Leaves out what was replaced, and the turns that said it. */
function withoutReplaced(ranked: readonly Ranked[]): Ranked[] {
  const replaced = ranked.filter(({ passage }) => passage.type === 'superseded').map(({ passage }) => passage);
  const turns = new Set(replaced.map(turnOf));
  const isReplaced = repeats(replaced.map(({ text }) => text));
  return ranked.filter(
    ({ passage }) =>
      passage.type !== 'superseded' && !(isTurn(passage) && (turns.has(turnOf(passage)) || isReplaced(passage.text))),
  );
}

interface Found {
  readonly result: SearchResult;
  /** Without what is in the window. */
  readonly ranked: readonly Ranked[];
  /** Memories that are in the window already. */
  readonly here: readonly Ranked[];
  /** Memories that the user's feedback rules out. */
  readonly ruledOut: readonly Ranked[];
  readonly whyNot: (passage: StoredPassage) => string | undefined;
  readonly measure: MeasurePassage;
  readonly evidence: MessageEvidence;
  readonly threshold: number;
}

interface Chosen {
  readonly groups: readonly Group[];
  /** Aligned with the groups: why one stays out. */
  readonly refused: readonly (string | undefined)[];
  /** Aligned with the groups: the chance that one helps, where it was judged. */
  readonly chances: readonly number[];
  readonly decision: Decision;
  readonly notes: readonly string[];
}

/** A request gets every hit that fits and has anything to do with the question. */
function chooseAsked({ result, ranked, whyNot, measure, evidence, threshold }: Found): Chosen {
  const { groups } = result.answer;
  const chances = firstLook(ranked, measure);
  const value = Math.max(0, ...chances.values());
  const refused = groups.map(({ members, best }) => {
    const ruled = whyNot(best.passage);
    if (ruled !== undefined) return ruled;
    const { information } = measure(members);
    const isFar =
      information < evidence.information * INFORMATION_SHARE &&
      (best.similarity ?? 0) < (evidence.similarity ?? 1) - SIMILARITY_LOSS;
    const least = best.passage.document.store === 'reference' ? value * MANUAL_SHARE : LEAST_CHANCE;
    const isUnrelated = information === 0 && (evidence.tellingTerms === 0 || (chances.get(best) ?? 0) < least);
    // An allergy bears on a cake without sharing a word with it.
    const isStanding = best.passage.isStanding === true && evidence.tellingTerms > 0;
    const isOutside = (isFar || isUnrelated) && !isStanding;
    return isOutside ? 'too little in common with the message' : undefined;
  });
  const isRelevant = refused.includes(undefined);
  const reason = isRelevant ? 'asked for' : 'nothing remembered has anything to do with it';
  const decision = { value, parts: [], threshold, isRelevant, evidence, reason };
  return { groups, refused, chances: [], decision, notes: [] };
}

/** Judges pushed context on message and memory together. */
async function choosePushed(request: KnowledgeRequest, sources: KnowledgeSources, found: Found): Promise<Chosen> {
  const { message } = request;
  const { threshold, evidence } = found;
  const { helps, notes } = openHelps();
  const { value, parts, leastChance, memories, unread } = considerMemories({
    message,
    ranked: found.ranked,
    measure: found.measure,
    ownerOf: sources.ownerOf,
    isInProject: sources.isInProject,
    nowMs: sources.nowMs,
    size: evidence.size,
    helps,
  });
  const isRelevant = memories.length > 0 && value >= threshold;
  const verdict = isRelevant ? 'memory is needed for this prompt' : 'no memory seemed needed for this prompt';
  const reason =
    memories.length === 0
      ? 'nothing in memory comes near this prompt'
      : `${verdict} (chance ${showChance(value)}, needs ${showChance(threshold)})`;
  const groups = memories.map(({ ranked }) => aloneOf(ranked));
  const { read } = request;
  const completed =
    read === undefined || !isRelevant ? groups : await withAnswers(groups, { message, names: evidence.names, read });
  let left = PUSHED_CHARACTERS;
  const refused = memories.map(({ chance, ranked }, at) => {
    if (!isRelevant) return `${reason}; this one helps with a chance of ${showChance(chance)}`;
    if (at > 0 && chance < leastChance)
      return `helps with a chance of ${showChance(chance)}, less than ${showChance(leastChance)}`;
    const length = Math.min(ranked.passage.text.length, LONG_TURN);
    if (at > 0 && length > left) return 'what helps more fills the place for what is pushed';
    left -= length;
    return undefined;
  });
  const listed = isRelevant ? unread : [];
  refused.push(
    ...listed.map(
      ({ chance }) => `not among the best ${JUDGED}: helps with a chance of ${showChance(chance)} at first look`,
    ),
  );
  // Only the receipt shows these: why something that the user knows of was not told.
  const here = found.here.slice(0, MAX_LISTED).map(aloneOf);
  const decision = { value, parts, threshold, isRelevant, evidence, reason };
  const others = [...listed.map(({ ranked }) => aloneOf(ranked)), ...here];
  const chances = [...memories, ...listed].map(({ chance }) => chance);
  const ruledOut = found.ruledOut.slice(0, MAX_LISTED).map(aloneOf);
  const all = [...completed, ...others, ...ruledOut];
  const reasons = all.map(
    ({ best }, at) => refused[at] ?? (at < completed.length ? undefined : found.whyNot(best.passage)),
  );
  return { groups: all, refused: reasons, chances, decision, notes };
}

/** A procedure has all the steps of the turn that it was learned from. */
function createWhyTold(
  groups: readonly Group[],
  refused: Chosen['refused'],
  { calledFor, listProcedures }: KnowledgeSources,
): (group: Group | undefined) => string | undefined {
  const found = groups.filter(
    ({ best }, at) => best.passage.document.store === 'procedural' && refused[at] === undefined,
  );
  const paths = new Set([...calledFor, ...found.map(({ best }) => best.passage.document.path)]);
  const retold = paths.size === 0 ? undefined : openRetold(paths, listProcedures());
  return (group) =>
    group !== undefined &&
    isTurn(group.best.passage) &&
    retold?.(turnOf(group.best.passage), group.best.passage.text) === true
      ? 'its steps are injected as a procedure'
      : undefined;
}

/** A memory of which nothing but its replaced words is left has nothing to say beside what replaced them. */
function whyReplaced(group: Group | undefined, later: Later | undefined): string | undefined {
  if (group === undefined || later?.says !== 'surely' || later.isBeside !== true) return undefined;
  return repeats([later.about])(group.best.passage.text) ? 'what the user said later of it is injected' : undefined;
}

function aloneOf(ranked: Ranked): Group {
  return { members: [ranked.passage], best: ranked };
}

/** Aligned with the groups: what the user said later of a change, where it is not injected itself. */
async function findLater(
  groups: readonly Group[],
  refused: Chosen['refused'],
  { readLater, ownerOf }: KnowledgeSources,
): Promise<readonly (Later | undefined)[]> {
  const words = await readLater();
  const memories = groups.map(({ best }, at) => (refused[at] === undefined ? best.passage : undefined));
  return words.findEach(memories, ownerOf, openReadChange(READ_FOR_PROMPT));
}
