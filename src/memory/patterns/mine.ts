import { DAY_MS } from '../../model/time.ts';
import { findFollowing } from './following.ts';
import { type Occurrence, type Pattern, type PatternShape, suspected, type Suspected } from './occurrence.ts';
import { keepBelowFalseRate, wilson } from './statistics.ts';
import { MIN_SUPPORT, type Search, findTemporal } from './temporal.ts';
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

const MIN_SHARE = 0.7;

interface Day {
  readonly first: Occurrence;
  /** The number of different things done; a single one is not a first. */
  readonly count: number;
  readonly labels: ReadonlySet<string>;
}

/** Finds the usual start of a day, whenever that is; only in conversations, which have an order. */
function findOpenings(all: readonly Occurrence[]): Search {
  const days = [
    ...Map.groupBy(
      all.filter(({ occasion }) => occasion !== undefined),
      dayOf,
    ).values(),
  ].flatMap(toDay);
  const firsts = new Set(days.flatMap(({ first }) => first.labels));
  const found: Suspected[] = [];
  for (const label of firsts) {
    const tried = days.filter(({ labels }) => labels.has(label));
    const trials = tried.map(({ first }) => ({ ...first, isHeld: first.labels.includes(label) }));
    const held = trials.filter(({ isHeld }) => isHeld);
    if (held.length < MIN_SUPPORT || held.length / tried.length < MIN_SHARE) continue;
    const expected = tried.reduce((sum, { count }) => sum + 1 / count, 0) / tried.length;
    found.push(suspected({ kind: 'opening', label }, trials, expected));
  }
  return { tests: firsts.size, found };
}

/** By the home's clock, so that an evening is no part of the next day. */
function dayOf({ timeMs, hour }: Occurrence): number {
  return Math.round((timeMs - hour * (DAY_MS / 24)) / DAY_MS);
}

function toDay(happened: readonly Occurrence[]): Day[] {
  const [first] = happened;
  const labels = new Set(happened.flatMap((each) => each.labels));
  return first === undefined || labels.size < 2 ? [] : [{ first, count: labels.size, labels }];
}

/** Labels that stand on nearly the same occurrences are two names of one thing. */
const SAME = 0.8;

/** One pattern per regularity: the same thing under two names, or told both as habit and as cause, is told once. */
function mergeSimilar(found: readonly Suspected[], byLabel: ReadonlyMap<string, readonly Occurrence[]>): Suspected[] {
  const names = canonicalNames(byLabel);
  const best = new Map<string, Suspected>();
  for (const each of found) {
    const key = signature(each.shape, (label) => names.get(label) ?? label);
    const other = best.get(key);
    if (other === undefined || each.chance < other.chance) best.set(key, each);
  }
  return withoutEchoes([...best.values()]);
}

/** A > B and B > C make A > C: the long way round is not told again. */
function withoutEchoes(found: readonly Suspected[]): Suspected[] {
  const next = new Map<string, Set<string>>();
  for (const { shape } of found) {
    const [first, second] = endsOf(shape) ?? [];
    if (first !== undefined && second !== undefined) next.set(first, (next.get(first) ?? new Set()).add(second));
  }
  return found.filter(({ shape, held, tried }) => {
    const [first, second] = endsOf(shape) ?? [];
    if (first === undefined || second === undefined) return true;
    const middles = [...(next.get(first) ?? [])].filter(
      (middle) => middle !== second && next.get(middle)?.has(second) === true,
    );
    return !middles.some((middle) => {
      const direct = found.find((each) => {
        const ends = endsOf(each.shape);
        return ends?.[0] === first && ends[1] === middle;
      });
      return direct !== undefined && direct.held / direct.tried >= held / tried;
    });
  });
}

function endsOf(shape: PatternShape): readonly [string, string] | undefined {
  if (shape.kind === 'cause') return [shape.cause, shape.effect];
  const [first, second] = shape.kind === 'sequence' ? shape.labels : [];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function signature(shape: PatternShape, nameOf: (label: string) => string): string {
  const ends = endsOf(shape);
  if (ends !== undefined) return `follows ${nameOf(ends[0])} ${nameOf(ends[1])}`;
  switch (shape.kind) {
    case 'weekday':
      return `weekday ${nameOf(shape.label)} ${shape.weekday} ${shape.and ?? ''}`;
    case 'opening':
      return `opening ${nameOf(shape.label)}`;
    case 'hour':
      return `hour ${nameOf(shape.label)}`;
    case 'day-of-month':
      return `day-of-month ${nameOf(shape.label)} ${shape.day}`;
    default:
      return JSON.stringify(shape);
  }
}

/** For each label the most used of those that mean the same. */
function canonicalNames(byLabel: ReadonlyMap<string, readonly Occurrence[]>): Map<string, string> {
  const names = new Map<string, string>();
  const ordered = [...byLabel].sort((one, other) => other[1].length - one[1].length || (one[0] < other[0] ? -1 : 1));
  const ids = new Map(ordered.map(([label, each]) => [label, new Set(each.map(({ id }) => id))]));
  for (const [label] of ordered) {
    const own = ids.get(label) ?? new Set();
    const twin = [...names.keys()].find(
      (other) => names.get(other) === other && overlap(own, ids.get(other) ?? new Set()) >= SAME,
    );
    names.set(label, twin ?? label);
  }
  return names;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (Math.min(one.size, other.size) < Math.max(one.size, other.size) * SAME) return 0;
  let shared = 0;
  for (const id of one) if (other.has(id)) shared += 1;
  return shared / (one.size + other.size - shared);
}

const MIN_PREFERENCE_SHARE = 0.6;

/** Finds options that are mostly chosen where there were others. */
function findPreferences(all: readonly Occurrence[]): Search {
  const bySubject = new Map<string, { readonly occurrence: Occurrence; readonly value: string }[]>();
  for (const occurrence of all) {
    for (const [subject, value] of Object.entries(occurrence.choices ?? {})) {
      const chosen = bySubject.get(subject) ?? [];
      chosen.push({ occurrence, value });
      bySubject.set(subject, chosen);
    }
  }
  const found: Suspected[] = [];
  let tests = 0;
  for (const [subject, chosen] of bySubject) {
    const values = [...new Set(chosen.map(({ value }) => value))];
    // A single value is a fact somebody stated again and again, not a choice.
    if (values.length < 2) continue;
    tests += values.length;
    for (const value of values) {
      const held = chosen.filter((each) => each.value === value);
      if (held.length < MIN_SUPPORT || held.length / chosen.length < MIN_PREFERENCE_SHARE) continue;
      const trials = chosen.map(({ occurrence: { id, timeMs, trust }, value: chose }) => ({
        id,
        timeMs,
        trust,
        isHeld: chose === value,
      }));
      found.push(suspected({ kind: 'preference', subject, value }, trials, 1 / values.length));
    }
  }
  return { tests, found };
}
