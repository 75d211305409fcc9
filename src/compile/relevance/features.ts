import type { MessageEvidence } from './evidence.ts';
import type { Wording } from './wording.ts';

/** What is weighed, each from 0 to a few; docs/context.md says what each stands for. */
type Features = Readonly<Record<FeatureName, number>>;

export type FeatureName =
  | 'closeness'
  | 'coverage'
  | 'briefFound'
  | 'unheard'
  | 'length'
  | 'ownThings'
  | 'general'
  | 'selfContained'
  | 'smallTalk';

/** Averages of everyday words are about this close to each other, whatever they say. */
const CLOSE_FROM = 0.85;
const CLOSE_RANGE = 0.1;
const MAX_INFORMATION = 3;
const MAX_GENERAL = 2;
/** Longer messages need memory no more often than these. */
const MAX_WORDS = 8;
/** Fewer words than about eight leave the rest to what both know. */
const BRIEF = 2.2;
/**
 * Fewer telling words than this are shared by chance: one of one is no better than one of three. In a small memory
 * chance has fewer passages to choose from, and who speaks of a shared world ("when do we deploy?") means it.
 */
const ENOUGH_TERMS = 3;
/** Passages of the memories this was measured on. */
const USUAL_SIZE = 500;

export function featuresOf(evidence: MessageEvidence, wording: Wording): Features {
  const { similarity, information, coverageAlone, tellingTerms, names } = evidence;
  const isKind = wording.subject !== undefined && !names.includes(wording.subject);
  const general = Math.min(wording.generalSigns + one(isKind), MAX_GENERAL);
  const knows = Math.min(1, Math.max(names.length, information / MAX_INFORMATION));
  const brevity = Math.max(0, BRIEF - Math.log(1 + wording.words));
  return {
    // Averages of words that a model does not know say nothing.
    closeness:
      similarity === undefined || evidence.isForeign
        ? 0
        : Math.min(1, Math.max(-1, (similarity - CLOSE_FROM) / CLOSE_RANGE)),
    coverage: evidence.coverage * Math.min(1, tellingTerms / (wording.isOurs ? 1 : enoughTerms(evidence.size))),
    briefFound: general === 0 && tellingTerms > 1 ? brevity * coverageAlone : 0,
    // Nobody said the words of another language, whatever was said.
    unheard: evidence.isForeign ? 0 : evidence.unheard * (wording.isQuestion ? 1 : 0.5),
    length: Math.log(1 + Math.min(wording.words, MAX_WORDS)),
    ownThings: wording.ownThings,
    general,
    selfContained: wording.isSelfContained ? 1 - (wording.carries ? 0 : knows / 2) : 0,
    smallTalk: one(wording.isSmallTalk),
  };
}

function enoughTerms(size: number): number {
  const share = Math.log(size + 1) / Math.log(USUAL_SIZE + 1);
  return Math.max(1, ENOUGH_TERMS * Math.min(1, share));
}

function one(isSo: boolean): number {
  return isSo ? 1 : 0;
}
