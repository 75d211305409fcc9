import type { Config } from '../model/config/schema.ts';
import type { Scope } from '../model/provenance.ts';
import type { MemorySearch, SearchResult } from '../retrieve/search.ts';
import type { Hit } from '../retrieve/hit.ts';
import type { Group } from '../retrieve/fit.ts';
import type { Piece } from './piece.ts';
import { originOf, quotePassages, quoteSnippet } from './quote.ts';
import { decideRelevance, type Relevance } from './relevance/decide.ts';
import { createMeasure, gatherEvidence, type MeasurePassage, type MessageEvidence } from './relevance/evidence.ts';
import { readWording } from './relevance/wording.ts';

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
}

/** Hits that share less than this with the message, and are not close to it either, are left out one by one. */
const MIN_INFORMATION = 0.25;
const MIN_SIMILARITY = 0.8;
/** What is listed of the hits when nothing is relevant: enough to see what was near. */
const MAX_LISTED = 10;

/** P3: what is remembered about the message, or the reasons why nothing is. */
export async function findKnowledge(
  request: KnowledgeRequest,
  search: MemorySearch,
  config: Config,
  size: () => Promise<number>,
): Promise<Knowledge> {
  const { message, tokens, scopes, isAsked, session } = request;
  const threshold = config.context.min_relevance;
  const wording = readWording(message);
  if (wording.isEmpty && !isAsked) {
    const reason = 'the message holds nothing that could be remembered';
    const decision = { value: 0, parts: [], threshold, isRelevant: false, evidence: null, reason };
    return { pieces: [], decision, mode: null, notes: [] };
  }
  const limit = config.search.max_results;
  const result = await search.ask({ text: message, filter: { scopes }, limit, tokens: Math.max(1, tokens) });
  const passages = await size();
  const measure = createMeasure(message, result.answer, passages);
  const evidence = gatherEvidence(result.answer, measure, passages);
  const relevance = decideRelevance(evidence, wording, isAsked);
  const isRelevant = relevance.value >= threshold;
  const verdict = `relevance ${show(relevance.value)} ${isRelevant ? 'reaches' : 'is below'} the threshold of ${show(threshold)}`;
  const decision = { ...relevance, threshold, isRelevant, evidence, reason: verdict };
  const toPiece = (hit: Hit, at: number): Piece =>
    hitPiece(hit, result.answer.groups[at], { at, measure, timeZone: config.time_zone, session });
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
    readonly timeZone: string;
    readonly session: string | undefined;
  },
): Piece {
  const members = group?.members ?? [];
  const best = group?.best.passage;
  const { coverage, information } = place.measure(members);
  const evidence = { coverage: round(coverage), similarity: hit.evidence.similarity };
  const isWeak = information < MIN_INFORMATION && (hit.evidence.similarity ?? 0) < MIN_SIMILARITY;
  const isHere = place.session !== undefined && hit.provenance.session === place.session;
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
