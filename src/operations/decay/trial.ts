import { planArchive, type TakenOut } from '../../memory/archive/plan-archive.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';

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
