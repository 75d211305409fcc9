import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { localTime } from '../../model/time.ts';
import { readEpisodes, type Episode } from '../episodes/read-episodes.ts';
import { binomialTail, isHeldNoLonger, type Trial } from './statistics.ts';

const MAX_EVIDENCE = 12;

/** Something that happened, by what it is called, on the clock of the home. */
export interface Occurrence {
  readonly id: string;
  readonly timeMs: number;
  /** 0 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly dayOfMonth: number;
  /** Its labels: tags, type, people present, outcome. */
  readonly labels: readonly string[];
  /** The option chosen where there was a choice: `editor` → `zed`. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** The conversation it happened in: what happens together says nothing about when each happens. */
  readonly occasion?: string | undefined;
  /** The source's trust; the agent's when not given. */
  readonly trust?: Trust | undefined;
}

export type PatternShape =
  /** `and`: the later of two days of the week. */
  | { readonly kind: 'weekday'; readonly label: string; readonly weekday: number; readonly and?: number | undefined }
  | { readonly kind: 'opening'; readonly label: string }
  | { readonly kind: 'hour'; readonly label: string; readonly hour: number; readonly hours: number }
  | { readonly kind: 'day-of-month'; readonly label: string; readonly day: number }
  | { readonly kind: 'sequence'; readonly labels: readonly string[]; readonly withinMs: number }
  | { readonly kind: 'preference'; readonly subject: string; readonly value: string }
  | {
      readonly kind: 'cause';
      readonly cause: string;
      readonly effect: string;
      readonly withinMs: number;
      readonly lift: number;
    };

/** A regularity that chance does not explain. */
export interface Pattern {
  /** The same pattern found again has the same key. */
  readonly key: string;
  readonly shape: PatternShape;
  /** The number of times it held, and of times it could have. */
  readonly held: number;
  readonly tried: number;
  /** The share that would be expected without it. */
  readonly expected: number;
  /** The lowest share the counts allow (Wilson, 95 %): few cases cannot be sure. */
  readonly confidence: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** It held once and no longer does. */
  readonly isRetired: boolean;
  /** Occurrences that show it, the newest last. */
  readonly evidence: readonly string[];
  /** The lowest of everything that shows it, and at most an agent's word: nobody said it. */
  readonly trust?: Trust | undefined;
}

/** A regularity before it is known whether chance explains it. */
export interface Suspected extends Omit<Pattern, 'key' | 'confidence'> {
  /** The probability that chance alone does as well. */
  readonly chance: number;
}

/** A regularity as its trials show it, in the order of time. */
export function suspected(
  shape: PatternShape,
  trials: readonly (Trial & Pick<Occurrence, 'id' | 'trust'>)[],
  expected: number,
): Suspected {
  const held = trials.filter(({ isHeld }) => isHeld);
  return {
    shape,
    held: held.length,
    tried: trials.length,
    expected,
    chance: binomialTail(held.length, trials.length, expected),
    firstMs: held[0]?.timeMs ?? 0,
    lastMs: held.at(-1)?.timeMs ?? 0,
    isRetired: isHeldNoLonger(trials),
    evidence: held.slice(-MAX_EVIDENCE).map(({ id }) => id),
    trust: trustOfAll(held),
  };
}

function trustOfAll(occurrences: readonly Pick<Occurrence, 'trust'>[]): Trust {
  return lowestTrust(['agent', ...occurrences.map(({ trust = 'agent' }) => trust)]);
}

/** The local clock and calendar of the home at a moment. */
export function clockOf(timeMs: number, timeZone: string): Pick<Occurrence, 'weekday' | 'hour' | 'dayOfMonth'> {
  const { date, time } = localTime(timeMs, timeZone);
  return {
    weekday: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7,
    hour: Number(time.slice(0, 2)),
    dayOfMonth: Number(date.slice(8, 10)),
  };
}

/** The moment of a local day and time; undefined when they are none. */
export function momentIn(date: string, time: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${date}T${time.slice(0, 5).padStart(5, '0')}:00Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The zone's distance at that moment; around a change of clocks an hour off does no harm here.
  const shown = localTime(asUtc, timeZone);
  return asUtc - (Date.parse(`${shown.date}T${shown.time.slice(0, 5)}:00Z`) - asUtc);
}

/** Nearly every entry is one of these, so they tell nothing about when. */
const COMMON_TYPES = new Set(['fact', 'event', 'interaction']);
/** A tag such as `editor:zed` says what was chosen. */
const CHOICE = /^(?<subject>[\p{L}\d][\p{L}\d -]*):(?<value>\S.*)$/u;

interface ReadOptions {
  readonly root: string;
  readonly timeZone: string;
  /** Only what happened from here on. */
  readonly sinceMs?: number | undefined;
}

/** The events in the episodes, by tag, type and outcome. An entry without a time of day cannot take part. */
export function readOccurrences({ root, timeZone, sinceMs = 0 }: ReadOptions): Occurrence[] {
  return readEpisodes(root).flatMap((episode) => {
    const timeMs = timeOf(episode, timeZone);
    if (timeMs === undefined || timeMs < sinceMs) return [];
    return [toOccurrence(episode.id ?? `${episode.path}:${episode.startLine}`, episode, timeMs, timeZone)];
  });
}

function timeOf({ time, date, meta }: Episode, timeZone: string): number | undefined {
  const exact = meta.time === undefined ? Number.NaN : Date.parse(meta.time);
  if (!Number.isNaN(exact)) return exact;
  return time === undefined ? undefined : momentIn(date, time, timeZone);
}

function toOccurrence(id: string, { type, meta }: Episode, timeMs: number, timeZone: string): Occurrence {
  const tags = (meta.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '');
  const choices = tags.flatMap((tag) => {
    const { subject, value } = CHOICE.exec(tag)?.groups ?? {};
    return subject === undefined || value === undefined ? [] : [[subject.trim(), value.trim()] as const];
  });
  const outcome = meta.outcome?.trim().toLowerCase();
  return {
    id,
    timeMs,
    ...clockOf(timeMs, timeZone),
    labels: [
      ...tags.filter((tag) => !CHOICE.test(tag)),
      ...(COMMON_TYPES.has(type) ? [] : [type]),
      ...(outcome === undefined || outcome === '' ? [] : [`outcome ${outcome}`]),
    ],
    trust: meta.trust,
    ...(choices.length === 0 ? {} : { choices: Object.fromEntries(choices) }),
  };
}
