import type { Config } from '../../model/config/schema.ts';
import type { Source, Store } from '../../model/provenance.ts';
import { dayWrittenIn } from '../../search-index/chunk/due.ts';
import { PINNED_TAG } from '../../search-index/passage.ts';
import { relevanceOf, statusOf, type DecayStatus, type Fading } from './relevance.ts';
import type { Use } from './use-log.ts';

/** The properties of a passage that decide its fading. */
export interface FadingPassage {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly source: Source;
  readonly timeMs: number | undefined;
  readonly learnedMs?: number | undefined;
  readonly isStanding?: boolean | undefined;
  readonly tags: readonly string[];
  readonly document: { readonly store: Store };
}

export interface Faded {
  readonly relevance: number;
  readonly status: DecayStatus;
  readonly use: Use | undefined;
}

/** A passage as the formula sees it. That somebody's file was linked to is no use of each fact in it. */
export function fadingOf(passage: FadingPassage, uses: ReadonlyMap<string, Use>): Fading {
  const { store } = passage.document;
  const use = uses.get(passage.id);
  return {
    store,
    source: passage.source,
    createdMs: fadesFrom(passage),
    accesses: use?.count ?? 0,
    lastAccessMs: use?.lastMs,
    isPinned: passage.tags.includes(PINNED_TAG),
    isStanding: passage.isStanding,
  };
}

/**
 * When its fading begins: when it was said, learned or last confirmed, whichever is latest; what is still to be done does
 * not fade before its day, nor what holds until one.
 */
export function fadesFrom({
  type,
  text,
  timeMs,
  learnedMs,
}: Pick<FadingPassage, 'type' | 'text' | 'timeMs' | 'learnedMs'>): number | undefined {
  const knownMs = timeMs === undefined ? learnedMs : Math.max(timeMs, learnedMs ?? timeMs);
  if (knownMs === undefined || (type !== 'task' && type !== 'superseded')) return knownMs;
  return Math.max(knownMs, dayWrittenIn(text) ?? knownMs);
}

/** Returns how far a passage has faded at a given time. */
export function createFader(
  uses: ReadonlyMap<string, Use>,
  nowMs: number,
  config: Config['decay'],
): (passage: FadingPassage) => Faded {
  return (passage) => {
    const relevance = relevanceOf(fadingOf(passage, uses), nowMs, config);
    return { relevance, status: statusOf(relevance), use: uses.get(passage.id) };
  };
}
