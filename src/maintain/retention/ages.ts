import type { Config } from '../../model/config/schema.ts';
import { ageDays, importanceOf, type SurveyedMemory } from '../forgetting/memory.ts';

/**
 * Ages that are the same in every home. S1 has three levels of importance; what is low leaves after a week, what is high never by
 * age. Packing waits as long after archiving as archiving does, so that a mistake is found while the file is still plain text.
 */
export const AGES = { lowMax: 0.3, highMin: 0.7, lowArchiveDays: 7, packDays: 90 } as const;

export type Importance = 'low' | 'medium' | 'high';

/** S1's three levels, from a number. */
export function importanceLevel(importance: number): Importance {
  if (importance >= AGES.highMin) return 'high';
  return importance <= AGES.lowMax ? 'low' : 'medium';
}

/** The age at which a memory leaves by age alone; undefined when it never does. */
export function archiveAgeDays(
  memory: Pick<SurveyedMemory, 'store' | 'importance'>,
  config: Config['retention'],
): number | undefined {
  const level = importanceLevel(importanceOf(memory));
  if (level === 'high') return undefined;
  if (memory.store === 'episodic') {
    const { archive_after_days: usual } = config.episodic;
    // Without an importance nothing says that it is low.
    return memory.importance !== undefined && level === 'low' ? Math.min(AGES.lowArchiveDays, usual) : usual;
  }
  return memory.store === 'journal' ? config.journal.archive_after_days : undefined;
}

/** Why it is over its age; undefined while it is not. */
export function whyOverAge(memory: SurveyedMemory, nowMs: number, config: Config['retention']): string | undefined {
  const limit = archiveAgeDays(memory, config);
  const age = Math.floor(ageDays(memory, nowMs));
  if (limit === undefined || memory.createdMs === undefined || age <= limit) return undefined;
  const level = importanceLevel(importanceOf(memory));
  return `${age} days old; ${memory.store === 'journal' ? 'days' : `episodes of ${level} importance`} are kept at hand for ${limit}`;
}

/** The ages at which an archived file is packed and, only where somebody said so, deleted. Counted from its archiving. */
export function archivedAges(
  store: SurveyedMemory['store'],
  config: Config['retention'],
): { readonly packDays: number; readonly deleteDays: number | undefined } {
  const { episodic, journal } = config;
  if (store === 'journal') {
    return { packDays: AGES.packDays, deleteDays: journal.delete_after_days ?? undefined };
  }
  const deleteDays = store === 'episodic' ? (episodic.delete_after_days ?? undefined) : undefined;
  return { packDays: AGES.packDays, deleteDays };
}
