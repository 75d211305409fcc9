import { isMnemeError } from '../../model/errors.ts';
import type { Hit } from '../../retrieve/hit.ts';
import { blame, type BlameLine } from '../../workspace/git/blame.ts';
import type { OperationContext } from '../context.ts';

/**
 * Says for each hit which mutation wrote it. Only git knows, and asking it takes longer than the search itself, so it
 * is asked when somebody wants an explanation.
 */
export async function withMutations(context: OperationContext, hits: readonly Hit[]): Promise<readonly Hit[]> {
  await context.workspace.drain();
  const known = new Map<string, readonly BlameLine[]>();
  const explained: Hit[] = [];
  for (const hit of hits) {
    const key = `${hit.source}/${hit.path}`;
    if (!known.has(key)) known.set(key, await linesOf(context, hit));
    // The last line of an item is its text; the first may be a heading that stood there before.
    const mutation = known.get(key)?.find(({ line }) => line === hit.endLine)?.mutation ?? null;
    explained.push({ ...hit, provenance: { ...hit.provenance, mutation } });
  }
  return explained;
}

/** Nothing for a session that is still going on, or a file that git does not have yet. */
async function linesOf({ workspace }: OperationContext, { source, path }: Hit): Promise<readonly BlameLine[]> {
  if (source === 'live') return [];
  try {
    return await blame(workspace.git[source], path);
  } catch (error) {
    if (isMnemeError(error)) return [];
    throw error;
  }
}
