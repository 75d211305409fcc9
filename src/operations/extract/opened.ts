import type { Workspace } from '../../workspace/workspace.ts';
import type { OperationContext } from '../context.ts';
import type { OpenExtraction } from './open-extraction.ts';

/** One for each open home; made when something is first judged. Apart, so that closing a home loads none of it. */
export const openedExtractions = new WeakMap<Workspace, OpenExtraction>();

export function closeExtraction({ workspace }: Pick<OperationContext, 'workspace'>): void {
  openedExtractions.get(workspace)?.close();
  openedExtractions.delete(workspace);
}
