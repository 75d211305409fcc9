import type { StoreParts } from '../memory/stores/plan.ts';
import type { OperationContext } from './context.ts';

/** The parts that every store of an open home plans with. */
export function storePartsOf({
  workspace,
  clock,
  random,
  config,
}: Pick<OperationContext, 'workspace' | 'clock' | 'random' | 'config'>): StoreParts {
  return { root: workspace.root, clock, random, timeZone: config.time_zone };
}
