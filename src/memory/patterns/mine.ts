import { findFollowing } from './following.ts';
import { mergeSimilar } from './merge.ts';
import type { Occurrence, Pattern, PatternShape, Suspected } from './occurrence.ts';
import { findOpenings } from './opening.ts';
import { findPreferences } from './preference.ts';
import { keepBelowFalseRate, wilson } from './statistics.ts';
import { findTemporal } from './temporal.ts';
import { compareTexts } from '../../model/text.ts';

export interface MineOptions {
  /** Patterns below are not worth a file. */
  readonly minConfidence?: number | undefined;
}

/** Of what is kept, so much may be chance. Far below the 5 % promised: searches overlap, and so do windows. */
const FALSE_RATE = 0.002;
const MIN_CONFIDENCE = 0.2;

/** The regularities of what happened: temporal, behavioural and causal, without those that chance explains. */
export function minePatterns(
  given: readonly Occurrence[],
  { minConfidence = MIN_CONFIDENCE }: MineOptions = {},
): Pattern[] {
  const all = [...given].sort((one, other) => one.timeMs - other.timeMs || compareTexts(one.id, other.id));
  const byLabel = new Map<string, Occurrence[]>();
  for (const occurrence of all) {
    for (const label of new Set(occurrence.labels)) {
      const own = byLabel.get(label);
      if (own === undefined) byLabel.set(label, [occurrence]);
      else own.push(occurrence);
    }
  }
  const searches = [findTemporal(byLabel, all), findOpenings(all), findFollowing(byLabel), findPreferences(all)];
  const kept = searches.flatMap(({ found, tests }) => keepBelowFalseRate(found, tests, FALSE_RATE));
  return mergeSimilar(kept, byLabel)
    .map(toPattern)
    .filter(({ confidence }) => confidence >= minConfidence)
    .sort((one, other) => other.confidence - one.confidence || compareTexts(one.key, other.key));
}

function toPattern({ chance: _chance, ...suspected }: Suspected): Pattern {
  const { held, tried, shape } = suspected;
  return { key: keyOf(shape), confidence: wilson(held, tried).low, ...suspected };
}

/** Hours may shift by one without becoming another pattern, so they are not part of its name. */
function keyOf(shape: PatternShape): string {
  switch (shape.kind) {
    case 'weekday':
      return `weekday ${shape.label} ${shape.weekday}${shape.and === undefined ? '' : `+${shape.and}`}`;
    case 'opening':
      return `opening ${shape.label}`;
    case 'hour':
      return `hour ${shape.label}`;
    case 'day-of-month':
      return `day-of-month ${shape.label} ${shape.day}`;
    case 'sequence':
      return `sequence ${shape.labels.join(' > ')}`;
    case 'preference':
      return `preference ${shape.subject} ${shape.value}`;
    case 'cause':
      return `cause ${shape.cause} > ${shape.effect}`;
  }
}
