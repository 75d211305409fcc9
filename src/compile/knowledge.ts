import type { Config } from '../model/config/schema.ts';
import type { Scope } from '../model/provenance.ts';
import type { MemorySearch, SearchResult } from '../retrieve/search.ts';
import type { Hit } from '../retrieve/hit.ts';
import type { Group } from '../retrieve/fit.ts';
import type { StoredPassage } from '../search-index/port.ts';
import type { Piece } from './piece.ts';
import { originOf, quotePassages, quoteSnippet } from './quote.ts';
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
  readonly tokens: number;
  readonly scopes: readonly Scope[];
  /** Somebody asked for context; otherwise it is pushed, and has to be surer of itself. */
  readonly isAsked: boolean;
  /** The conversation going on: what it says is in the window already. */
  readonly session: string | undefined;
  /** What it was told before, and since when its own turns are in the window. */
  readonly told?: Told | undefined;
}

/**
 * A hit stays out when it shares less with the message than this part of what the best one shares, and means less by
 * this much as well. Who asked gets nearly all that fits; what is pushed has to be worth its tokens.
 */
const ASKED_FLOOR = { informationShare: 0.1, similarityLoss: 0.1 };
const PUSHED_FLOOR = { informationShare: 0.35, similarityLoss: 0.04 };

/** What is listed of the hits when nothing is relevant: enough to see what was near. */
const MAX_LISTED = 10;

/** P3: what is remembered about the message, or the reasons why nothing is. */
export async function findKnowledge(
  request: KnowledgeRequest,
  search: MemorySearch,
  config: Config,
  size: () => Promise<number>,
): Promise<Knowledge> {
  const { message, tokens, scopes, isAsked, session, told = NOTHING_TOLD } = request;
  const threshold = config.context.min_relevance;
  const wording = readWording(message);
  if (wording.isEmpty && !isAsked) {
    const reason = 'the message holds nothing that could be remembered';
    const decision = { value: 0, parts: [], threshold, isRelevant: false, evidence: null, reason };
    return { pieces: [], decision, mode: null, notes: [] };
  }
  const limit = config.search.max_results;
  // What is said here fills places that go to nobody.
  const wanted = session === undefined ? tokens : tokens * 2;
  const result = await search.ask({ text: message, filter: { scopes }, limit, tokens: Math.max(1, wanted) });
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
  const toPiece = (hit: Hit, at: number): Piece =>
    hitPiece(hit, result.answer.groups[at], {
      at,
      measure,
      best: evidence,
      isAsked,
      timeZone: config.time_zone,
      isInWindow,
      told,
    });
  const pieces = result.hits.map(toPiece);
  if (isRelevant) return { pieces, decision, mode: result.mode, notes: result.notes };
  const refused = pieces.slice(0, MAX_LISTED).map((piece) => refuse(piece, verdict));
  return { pieces: refused, decision, mode: result.mode, notes: result.notes };
}

function hitPiece(
  hit: Hit,
  group: Group | undefined,
  place: {
    readonly at: number;
    readonly measure: MeasurePassage;
    readonly best: MessageEvidence;
    readonly isAsked: boolean;
    readonly timeZone: string;
    readonly isInWindow: (passage: StoredPassage) => boolean;
    readonly told: Told;
  },
): Piece {
  const members = group?.members ?? [];
  const best = group?.best.passage;
  const { coverage, information } = place.measure(members);
  const evidence = { coverage: round(coverage), similarity: hit.evidence.similarity };
  const { informationShare, similarityLoss } = place.isAsked ? ASKED_FLOOR : PUSHED_FLOOR;
  const isWeak =
    information < place.best.information * informationShare &&
    (hit.evidence.similarity ?? 0) < (place.best.similarity ?? 1) - similarityLoss;
  const isHere = best !== undefined && place.isInWindow(best);
  const piece: Piece = {
    slot: 'P3',
    tag: 'memory',
    origin:
      best === undefined
        ? { ...hit.provenance, id: hit.id, path: hit.path, trust: hit.trust, scope: hit.scope, time: hit.time }
        : originOf(members, best),
    forms: [quotePassages(members, place.timeZone), quoteSnippet(members, hit.snippet, place.timeZone)],
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
  return isWeak ? { ...piece, refused: belowThreshold(piece, 'too little in common with the message') } : piece;
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
