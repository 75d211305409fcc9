import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { replaceFile } from '../../platform/fs.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import { listReconstructionNames, reconstructionPlaces, type ReconstructionPlaces } from './places.ts';
import { parseJson } from '../../model/records.ts';

/** Controls with which the caller of a reconstruction follows and stops it. */
export interface ReconstructControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number; readonly session: string }) => void)
    | undefined;
}

const recordSchema = z.object({
  name: z.string(),
  created: z.string(),
  /** The commit it began with. */
  base: z.string(),
  extractors: z.array(z.string()),
  /** The same with their versions, as they stand beside what was found. */
  versions: z.array(z.string()),
  provider: z.string(),
  model: z.string().nullable(),
  since: z.string().nullable(),
  sessions: z.array(z.string()),
  /** `prepared`: what is to be found again was taken out of its copy. */
  state: z.enum(['begun', 'prepared', 'ready', 'proposed']),
  proposals: z.array(z.string()),
});

export type ReconstructionRecord = z.output<typeof recordSchema>;

export function writeRecord(places: ReconstructionPlaces, record: ReconstructionRecord): void {
  fs.mkdirSync(path.dirname(places.record), { recursive: true });
  replaceFile(places.record, `${JSON.stringify(record, undefined, 1)}\n`);
}

export function findRecord(places: ReconstructionPlaces): ReconstructionRecord | undefined {
  if (!fs.existsSync(places.record)) return undefined;
  const text = fs.readFileSync(places.record, 'utf8');
  const parsed = recordSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new MnemeError('integrity', `${places.record} cannot be read.`, {
    hint: `\`mneme learn reconstruct drop ${path.basename(places.folder)}\` cleans up; then start again.`,
  });
}

export function getRecord(paths: Pick<HomePaths, 'state'>, name: string): ReconstructionRecord {
  const record = findRecord(reconstructionPlaces(paths, name));
  if (record !== undefined) return record;
  const names = listReconstructionNames(paths);
  throw new MnemeError('not-found', `There is no reconstruction "${name}".`, {
    hint: names.length === 0 ? '`mneme learn reconstruct start NAME` begins one.' : `There are: ${names.join(', ')}.`,
  });
}

/** Conversations that were replayed; a line that a crash cut off names none. */
export function readDone(places: ReconstructionPlaces): Set<string> {
  if (!fs.existsSync(places.done)) return new Set();
  const lines = fs.readFileSync(places.done, 'utf8').split('\n').slice(0, -1);
  return new Set(lines);
}

export function addDone(places: ReconstructionPlaces, session: string): void {
  const known = fs.existsSync(places.done) ? fs.readFileSync(places.done, 'utf8') : '';
  // A line cut off by a crash would merge with the next one.
  const start = known === '' || known.endsWith('\n') ? '' : '\n';
  fs.appendFileSync(places.done, `${start}${session}\n`);
}
