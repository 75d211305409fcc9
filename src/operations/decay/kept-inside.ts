import { hasEnded } from '../../maintain/forgetting/candidates.ts';
import { fadedAt } from '../../maintain/forgetting/due.ts';
import { importanceOf } from '../../maintain/forgetting/memory.ts';
import { planArchive, type TakenOut } from '../../memory/archive/plan-archive.ts';
import type { Config } from '../../model/config/schema.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';
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

/**
 * Takes memories out of files one after the other, on trial. Where two carry the same anchor, the second is known by it
 * only once the first is gone; one such file must not keep all others from being tidied.
 */
export class ArchiveTrial {
  readonly #context: OperationContext;
  /** The remaining text of each file; undefined for a file removed as a whole. */
  readonly #rests = new Map<string, string | undefined>();

  constructor(context: OperationContext) {
    this.#context = context;
  }

  /** Whether it can go after all those before it. */
  async take(next: TakenOut): Promise<boolean> {
    const { clock, config, layout, workspace } = this.#context;
    const parts = { root: workspace.root, clock, timeZone: config.time_zone, layout };
    const [change] = planArchive(parts, [next], 'trial').changes;
    const text = this.#rests.has(next.path)
      ? this.#rests.get(next.path)
      : await readWorkspaceText(this.#context, next.path);
    try {
      if (change !== undefined && 'edit' in change) this.#rests.set(next.path, change.edit(text));
      return true;
    } catch (error) {
      if (isMnemeError(error)) return false;
      throw error;
    }
  }
}
