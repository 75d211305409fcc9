import type { TriggerHit } from '../tier1/match.ts';
import type { HitWording } from '../text/wording.ts';
import type { ReadMessage } from '../text/message.ts';

/** How a message and a topic compare by their words; all from 0 to about 1. */
export interface Likeness {
  /** Cosine of all words' meanings. */
  readonly meaning: number;
  /** How well each word of the message is met by some word of the topic, on average. */
  readonly coverage: number;
  /** The same added up: many words that fit say more than one. */
  readonly support: number;
  /** The topic's own words in the message, keywords aside, by how rare they are. */
  readonly overlap: number;
  readonly tfIdf: number;
  readonly bm25: number;
  readonly jaccard: number;
  readonly nGram: number;
  /** The best agreement of one clause with one line of the playbook. */
  readonly line: number;
  /** Words of the topic's fields, and of other fields only. */
  readonly sharedField: number;
  readonly foreignField: number;
  /** `foreignField` of what is left when the words that set a trigger off are taken out. */
  readonly restForeign: number;
}

/** How far ahead of the best other topic, by coverage and by support; negative when behind. */
export interface Lead {
  readonly coverage: number;
  readonly support: number;
}

export interface PairEvidence {
  readonly likeness: Likeness;
  readonly lead: Lead;
  readonly hits: readonly TriggerHit[];
  /** Words of some other topic's triggers stand in the message. */
  readonly isOtherHit: boolean;
}

export const FEATURES = [
  'meaning',
  'support',
  'overlap',
  'nGram',
  'sharedField',
  'foreignField',
  'leadCoverage',
  'leadSupport',
  'restForeign',
  'keyword',
  'pattern',
  'mention',
  'misspelt',
  'fact',
  'path',
  'sentiment',
  'line',
  'impersonalHit',
  'asked',
  'deadHit',
  'beforeTurn',
  'othersBusiness',
  'otherHit',
  'longHit',
] as const;
export type FeatureName = (typeof FEATURES)[number];
export type Features = Readonly<Record<FeatureName, number>>;

const flag = (value: boolean): number => (value ? 1 : 0);

export function featuresOf(message: ReadMessage, evidence: PairEvidence): Features {
  const { likeness, lead, hits, isOtherHit } = evidence;
  const isOf = (type: TriggerHit['trigger']['type']): number =>
    flag(hits.some(({ trigger, isLoose }) => trigger.type === type && !isLoose));
  const inWords = hits.filter(isWordHit);
  const wordings = inWords.map(({ first = 0, last = 0 }) => message.wordingOf(first, last));
  const isEvery = (is: (wording: HitWording) => boolean): number => flag(wordings.length > 0 && wordings.every(is));
  const whole = message.wording;
  const words = message.words.filter(({ isContent }) => isContent).length;
  const hit = flag(inWords.length > 0);
  return {
    meaning: likeness.meaning,
    support: likeness.support,
    overlap: likeness.overlap,
    nGram: likeness.nGram,
    sharedField: likeness.sharedField,
    foreignField: likeness.foreignField,
    leadCoverage: lead.coverage,
    leadSupport: lead.support,
    restForeign: hit * likeness.restForeign,
    keyword: isOf('keywords'),
    pattern: isOf('pattern'),
    mention: isOf('mention'),
    misspelt: flag(hits.some(({ trigger, isLoose }) => isLoose && trigger.type !== 'glob')),
    fact: Math.max(isOf('url'), isOf('code'), isOf('language')),
    path: flag(hits.some(({ trigger, isLoose }) => trigger.type === 'glob' && isLoose)),
    sentiment: isOf('sentiment'),
    line: likeness.line,
    impersonalHit: hit * flag(whole.isImpersonal),
    asked: flag(wordings.some(({ isAsked }) => isAsked)),
    deadHit: isEvery(isDead),
    beforeTurn: isEvery(({ isBeforeTurn }) => isBeforeTurn),
    othersBusiness: hit * flag(whole.isOthers),
    otherHit: flag(isOtherHit),
    longHit: hit * Math.log1p(words),
  };
}

export function isWordHit({ trigger: { type }, first }: TriggerHit): boolean {
  return first !== undefined && (type === 'keywords' || type === 'mention' || type === 'pattern');
}

/** It stands there, but it is not what the message is about. */
function isDead({ isWavedAway, isSetting, isReported, isFigure }: HitWording): boolean {
  return isWavedAway || isSetting || isReported || isFigure;
}
