import type { Actor } from '../../model/mutation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LogPlaces } from '../../platform/environment.ts';
import type { Random } from '../../platform/random.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { KnowledgeSink } from './knowledge/port.ts';
import type { Damage, Skipped } from './port.ts';

export const IMPORT_SOURCES = [
  'claude-code',
  'codex',
  'gemini',
  'openclaw',
  'opencode',
  'markdown',
  'transcript',
  'chatgpt',
  'claude',
  'obsidian',
  'basic-memory',
  'server-memory',
  'mem0',
  'pdf',
  'html',
  'mneme',
] as const;
export type ImportFrom = (typeof IMPORT_SOURCES)[number];

export interface ImportRequest {
  readonly from: ImportFrom;
  /** A file or folder; where the program keeps its logs when not given. `-` reads a transcript from the input. */
  readonly path?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** A project's folder, or its name. */
  readonly project?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** The person says that notes are their own words. */
  readonly mine?: boolean | undefined;
}

/** The home to import into. */
export interface ImportHome {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly timeZone: string;
  readonly actor: Actor;
  /** The largest file the workspace takes, so that a dry run can tell. */
  readonly maxFileBytes?: number | undefined;
  /** Where facts, relations and memories go; needed by formats that have some. */
  readonly knowledge?: KnowledgeSink | undefined;
}

export interface ImportProgress {
  readonly from: ImportFrom;
  /** Files looked at so far, and how many there are. */
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly sessions: number;
  readonly turns: number;
  readonly documents: number;
  readonly facts: number;
}

export interface ImportControls {
  readonly places?: LogPlaces | undefined;
  /** For the path `-`. */
  readonly readInput?: (() => Promise<string>) | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Ends the import after the batch under way; what was written stays, and the next import goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** The detected kind of a source, and the evidence for it. */
export interface Detected {
  readonly from: ImportFrom;
  readonly because: string;
}

export interface ImportResult {
  readonly from: ImportFrom;
  /** Set when the kind was told by what the source holds. */
  readonly detected?: Detected | undefined;
  /** Where it was read from. */
  readonly paths: readonly string[];
  readonly dryRun: boolean;
  readonly sessions: number;
  /** Of these, sessions that were known and have gone on. */
  readonly continued: number;
  readonly turns: number;
  readonly documents: number;
  readonly entities: number;
  readonly facts: number;
  readonly relations: number;
  /** Entries in the diary, for memories that were kept one by one. */
  readonly memories: number;
  /** Read from the source. */
  readonly bytes: number;
  /** The first and last day of what was imported. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly skipped: readonly Skipped[];
  /** Unreadable parts, with their places; the first of many. */
  readonly damage: readonly Damage[];
  /** True when it was stopped before its end. */
  readonly interrupted: boolean;
  readonly tookMs: number;
}
