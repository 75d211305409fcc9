import { hasEnded } from '../../maintain/forgetting/candidates.ts';
import { fadedAt } from '../../maintain/forgetting/due.ts';
import { importanceOf } from '../../maintain/forgetting/memory.ts';
import type { Config } from '../../model/config/schema.ts';
import type { DescribedMemory } from './survey.ts';
import { AGES } from '../../maintain/retention/ages.ts';

interface Taken {
  readonly id: string;
  /** First and last line, with what stands below it. */
  readonly lines: readonly [number, number];
}

/** Whether something that has to stay stands below what would be taken out: an item goes with all that hangs on it. */
export function holdsKept(
  { id, lines: [first, last] }: Taken,
  inFile: readonly DescribedMemory[],
  nowMs: number,
  config: Pick<Config, 'decay'>,
): boolean {
  return inFile.some((memory) => {
    const isInside = memory.members.some(({ startLine, endLine }) => startLine >= first && endLine <= last);
    return memory.id !== id && isInside && hasToStay(memory, nowMs, config);
  });
}

function hasToStay(memory: DescribedMemory, nowMs: number, { decay }: Pick<Config, 'decay'>): boolean {
  if (memory.isPinned) return true;
  if (!hasEnded(memory) && importanceOf(memory) >= AGES.highMin) return true;
  const isAlive = memory.type === 'task' || memory.use !== undefined;
  return isAlive && fadedAt(memory, nowMs, decay).status !== 'faint';
}
