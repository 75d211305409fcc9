import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { EpisodeType } from '../../model/schemas/time.ts';
import { DAY_MS } from '../../model/time.ts';
import { resolveMetadata, type ResolvedMetadata } from '../../workspace/formats/defaults.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';

/** An entry of a day, as it stands in its file. */
export interface Episode {
  readonly id: string | undefined;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly date: string;
  readonly time: string | undefined;
  readonly type: EpisodeType;
  readonly title: string | undefined;
  readonly text: string;
  readonly meta: ResolvedMetadata;
}

export interface Days {
  /** `YYYY-MM-DD`, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Under the workspace, with a slash at its end. */
  readonly folder?: string | undefined;
}

/** The entries of some days, oldest first; days that cannot be read as Markdown have none. */
export function readEpisodes(
  root: string,
  { since = '', until = '9999', folder = 'memory/episodes/' }: Days = {},
): Episode[] {
  return dayFiles(path.join(root, folder))
    .filter((name) => name.slice(0, 10) >= since && name.slice(0, 10) <= until)
    .flatMap((name) => {
      const { date, entries, defaults } = parseEpisodes(
        parseDocument(fs.readFileSync(path.join(root, folder, name), 'utf8')),
      );
      return entries.map(({ id, time, type, title, text, meta, startLine, endLine }) => ({
        id,
        path: `${folder}${name}`,
        startLine,
        endLine,
        date: date ?? name.slice(0, 10),
        time,
        type,
        title,
        text: visibleText(text).trim(),
        meta: resolveMetadata(meta, defaults),
      }));
    });
}

/** By day, then by part: `2026-02-16.10.md` comes after `2026-02-16.9.md`. */
function dayFiles(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => /^\d{4}-\d{2}-\d{2}(?:\.\d+)?\.md$/u.test(name))
      .sort((one, other) => one.slice(0, 10).localeCompare(other.slice(0, 10)) || partOf(one) - partOf(other));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function partOf(name: string): number {
  return Number(/\.(\d+)\.md$/u.exec(name)?.[1] ?? 1);
}

/** The evidence for ranking an episode (S1 §4.4). */
interface EpisodeEvidence {
  /** 0 to 1. */
  readonly similarity: number;
  readonly importance: number;
  readonly timeMs: number;
}

const SIMILARITY = 0.7;
const IMPORTANCE = 0.2;
const RECENCY = 0.1;

export function episodeScore({ similarity, importance, timeMs }: EpisodeEvidence, nowMs: number): number {
  const days = Math.max(0, (nowMs - timeMs) / DAY_MS);
  return similarity * SIMILARITY + importance * IMPORTANCE + (1 / (1 + days)) * RECENCY;
}
