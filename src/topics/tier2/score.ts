import type { TriggerHit } from '../tier1/match.ts';
import type { Nearness } from './nearness.ts';
import { roundTo } from '../../model/text.ts';

export interface ScorePart {
  readonly name: string;
  /** In log-odds. */
  readonly weight: number;
}

/** The confidence of tier 2 that a message concerns a topic, and the reasons. */
export interface TopicScore {
  /** On the scale of `similarity_threshold`: at 0.15 it is as likely as not. */
  readonly score: number;
  /** Strongest first. */
  readonly parts: readonly ScorePart[];
}

/** Everything that speaks for or against a topic. */
export interface Evidence {
  readonly nearness: Nearness;
  readonly hits: readonly TriggerHit[];
  /** The model's chance that the message calls for the topic; undefined when it was not asked. */
  readonly calls: number | undefined;
}

interface Weight {
  /** Its name in an explanation. */
  readonly name: string;
  /** And what it calls it when it speaks against the topic. */
  readonly against?: string | undefined;
  /** The neutral value: parts are stated as what they add or take away from there. */
  readonly usual: number;
  /** Log-odds for each unit. */
  readonly weight: number;
}

/**
 * Rounded from a fit on bench/data/watchers and watchers-more;
 * `training/mneme_model/topics.py` fits them again for another model. docs/topics.md says how far to believe them.
 */
const START = -3.2;
const WEIGHTS = {
  calls: { name: 'called for, says the model', against: 'not called for, says the model', usual: 0, weight: 0.5 },
  meaning: { name: 'close in meaning', against: 'far in meaning', usual: 0.15, weight: 2 },
  words: { name: 'words in common', usual: 0, weight: 1.1 },
  lead: { name: 'nearer than other topics', against: 'other topics are nearer', usual: -0.1, weight: 10 },
  keyword: { name: 'a keyword or name', usual: 0, weight: 0.2 },
  misspelt: { name: 'a keyword, misspelt', usual: 0, weight: 4 },
  pattern: { name: 'a pattern', usual: 0, weight: 2.5 },
  fact: { name: 'an address, code or language', usual: 0, weight: 5 },
} as const satisfies Readonly<Record<string, Weight>>;
type EvidenceName = keyof typeof WEIGHTS;

/** Beyond this the model's certainty says nothing more. */
const MAX_CALLS_LOG_ODDS = 6;

export function valuesOf({ nearness, hits, calls }: Evidence): Readonly<Record<EvidenceName, number>> {
  const { meaning, words, lead } = nearness;
  const isOf = (types: readonly TriggerHit['trigger']['type'][], isLoose = false): number =>
    hits.some((hit) => hit.isLoose === isLoose && types.includes(hit.trigger.type)) ? 1 : 0;
  return {
    calls: calls === undefined ? 0 : logOdds(calls),
    meaning,
    words,
    lead,
    keyword: isOf(['keywords', 'mention']),
    misspelt: isOf(['keywords', 'mention'], true),
    pattern: isOf(['pattern']),
    fact: isOf(['url', 'code', 'language']),
  };
}

export function scoreEvidence(evidence: Evidence): TopicScore {
  const values = valuesOf(evidence);
  const weights: Readonly<Record<string, Weight>> = WEIGHTS;
  const parts: ScorePart[] = Object.entries(weights).map(([key, { name, against = name, usual, weight }]) => {
    const added = roundTo(weight * (values[key as EvidenceName] - usual), 3);
    return { name: added < 0 ? against : name, weight: added };
  });
  const sum = parts.reduce((total, { weight }) => total + weight, START);
  const told = parts.filter(({ weight }) => weight !== 0);
  told.sort((left, right) => Math.abs(right.weight) - Math.abs(left.weight));
  return { score: roundTo(scoreOf(1 / (1 + Math.exp(-sum))), 3), parts: told };
}

/** The most a topic can come to, whatever the model would say. */
export function highestScore(evidence: Omit<Evidence, 'calls'>): number {
  return scoreEvidence({ ...evidence, calls: 1 }).score;
}

/**
 * People set thresholds between 0.1 and 0.4 around S0's default of 0.15, as for a cosine. The power puts an even chance
 * at that default, so that their numbers keep their meaning: 0.3 is two in three, 1 stays certainty.
 */
const SCALE = Math.log(0.15) / Math.log(0.5);

/** The agent's output is checked for triggers alone, which are nearly always right there. */
export const AGENT_TRIGGERED: TopicScore = {
  score: 0.5,
  parts: [{ name: 'a trigger for what the agent writes', weight: 0 }],
};
/** A file that was touched is a fact, whatever was said about it. */
export const TOUCHED: TopicScore = { score: 1, parts: [{ name: 'a file of the topic was touched', weight: 0 }] };
/** Without the model a trigger is believed, though not for topics of low priority. */
export const TRIGGERED_ALONE: TopicScore = {
  score: 0.25,
  parts: [{ name: 'a trigger; the model could not be read', weight: 0 }],
};

/** From a probability to the scale of thresholds. */
function scoreOf(probability: number): number {
  return probability ** SCALE;
}

/** And back. */
export function probabilityOf(score: number): number {
  return score ** (1 / SCALE);
}

function logOdds(chance: number): number {
  const odds = Math.log(chance / (1 - chance));
  return Math.max(-MAX_CALLS_LOG_ODDS, Math.min(MAX_CALLS_LOG_ODDS, odds));
}
