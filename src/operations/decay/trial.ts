import { planArchive, type TakenOut } from '../../memory/archive/plan-archive.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';

/**
 * Whether memories can be taken out of a file one after the other. Where two carry the same anchor, the second is known
 * by it only once the first is gone; one such file must not keep all others from being tidied.
 */
export async function canBeTaken(
  context: OperationContext,
  taken: readonly TakenOut[],
  next: TakenOut,
): Promise<boolean> {
  const { clock, config, layout, workspace } = context;
  const parts = { root: workspace.root, clock, timeZone: config.time_zone, layout };
  const together = [...taken.filter(({ path }) => path === next.path), next];
  const [change] = planArchive(parts, together, 'trial').changes;
  try {
    if (change !== undefined && 'edit' in change) change.edit(await readWorkspaceText(context, next.path));
    return true;
  } catch (error) {
    if (isMnemeError(error)) return false;
    throw error;
  }
}
