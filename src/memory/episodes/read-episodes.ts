import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { Source } from '../../model/provenance.ts';
import type { EpisodeType } from '../../model/schemas/time.ts';
import { DAY_MS } from '../../model/time.ts';
import { containment, stemsOf } from '../../reasoner/heuristic/text/words.ts';
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

interface Happening {
  readonly type: EpisodeType;
  readonly text: string;
  readonly source?: Source | undefined;
  /** The outcome: `success`, `failure`, `recovered`. */
  readonly outcome?: string | undefined;
}

/** Most things (S2 §5.2). */
const BASE = 0.5;
/** The weight of each type (S1 §4.3, S2 §5.2), on a scale of 0 to 1. */
const BY_TYPE: Readonly<Partial<Record<EpisodeType, number>>> = {
  decision: 0.3,
  correction: 0.2,
  error: 0.2,
  learning: 0.2,
  preference: 0.15,
  task: 0.1,
  emotion: 0,
  interaction: -0.1,
  event: -0.1,
};
const SAID_TO_MATTER = 0.2;
const ASKED_TO_KEEP = 0.25;
/** An error that was mended matters less than one that was not. */
const RECOVERED = -0.1;
const UNSOLVED = 0.1;

const MATTERS = /\b(?:important|critical|crucial|essential|urgent|wichtig|dringend|importante|urgente|essentiel)\b/iu;
const RECOVERY = /\b(?:recovered|fixed|solved|mended|success)\b/iu;
const FAILURE = /\b(?:fail(?:ed|ure)?|unsolved|open|lost)\b/iu;

/** The importance of an event without a rating. Its frequency makes a pattern, not importance. */
export function importanceOf({ type, text, source, outcome = '' }: Happening): number {
  let score = BASE + (BY_TYPE[type] ?? 0);
  if (MATTERS.test(text)) score += SAID_TO_MATTER;
  if (source === 'user-explicit') score += ASKED_TO_KEEP;
  if (type === 'error' && RECOVERY.test(outcome)) score += RECOVERED;
  if (type === 'error' && FAILURE.test(outcome)) score += UNSOLVED;
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/** Shorter texts are one thing, whatever they are about. */
const MIN_CHARS = 400;
/** Two paragraphs that share this much of their words are about the same. */
const SAME_TOPIC = 0.12;

/**
 * A text cut where it begins to speak of something else, so that each thing that happened can be found, linked and
 * forgotten alone. Only between paragraphs, and never a list from the words that introduce it.
 */
export function splitByTopic(text: string): string[] {
  const paragraphs = text.split(/\n[ \t]*\n+/u).filter((paragraph) => paragraph.trim() !== '');
  if (text.length < MIN_CHARS || paragraphs.length < 2 || /^(?:```|~~~)/mu.test(text)) return [text];
  const parts: { readonly paragraphs: string[]; readonly stems: Set<string> }[] = [];
  for (const paragraph of paragraphs) {
    const stems = stemsOf(paragraph);
    const last = parts.at(-1);
    if (last === undefined || !(belongs(paragraph, last.paragraphs) || containment(stems, last.stems) >= SAME_TOPIC)) {
      parts.push({ paragraphs: [paragraph], stems });
    } else {
      last.paragraphs.push(paragraph);
      for (const stem of stems) last.stems.add(stem);
    }
  }
  return parts.map((part) => part.paragraphs.join('\n\n'));
}

/** Lists, quotations and sentences that take up what was said go with what stands before them. */
function belongs(paragraph: string, before: readonly string[]): boolean {
  if (/^[ \t]*(?:[-*+>|]|\d+[.)])\s/u.test(paragraph)) return true;
  if (/:[ \t]*$/u.test(before.at(-1) ?? '')) return true;
  return /^(?:it|this|that|they|he|she|these|those|so|because|therefore|then|also|but|however|after that)\b/iu.test(
    paragraph.trim(),
  );
}
