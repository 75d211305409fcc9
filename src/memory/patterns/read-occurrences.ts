import { readEpisodes, type Episode } from '../episodes/read-episodes.ts';
import { clockOf, momentIn, type Occurrence } from './occurrence.ts';

/** Nearly every entry is one of these, so they tell nothing about when. */
const COMMON_TYPES = new Set(['fact', 'event', 'interaction']);
/** A tag such as `editor:zed` says what was chosen. */
const CHOICE = /^(?<subject>[\p{L}\d][\p{L}\d -]*):(?<value>\S.*)$/u;

export interface ReadOptions {
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
