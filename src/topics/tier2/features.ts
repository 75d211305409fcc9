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
  /** `coverage` of what is left when the words that set a trigger off are taken out. */
  readonly rest: number;
  /** The best agreement of one clause with one line of the playbook. */
  readonly line: number;
  /** Words of the topic's fields, and of other fields only. */
  readonly sharedField: number;
  readonly foreignField: number;
  /** Of the message's fields and the topic's; and the same without the words that set a trigger off. */
  readonly fieldShare: number;
  readonly restShared: number;
  readonly restForeign: number;
  readonly restShare: number;
}

/** How far ahead of the best other topic, by coverage, by support and by field; negative when behind. */
export interface Lead {
  readonly coverage: number;
  readonly support: number;
  readonly field: number;
  readonly fieldShare: number;
}

export interface PairEvidence {
  readonly likeness: Likeness;
  readonly lead: Lead;
  readonly hits: readonly TriggerHit[];
  /** Words of some other topic's triggers stand in the message. */
  readonly isOtherHit: boolean;
  /** How telling the message's matched word is: "phenobarbital" 1, "school" little. */
  readonly specificity: number;
}

export const FEATURES = [
  'meaning',
  'coverage',
  'support',
  'overlap',
  'tfIdf',
  'jaccard',
  'nGram',
  'sharedField',
  'foreignField',
  'leadCoverage',
  'leadSupport',
  'leadField',
  'fieldShare',
  'leadFieldShare',
  'restSharedHit',
  'restForeignHit',
  'restShareHit',
  'hit',
  'keyword',
  'pattern',
  'mention',
  'misspelt',
  'specificity',
  'severalHits',
  'fact',
  'path',
  'sentiment',
  'focusHit',
  'restHit',
  'line',
  'lineHit',
  'hitLead',
  'impersonalHit',
  'impersonal',
  'asked',
  'deadHit',
  'beforeTurn',
  'othersBusiness',
  'tale',
  'generalHit',
  'otherHit',
  'longHit',
  'length',
  'outputHit',
  'outputLikeness',
] as const;
export type FeatureName = (typeof FEATURES)[number];
export type Features = Readonly<Record<FeatureName, number>>;

const flag = (value: boolean): number => (value ? 1 : 0);

export function featuresOf(message: ReadMessage, evidence: PairEvidence): Features {
  const { likeness, lead, hits, isOtherHit, specificity } = evidence;
  const isOf = (type: TriggerHit['trigger']['type']): number =>
    flag(hits.some(({ trigger, isLoose }) => trigger.type === type && !isLoose));
  const inWords = hits.filter(isWordHit);
  const wordings = inWords.map(({ first = 0, last = 0 }) => message.wordingOf(first, last));
  const isEvery = (is: (wording: HitWording) => boolean): number => flag(wordings.length > 0 && wordings.every(is));
  const whole = message.wording;
  const words = message.words.filter(({ isContent }) => isContent).length;
  const hit = flag(inWords.length > 0);
  const isOutput = message.role === 'agent';
  return {
    meaning: likeness.meaning,
    coverage: likeness.coverage,
    support: likeness.support,
    overlap: likeness.overlap,
    tfIdf: likeness.tfIdf,
    jaccard: likeness.jaccard,
    nGram: likeness.nGram,
    sharedField: likeness.sharedField,
    foreignField: likeness.foreignField,
    leadCoverage: lead.coverage,
    leadSupport: lead.support,
    leadField: lead.field,
    fieldShare: likeness.fieldShare,
    leadFieldShare: lead.fieldShare,
    restSharedHit: hit * likeness.restShared,
    restForeignHit: hit * likeness.restForeign,
    restShareHit: hit * likeness.restShare,
    hit,
    keyword: isOf('keywords'),
    pattern: isOf('pattern'),
    mention: isOf('mention'),
    misspelt: flag(hits.some(({ trigger, isLoose }) => isLoose && trigger.type !== 'glob')),
    specificity: hit * specificity,
    severalHits: Math.log1p(Math.max(0, new Set(inWords.map(({ found }) => found.toLowerCase())).size - 1)),
    fact: Math.max(isOf('url'), isOf('code'), isOf('language')),
    path: flag(hits.some(({ trigger, isLoose }) => trigger.type === 'glob' && isLoose)),
    sentiment: isOf('sentiment'),
    focusHit: Math.max(0, ...inWords.map(({ first = 0 }) => message.worths[first] ?? 0)),
    restHit: hit * likeness.rest,
    line: likeness.line,
    lineHit: hit * likeness.line,
    hitLead: hit * lead.coverage,
    impersonalHit: hit * flag(whole.isImpersonal),
    impersonal: flag(whole.isImpersonal),
    asked: flag(wordings.some(({ isAsked }) => isAsked)),
    deadHit: isEvery(isDead),
    beforeTurn: isEvery(({ isBeforeTurn }) => isBeforeTurn),
    othersBusiness: hit * flag(whole.isOthers),
    tale: flag(whole.isTale),
    generalHit: hit * flag(whole.isGeneral),
    otherHit: flag(isOtherHit),
    longHit: hit * Math.log1p(words),
    length: Math.log1p(words),
    outputHit: flag(isOutput) * Math.max(hit, isOf('code')),
    outputLikeness: flag(isOutput) * likeness.coverage,
  };
}

export function isWordHit({ trigger: { type }, first }: TriggerHit): boolean {
  return first !== undefined && (type === 'keywords' || type === 'mention' || type === 'pattern');
}

/** It stands there, but it is not what the message is about. */
function isDead({ isWavedAway, isSetting, isReported, isFigure }: HitWording): boolean {
  return isWavedAway || isSetting || isReported || isFigure;
}
