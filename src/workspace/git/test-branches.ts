import { MnemeError } from '../../model/errors.ts';
import { getExploration, planExploration, type Exploration } from './explore.ts';
import type { Git } from './git.ts';
import type { PublishPull } from './sync.ts';

/** The id of a pull in tests that do not look at it. */
export const TEST_MUTATION = '01KHPXK7V5T9QZ3M8N2R4W6Y0A';

/** Publishes by stock git, which refuses rather than overwrite what is not committed. */
export function fastForwardWith(git: Git): PublishPull {
  return async (plan) => {
    const result = await git.attempt(['merge', '--ff-only', '--quiet', plan.commit]);
    if (result.code === 0) return true;
    if (/Not possible to fast-forward/i.test(result.stderr)) return false;
    throw new MnemeError('conflict', result.stderr);
  };
}

/** Begins an exploration by stock git; the workspace does it beside running writers. */
export async function startExploration(
  git: Git,
  options: { readonly name: string; readonly nowMs: number },
): Promise<Exploration> {
  await planExploration(git, options);
  await git.bytes(['switch', '--quiet', '--create', `explore/${options.name}`]);
  return getExploration(git, options.name);
}
