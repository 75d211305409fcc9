import { blend, chanceOf, contributionsOf, logOdds } from '../../retrieve/logistic.ts';
import type { Ranked } from '../../retrieve/rank.ts';
import { embeddedText } from '../../search-index/passage.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import type { Owner } from '../project.ts';
import { withoutRepetitions } from '../../model/repeated.ts';
import type { MeasurePassage } from './evidence.ts';
import type { Helps } from './helps.ts';
import { FIRST_LOOK, HELPS, SPEAKS, SPEAKS_SMALL } from './weights.ts';
import { isTurn } from '../../search-index/port.ts';

/** Found by the search, in its order. */
const LOOKED_AT = 40;
/** Read together with the message, which takes some milliseconds each. */
export const JUDGED = 8;
/** Listed behind them, for whoever looks for something that was not told. */
const MAX_UNREAD = 4;

const MAX_INFORMATION = 3;
const MAX_CHARACTERS = 1000;
const MAX_WORDS = 40;
const MONTH_MS = 30 * 86_400_000;
/** A memory that is less likely to help is not told, unless it is the best one. */
const LEAST_CHANCE = 0.05;
/** Number of best candidates that decide whether anything is included. */
const BEST_HELPS = 3;
const BEST_CHANCES = 4;
/**
 * Passages up to which a home is small, and from which on it is large. Among thousands of memories something is close to any
 * message; among twenty, closeness says much more. Between the two both fits count.
 */
const SMALL_HOME = 40;
const LARGE_HOME = 1000;
/**
 * One memory that helps with this chance is enough, whatever else was found. Of 285 such prompts in the homes of
 * `training/data/prompts` 94 % needed something, of 61 of the people in `bench/data/people` 97 %.
 */
const ENOUGH_ALONE = { chance: 0.4, value: 0.94 };

export interface ConsiderRequest {
  readonly message: string;
  readonly ranked: readonly Ranked[];
  readonly measure: MeasurePassage;
  readonly ownerOf: (passage: StoredPassage) => Owner;
  readonly isInProject: boolean;
  readonly nowMs: number;
  /** The number of passages in memory. */
  readonly size: number;
  /** Undefined when the model cannot be used. */
  readonly helps: Helps | undefined;
}

/** A memory, and the chance that it helps with the message. */
export interface Considered {
  readonly ranked: Ranked;
  readonly chance: number;
}

/** Of the best memory's chance, what another one needs to be told: little of a small home has to do with any prompt. */
const LEAST_SHARE = { small: 0.3, large: 0.1 };

export interface Consideration {
  /** The chance from which on a memory is told beside the best one. */
  readonly leastChance: number;
  /** The chance that the message needs anything remembered. */
  readonly value: number;
  /** The evidence for it and against it, in log-odds. */
  readonly parts: readonly { readonly name: string; readonly weight: number }[];
  /** The best first; a statement and the turn it was learned from are one memory. */
  readonly memories: readonly Considered[];
  /** The next best, which were not read. */
  readonly unread: readonly Considered[];
}

/** A memory with what is known of it before it is read. */
export interface Looked {
  readonly ranked: Ranked;
  readonly features: Readonly<Record<string, number>>;
}

/** Judges what was found on message and memory together: first by what is stored, then the best of it by reading both. */
export function considerMemories(request: ConsiderRequest): Consideration {
  const { message, helps } = request;
  const looked = lookAt(request);
  const weighed = looked.map(({ ranked, features }) => ({ ranked, features, chance: chanceOf(FIRST_LOOK, features) }));
  weighed.sort((left, right) => right.chance - left.chance);
  const judged = weighed.slice(0, JUDGED).map(({ ranked, features, chance }) => {
    if (helps === undefined) return { ranked, chance, help: chance };
    const help = helps(message, readAs(ranked.passage));
    return { ranked, chance: chanceOf(HELPS, { ...features, helps: logOdds(help) }), help };
  });
  judged.sort((left, right) => right.chance - left.chance);
  const features = messageFeatures(request, judged, looked);
  const largeness = largenessOf(request.size);
  const speaks = blend(SPEAKS_SMALL, SPEAKS, largeness);
  const parts = contributionsOf(speaks, features);
  const together = chanceOf(speaks, features);
  const best = judged[0]?.chance ?? 0;
  const alone = best >= ENOUGH_ALONE.chance ? ENOUGH_ALONE.value : 0;
  const value = Math.max(alone, together);
  if (alone > together) parts.push({ name: 'one memory is enough', weight: logOdds(alone) - logOdds(together) });
  const share = LEAST_SHARE.small + largeness * (LEAST_SHARE.large - LEAST_SHARE.small);
  return {
    value,
    parts,
    leastChance: Math.max(LEAST_CHANCE, share * best),
    memories: eachOnce(judged),
    unread: weighed.slice(JUDGED, JUDGED + MAX_UNREAD).map(({ ranked, chance }) => ({ ranked, chance })),
  };
}

/** 0 for a small home, 1 for a large one. */
function largenessOf(size: number): number {
  const share = Math.log(Math.max(1, size) / SMALL_HOME) / Math.log(LARGE_HOME / SMALL_HOME);
  return Math.min(1, Math.max(0, share));
}

export function lookAt(request: Omit<ConsiderRequest, 'helps' | 'size'>): Looked[] {
  const found = request.ranked.slice(0, LOOKED_AT);
  const best = Math.max(0, ...found.map(closenessOf));
  return found.map((ranked, rank) => ({ ranked, features: featuresOf(ranked, rank, best, request) }));
}

/** The chance that each of what was found has to do with the message, by what is stored. */
export function firstLook(ranked: readonly Ranked[], measure: MeasurePassage): ReadonlyMap<Ranked, number> {
  const best = Math.max(0, ...ranked.map(closenessOf));
  const place = { measure, ownerOf: (): Owner => 'none', isInProject: false, nowMs: 0 };
  return new Map(
    ranked.map((one, rank) => [one, chanceOf(FIRST_LOOK, { ...featuresOf(one, rank, best, place), age: 0 })]),
  );
}

function featuresOf(
  ranked: Ranked,
  rank: number,
  best: number,
  { measure, ownerOf, isInProject, nowMs }: Pick<ConsiderRequest, 'measure' | 'ownerOf' | 'isInProject' | 'nowMs'>,
): Record<string, number> {
  const { passage } = ranked;
  const { coverage, information } = measure([passage]);
  const owner = isInProject ? ownerOf(passage) : 'none';
  return {
    closeness: closenessOf(ranked),
    lessThanBest: closenessOf(ranked) - best,
    coverage,
    information: Math.min(information, MAX_INFORMATION),
    ofProject: Number(owner === 'this'),
    ofOtherProject: Number(owner === 'other'),
    isStatement: Number(!isTurn(passage)),
    length: Math.min(passage.text.length, MAX_CHARACTERS) / MAX_CHARACTERS,
    rank: Math.log(1 + rank),
    age: passage.timeMs === undefined ? 0 : Math.log(1 + Math.max(0, nowMs - passage.timeMs) / MONTH_MS),
  };
}

/** `judged` has the best first. */
export function messageFeatures(
  { message, isInProject }: Pick<ConsiderRequest, 'message' | 'isInProject'>,
  judged: readonly { readonly chance: number; readonly help: number }[],
  looked: readonly Looked[],
): Record<string, number> {
  const helps = judged.map(({ help }) => help).sort((left, right) => right - left);
  const chances = judged.map(({ chance }) => chance);
  return {
    bestHelp: logOdds(helps[0] ?? 0),
    bestHelps: logOdds(mean(helps.slice(0, BEST_HELPS))),
    bestChance: logOdds(chances[0] ?? 0),
    bestChances: logOdds(mean(chances.slice(0, BEST_CHANCES))),
    closeness: Math.max(0, ...looked.map(({ ranked }) => closenessOf(ranked))),
    coverage: Math.max(0, ...looked.map(({ features }) => features['coverage'] ?? 0)),
    words: Math.min(message.split(/\s+/u).length, MAX_WORDS) / MAX_WORDS,
    isQuestion: Number(message.includes('?')),
    inProject: Number(isInProject),
  };
}

function closenessOf({ similarity }: Ranked): number {
  return similarity ?? 0;
}

/** A turn as the model was shown turns: with who said it, and on which day. */
export function readAs(passage: StoredPassage): string {
  return isTurn(passage) ? embeddedText(passage, true) : passage.text;
}

function eachOnce(judged: readonly Considered[]): Considered[] {
  const known = new Set<string>();
  const single = judged.flatMap(({ ranked, chance }) => {
    const key = memoryOf(ranked.passage);
    if (known.has(key)) return [];
    known.add(key);
    return [{ ranked, chance }];
  });
  return withoutRepetitions(
    single,
    ({ ranked }) => ranked.passage.text,
    ({ chance }, { ranked }) => ({ ranked, chance }),
  );
}

/** A statement and its turn are one memory, and so are the steps of a procedure. */
function memoryOf({ id, session, turn, document }: StoredPassage): string {
  if (document.store === 'procedural') return document.path;
  return session === undefined || turn === undefined ? id : `${session}#${turn}`;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
