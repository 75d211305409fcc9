import type { Config } from '../model/config/schema.ts';
import type { Scope } from '../model/provenance.ts';
import type { Asking, SearchRequest, SearchResult } from '../retrieve/search.ts';
import { PUSHED_STATUSES } from '../memory/decay/relevance.ts';
import type { Hit } from '../retrieve/hit.ts';
import type { Group } from '../retrieve/fit.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { cutText } from './compaction/cut-text.ts';
import { formOf, type Piece } from './piece.ts';
import { createDays, headingOf, originOf, quoteLink, quotePassages, quoteSnippet, type DayOf } from './quote.ts';
import { isNamedIn, namesIn, withAnswers, wordsIn, type AskedBefore } from './relevance/answers.ts';
import { decideRelevance, type Relevance } from './relevance/decide.ts';
import { createMeasure, gatherEvidence, type MeasurePassage, type MessageEvidence } from './relevance/evidence.ts';
import { readWording } from './relevance/wording.ts';
import { isTold } from './told.ts';
import { NOTHING_TOLD, type Told } from './told-store.ts';

/** Whether anything remembered belongs to a message, and why. */
export interface Decision extends Relevance {
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
  readonly notes: readonly string[];
}

export interface KnowledgeRequest {
  readonly message: string;
  /** Of the active topics: they join the question, and not what is judged. */
  readonly keywords?: readonly string[] | undefined;
  readonly tokens: number;
  readonly scopes: readonly Scope[];
  /** Somebody asked for context; otherwise it is pushed, and has to be surer of itself. */
  readonly isAsked: boolean;
  /** The conversation going on: what it says is in the window already. */
  readonly session: string | undefined;
  /** What it was told before, and since when its own turns are in the window. */
  readonly told?: Told | undefined;
  /** Says how far what was found is trusted where it is told. */
  readonly attribute?: ((groups: readonly Group[]) => Promise<readonly Group[]>) | undefined;
  /** Reads passages beside those that were found. */
  readonly read?: AskedBefore['read'] | undefined;
  /** Only to look. */
  readonly isDry?: boolean | undefined;
  /** Answered from these documents instead: the past. */
  readonly at?: SearchRequest['at'];
}

/**
 * A hit stays out when it shares less with the message than this part of what the best one shares, and means less by
 * this much as well. Who asked gets nearly all that fits; what is pushed has to be worth its tokens.
 */
const ASKED_FLOOR = { informationShare: 0.1, similarityLoss: 0.1 };
const PUSHED_FLOOR = { informationShare: 0.35, similarityLoss: 0.04 };

/** The search counts what it finds with a heading each, and some of it is told already. */
const SPARE = 1.15;
/** A prompt has room for hundreds of hits: looking at three times as many as fit finds all there is (measured). */
const TOKENS_PER_HIT = 30;

/** Hits that are pushed for a name alone. */
const MAX_NAMED = 3;

/** What is listed of the hits when nothing is relevant: enough to see what was near. */
const MAX_LISTED = 10;

/** P3: what is remembered about the message, or the reasons why nothing is. */
export async function findKnowledge(
  request: KnowledgeRequest,
  search: Asking,
  config: Config,
  size: () => Promise<number>,
): Promise<Knowledge> {
  const { message, keywords = [], tokens, scopes, isAsked, session, told = NOTHING_TOLD } = request;
  const threshold = config.context.min_relevance;
  const wording = readWording(message);
  if (wording.isEmpty && !isAsked) {
    const reason = 'the message holds nothing that could be remembered';
    const decision = { value: 0, parts: [], threshold, isRelevant: false, evidence: null, reason };
    return { pieces: [], decision, mode: null, notes: [] };
  }
  const limit = config.search.max_results;
  // What is said here fills places that go to nobody.
  const wanted = Math.ceil((session === undefined ? tokens : tokens * 2) * (isAsked ? SPARE : 1));
  const text = [message, keywords.join(' ')].filter((part) => part !== '').join('\n');
  const result = await search.ask({
    text,
    filter: { scopes },
    limit,
    tokens: Math.max(1, wanted),
    tokensPerCandidate: isAsked ? TOKENS_PER_HIT : undefined,
    // What has faded that far is only told to who asks for it, or for something of their own.
    statuses: isAsked || (wording.isQuestion && wording.isOurs) ? undefined : PUSHED_STATUSES,
    // Topics come in when they are active, as what they are; one that was refused or rests must not come in by its words.
    isWanted: ({ document }) => document.store !== 'topic',
    isUnlisted: request.isDry,
    at: request.at,
  });
  const passages = await size();
  const measure = createMeasure(message, result.answer, passages);
  const isInWindow = (passage: StoredPassage): boolean =>
    session !== undefined &&
    passage.session === session &&
    (told.sinceMs === undefined || (passage.timeMs ?? Infinity) >= told.sinceMs);
  const elsewhere = result.answer.ranked.filter(({ passage }) => !isInWindow(passage));
  const evidence = gatherEvidence(message, { ...result.answer, ranked: elsewhere }, measure, passages);
  const relevance = decideRelevance(evidence, wording, isAsked);
  const isRelevant = relevance.value >= threshold;
  const verdict = `relevance ${show(relevance.value)} ${isRelevant ? 'reaches' : 'is below'} the threshold of ${show(threshold)}`;
  const decision = { ...relevance, threshold, isRelevant, evidence, reason: verdict };
  const dayOf = createDays(config.time_zone);
  const found = await completed(result.answer.groups, request, evidence.names);
  const groups = (await request.attribute?.(found)) ?? found;
  const weak = findWeak(groups, { measure, best: evidence, isAsked, names: [...evidence.names, ...namesIn(message)] });
  const toPiece = (hit: Hit, at: number): Piece => {
    const group = groups[at];
    const isWeak = group !== undefined && weak.has(group);
    return hitPiece(hit, group, { at, measure, isWeak, dayOf, isInWindow, told });
  };
  const pieces = result.hits.map(toPiece);
  if (isRelevant) return { pieces, decision, mode: result.mode, notes: result.notes };
  const refused = pieces.slice(0, MAX_LISTED).map((piece) => refuse(piece, verdict));
  return { pieces: refused, decision, mode: result.mode, notes: result.notes };
}

/** Who asked can ask again; what is pushed has to say something by itself. */
function completed(
  groups: readonly Group[],
  { message, isAsked, read }: KnowledgeRequest,
  names: readonly string[],
): readonly Group[] | Promise<readonly Group[]> {
  return isAsked || read === undefined ? groups : withAnswers(groups, { message, names, read });
}

/**
 * What has too little in common with the message. Pushed all the same is the best of what speaks of whom or what the
 * message names: a message like earlier ones shares many words with those, and with what is known of this name perhaps
 * nothing but the name.
 */
function findWeak(
  groups: readonly Group[],
  given: {
    readonly measure: MeasurePassage;
    readonly best: MessageEvidence;
    readonly isAsked: boolean;
    readonly names: readonly string[];
  },
): ReadonlySet<Group> {
  const { informationShare, similarityLoss } = given.isAsked ? ASKED_FLOOR : PUSHED_FLOOR;
  const weak = groups.filter(
    ({ members, best }) =>
      given.measure(members).information < given.best.information * informationShare &&
      (best.similarity ?? 0) < (given.best.similarity ?? 1) - similarityLoss,
  );
  const named = given.isAsked ? [] : weak.filter(({ members }) => namesAny(given.names, members)).slice(0, MAX_NAMED);
  return new Set(weak).difference(new Set(named));
}

function namesAny(names: readonly string[], members: readonly StoredPassage[]): boolean {
  const said = wordsIn(members.map(({ text }) => text).join('\n'));
  return names.some((name) => isNamedIn(name, said));
}

function hitPiece(
  hit: Hit,
  group: Group | undefined,
  place: {
    readonly at: number;
    readonly measure: MeasurePassage;
    /** Has too little in common with the message. */
    readonly isWeak: boolean;
    readonly dayOf: DayOf;
    readonly isInWindow: (passage: StoredPassage) => boolean;
    readonly told: Told;
  },
): Piece {
  const members = group?.members ?? [];
  const best = group?.best.passage;
  const { coverage } = place.measure(members);
  const similarity = group?.best.similarity === undefined ? undefined : round(group.best.similarity);
  const evidence = { coverage: round(coverage), similarity };
  const isHere = best !== undefined && place.isInWindow(best);
  const piece: Piece = {
    tag: 'memory',
    origin:
      best === undefined
        ? { ...hit.provenance, id: hit.id, path: hit.path, trust: hit.trust, scope: hit.scope, time: hit.time }
        : originOf(members, best),
    forms: [
      formOf('full', () => quotePassages(members)),
      formOf('summary', () => quoteSnippet(members, hit.snippet)),
      formOf('line', () => quoteSnippet(members, cutText(oneLine(best?.text ?? hit.snippet), LINE_CHARACTERS))),
      formOf('link', () => quoteLink(members)),
    ],
    below: { heading: headingOf(members, place.dayOf), order: members[0]?.number ?? 0 },
    said: members.map(({ text }) => text).join('\n'),
    position: place.at,
    score: hit.score,
    scores: hit.scores,
    evidence,
  };
  if (isHere) return { ...piece, refused: 'already in this conversation' };
  const isKnown = isTold(
    members.map(({ id, text }) => ({ id, said: text })),
    place.told,
  );
  if (isKnown) return { ...piece, refused: 'already told in this session' };
  return place.isWeak ? { ...piece, refused: belowThreshold(piece, 'too little in common with the message') } : piece;
}

const LINE_CHARACTERS = 140;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function refuse(piece: Piece, why: string): Piece {
  return { ...piece, refused: piece.refused ?? belowThreshold(piece, why) };
}

function belowThreshold({ evidence }: Piece, why: string): string {
  const similarity = evidence?.similarity === undefined ? 'not asked' : show(evidence.similarity);
  return `below the threshold: coverage ${show(evidence?.coverage ?? 0)}, similarity ${similarity}; ${why}`;
}

function show(value: number): string {
  return value.toFixed(2).replace(/^0(?=\.)/u, '');
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
