import type { Scope, Source, Store } from '../../model/provenance.ts';
import type { Use } from '../../memory/decay/use-log.ts';
import type { DecayStatus } from '../../memory/decay/relevance.ts';
import { DAY_MS } from '../../model/time.ts';

/** One memory as far as forgetting needs to know it: an item of a file, or a file that is one memory. */
export interface SurveyedMemory {
  readonly id: string;
  readonly path: string;
  readonly kind: 'item' | 'file';
  readonly store: Store;
  readonly scope: Scope;
  readonly source: Source;
  /** `fact`, `decision`, an episode's type … */
  readonly type: string;
  /** When it was said, learned or last confirmed, whichever is latest; of a task that is still ahead, or a fact that holds until a day, that day. */
  readonly createdMs: number | undefined;
  /** 0 to 1; undefined where nobody said. */
  readonly importance: number | undefined;
  readonly confidence: number | undefined;
  readonly isPinned: boolean;
  /** A rule, who the user is, or what must never be wrong. */
  readonly isStanding?: boolean | undefined;
  readonly use: Use | undefined;
  readonly relevance: number;
  readonly status: DecayStatus;
  /** The beginning of it, for a person to recognise it by. */
  readonly text: string;
}

/** An unrated memory is neither high nor low. */
const UNRATED = 0.5;

export function importanceOf({ importance }: Pick<SurveyedMemory, 'importance'>): number {
  return importance ?? UNRATED;
}

/** Days since it was written; 0 where nobody knows, because an unknown age speaks against nothing. */
export function ageDays({ createdMs }: Pick<SurveyedMemory, 'createdMs'>, nowMs: number): number {
  return createdMs === undefined ? 0 : Math.max(0, nowMs - createdMs) / DAY_MS;
}

/** Days since it was last used or, if it never was, written. */
export function idleDays(memory: Pick<SurveyedMemory, 'createdMs' | 'use'>, nowMs: number): number {
  const lastMs = Math.max(memory.createdMs ?? nowMs, memory.use?.lastMs ?? 0);
  return Math.max(0, nowMs - lastMs) / DAY_MS;
}

export interface Candidate {
  readonly memory: SurveyedMemory;
  /** The reason to archive it, as the end of a sentence. */
  readonly reason: string;
}
