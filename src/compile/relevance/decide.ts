import type { MessageEvidence } from './evidence.ts';
import type { Wording } from './wording.ts';

/** How sure it is that something remembered helps with a message, and what that was concluded from. */
export interface Relevance {
  /** 0 to 1; compared with `context.min_relevance`. */
  readonly value: number;
  readonly parts: readonly RelevancePart[];
}

export interface RelevancePart {
  readonly name: string;
  /** In log-odds: what it adds to the sum behind `value`. */
  readonly weight: number;
}

/**
 * Log-odds, fitted by logistic regression on the even-numbered prompts of bench/data/injection, the questions of
 * bench/data/coding and some three hundred everyday prompts, and rounded. Which parts there are and where they start
 * was chosen with the rates of all prompts in sight; docs/context.md says what that means and explains each part.
 */
const START = -5.75;
const INFORMATION = 0.5;
const MAX_INFORMATION = 3;
const MATCHED = 0.75;
const MAX_MATCHED = 4;
const COVERAGE = 3.5;
/**
 * Fewer telling words than this are shared by chance: one of one is no better than one of four. In a small memory
 * chance has fewer passages to choose from, and who speaks of a shared past ("when do we deploy?") means it.
 */
const ENOUGH_TERMS = 4;
/** Passages of the memories this was measured on. */
const USUAL_SIZE = 500;
/** Who writes more says more of what it is about; for each doubling of the telling words 0.9. */
const LENGTH = 1.3;
const MAX_TERMS = 20;
const CLOSENESS = 6.5;
/** Averages of everyday words are about this close to each other, whatever they say. */
const CLOSE_FROM = 0.85;
const NAMED = 3.5;
const SHARED = 0.5;
const UNPARTICULAR = -1.2;
const AT_HAND = -2.7;
const ANYBODYS = -3.5;
const MACHINE = -5;
/** Somebody who asks for context wants what there is; a hook that pushes it unasked must be surer. */
const ASKED = 3.5;

export function decideRelevance(evidence: MessageEvidence, wording: Wording, isAsked: boolean): Relevance {
  const parts = [
    { name: 'start', weight: START },
    ...[...evidenceParts(evidence, wording), ...wordingParts(evidence, wording)].filter(({ weight }) => weight !== 0),
    ...(isAsked ? [{ name: 'asked for', weight: ASKED }] : []),
  ];
  const logOdds = parts.reduce((sum, { weight }) => sum + weight, 0);
  return {
    value: round(1 / (1 + Math.exp(-logOdds))),
    parts: parts.map(({ name, weight }) => ({ name, weight: round(weight) })),
  };
}

function evidenceParts(evidence: MessageEvidence, { isShared }: Wording): RelevancePart[] {
  const { information, coverage, similarity, matched, tellingTerms, size } = evidence;
  const closeness = Math.min(1, Math.max(0, ((similarity ?? 0) - CLOSE_FROM) / (1 - CLOSE_FROM)));
  const meant = Math.min(1, tellingTerms / (isShared ? 1 : enoughTerms(size)));
  return [
    { name: 'rare words found', weight: INFORMATION * Math.min(information, MAX_INFORMATION) },
    { name: 'words found together', weight: MATCHED * Math.min(matched.length, MAX_MATCHED) },
    { name: 'share of the message found', weight: COVERAGE * coverage * meant },
    { name: 'says enough', weight: LENGTH * Math.log(Math.min(Math.max(1, tellingTerms), MAX_TERMS)) },
    { name: 'close in meaning', weight: CLOSENESS * closeness },
  ];
}

function enoughTerms(size: number): number {
  const share = Math.log(size + 1) / Math.log(USUAL_SIZE + 1);
  return Math.max(1, ENOUGH_TERMS * Math.min(1, share));
}

function wordingParts({ namesKnown }: MessageEvidence, wording: Wording): RelevancePart[] {
  const isAnybodys = wording.isGeneral || wording.isSelfContained || wording.isSmallTalk;
  return [
    { name: 'names somebody known', weight: namesKnown ? NAMED : 0 },
    { name: 'speaks of a shared past', weight: wording.isShared ? SHARED : 0 },
    { name: 'speaks of nothing in particular', weight: wording.isParticular || namesKnown ? 0 : UNPARTICULAR },
    { name: 'about what lies open', weight: wording.isAtHand || wording.isEdit ? AT_HAND : 0 },
    { name: 'could be asked of anybody', weight: isAnybodys ? ANYBODYS : 0 },
    { name: 'output of a program', weight: wording.isMachineText ? MACHINE : 0 },
  ];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
