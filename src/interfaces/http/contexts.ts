import type { Mneme } from '../../mneme.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { ApiClient } from './access/token-file.ts';

/** The home as a client sees it. */
export function contextFor(
  { internals }: Mneme,
  { actor, scope }: Pick<ApiClient, 'actor' | 'scope'>,
): OperationContext {
  return { ...internals, actor, confinedTo: scope };
}
