import { hash } from 'node:crypto';
import type { Episode } from '../../memory/episodes/read-episodes.ts';
import { planFact } from '../../memory/stores/entities/facts.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { Candidate } from '../../model/knowledge.ts';
import { lowestTrust } from '../../model/provenance.ts';
import type { Change } from '../../workspace/door/request.ts';
import { isLasting } from '../consolidate/important-episodes.ts';
import type { Declined } from './declined.ts';

/** Entries below this say too little for anybody to be asked about them. */
const MIN_IMPORTANCE = 0.3;
/** Limits on the entries looked at, and on the facts proposed to a person at once. */
const MAX_ENTRIES = 20;
const MAX_FACTS = 5;
const ID_LENGTH = 13;

/** A statement that an entry makes about somebody or something known. */
export interface FoundFact {
  readonly episode: Episode;
  readonly candidate: Candidate;
  readonly record: EntityRecord;
  /** The present statements there. */
  readonly known: readonly string[];
}

/** Entries that the nightly pass leaves alone because they are not important enough: only a person can tell. */
export function findUnsure(episodes: readonly Episode[], minImportance: number): Episode[] {
  return episodes
    .filter(
      ({ id, type, meta }) =>
        id !== undefined &&
        type !== 'interaction' &&
        meta.importance >= MIN_IMPORTANCE &&
        meta.importance < minImportance &&
        meta.consolidated_into === undefined,
    )
    .toSorted((one, other) => other.meta.importance - one.meta.importance)
    .slice(0, MAX_ENTRIES);
}

export interface AddedFact {
  readonly changes: readonly Change[];
  readonly told: string;
}

/** Facts that a reflection proposes to add, each once and none that was declined or is known. */
export function addFacts(
  parts: StoreParts,
  found: readonly FoundFact[],
  { declined, today }: { readonly declined: Declined; readonly today: string },
): AddedFact[] {
  const added: AddedFact[] = [];
  const seen = new Set<string>();
  for (const { episode, candidate, record, known } of found) {
    const { statement: text, attribute, value, from } = candidate;
    const key = `${record.path}\n${text.toLowerCase()}`;
    const isKnown = known.some((words) => words.toLowerCase() === text.toLowerCase());
    if (!isLasting(candidate) || isKnown || seen.has(key) || declined.has(record.path, '+', text)) continue;
    if (added.length >= MAX_FACTS) break;
    seen.add(key);
    const { session, turn } = episode.meta;
    const meta = {
      source: 'reflection' as const,
      trust: lowestTrust(['agent', candidate.trust]),
      importance: candidate.importance,
      learned: today,
      ...(from === undefined ? {} : { from }),
      ...(session === undefined || turn === undefined ? {} : { evidence: [`${session}#${turn}`] }),
      ...(episode.id === undefined ? {} : { related: [episode.id] }),
    };
    // The same reflection made again is the same proposal, ids included.
    const id = hash('sha256', key).slice(0, ID_LENGTH);
    const { changes } = planFact(parts, record, { id, text, meta, attribute, value });
    added.push({ changes, told: `${record.name}: proposed: ${text}` });
  }
  return added;
}
