import type { Config } from '../../model/config/schema.ts';
import { ageDays, importanceOf, type SurveyedMemory } from '../forgetting/memory.ts';

export type Importance = 'low' | 'medium' | 'high';

/** S1's three levels, from a number. */
export function importanceLevel(importance: number, config: Config['retention']): Importance {
  if (importance >= config.high_importance_min) return 'high';
  return importance <= config.low_importance_max ? 'low' : 'medium';
}

/** The age at which a memory leaves by age alone; undefined when it never does. */
export function archiveAgeDays(
  memory: Pick<SurveyedMemory, 'store' | 'importance'>,
  config: Config['retention'],
): number | undefined {
  const level = importanceLevel(importanceOf(memory), config);
  if (level === 'high') return undefined;
  if (memory.store === 'episodic') {
    const { low_archive_after_days, medium_archive_after_days, archive_after_days } = config.episodic;
    if (memory.importance === undefined) return archive_after_days;
    return level === 'low' ? low_archive_after_days : medium_archive_after_days;
  }
  return memory.store === 'journal' ? config.journal.archive_after_days : undefined;
}

/** Why it is over its age; undefined while it is not. */
export function whyOverAge(memory: SurveyedMemory, nowMs: number, config: Config['retention']): string | undefined {
  const limit = archiveAgeDays(memory, config);
  const age = Math.floor(ageDays(memory, nowMs));
  if (limit === undefined || memory.createdMs === undefined || age <= limit) return undefined;
  const level = importanceLevel(importanceOf(memory), config);
  return `${age} days old; ${memory.store === 'journal' ? 'days' : `episodes of ${level} importance`} are kept at hand for ${limit}`;
}

/** The ages at which an archived file is packed and, only where somebody said so, deleted. Counted from its archiving. */
export function archivedAges(
  store: SurveyedMemory['store'],
  config: Config['retention'],
): { readonly packDays: number; readonly deleteDays: number | undefined } {
  const { episodic, journal } = config;
  if (store === 'journal') {
    return { packDays: journal.compress_after_days, deleteDays: journal.delete_after_days ?? undefined };
  }
  const deleteDays = store === 'episodic' ? (episodic.delete_after_days ?? undefined) : undefined;
  return { packDays: episodic.compress_after_days, deleteDays };
}
