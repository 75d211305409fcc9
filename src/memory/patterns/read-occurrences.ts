import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { localTime } from '../../model/time.ts';
import { parseEpisodes, type EpisodeEntry } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { Occurrence } from './occurrence.ts';

const FOLDER = 'memory/episodes';
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

/** What the episodes say happened, by tag, type and outcome. An entry without a time of day cannot take part. */
export function readOccurrences({ root, timeZone, sinceMs = 0 }: ReadOptions): Occurrence[] {
  return listDays(root).flatMap((name) => {
    const { date, entries } = parseEpisodes(parseDocument(fs.readFileSync(path.join(root, FOLDER, name), 'utf8')));
    if (date === undefined) return [];
    return entries.flatMap((entry, place) => {
      const timeMs = timeOf(entry, date, timeZone);
      if (timeMs === undefined || timeMs < sinceMs) return [];
      return [toOccurrence(entry.id ?? `${name}#${place}`, entry, timeMs, timeZone)];
    });
  });
}

function listDays(root: string): string[] {
  try {
    return fs
      .readdirSync(path.join(root, FOLDER))
      .filter((name) => /^\d{4}-\d{2}-\d{2}(?:\.\d+)?\.md$/u.test(name))
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function timeOf({ time, meta }: EpisodeEntry, date: string, timeZone: string): number | undefined {
  const exact = meta.time === undefined ? Number.NaN : Date.parse(meta.time);
  if (!Number.isNaN(exact)) return exact;
  if (time === undefined) return undefined;
  const asUtc = Date.parse(`${date}T${time.padStart(5, '0')}:00Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The zone's distance at that moment; around a change of clocks an hour off does no harm here.
  const shown = localTime(asUtc, timeZone);
  return asUtc - (Date.parse(`${shown.date}T${shown.time}:00Z`) - asUtc);
}

function toOccurrence(id: string, { type, meta }: EpisodeEntry, timeMs: number, timeZone: string): Occurrence {
  const { date, time } = localTime(timeMs, timeZone);
  const tags = (meta.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '');
  const choices = tags.flatMap((tag) => {
    const { subject, value } = CHOICE.exec(tag)?.groups ?? {};
    return subject === undefined || value === undefined ? [] : [[subject.trim(), value.trim()] as const];
  });
  const outcome = meta.outcome?.trim().toLowerCase();
  return {
    id,
    timeMs,
    weekday: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7,
    hour: Number(time.slice(0, 2)),
    dayOfMonth: Number(date.slice(8, 10)),
    labels: [
      ...tags.filter((tag) => !CHOICE.test(tag)),
      ...(COMMON_TYPES.has(type) ? [] : [type]),
      ...(outcome === undefined || outcome === '' ? [] : [`outcome ${outcome}`]),
    ],
    ...(choices.length === 0 ? {} : { choices: Object.fromEntries(choices) }),
  };
}
